# SPDX-License-Identifier: Apache-2.0
#
# arrow-rs: its crates, built by cargo with and without the checks of a debug build.

ifneq ($(call has_peer,arrow_rs),)
PEER_ADAPTERS += $(PEERS_O)/arrow_rs/adapter.so $(PEERS_O)/arrow_rs/adapter-debug.so
endif

$(PEERS_O)/arrow_rs/adapter.so: CARGO_PROFILE = release
$(PEERS_O)/arrow_rs/adapter-debug.so: CARGO_PROFILE = debug
$(PEERS_O)/arrow_rs/%.so: $(wildcard tests/peers/arrow_rs/src/*.rs $(PEERS_AT)/arrow_rs/Cargo.*) $(RUST_ADAPTER)
	$(call say,CARGO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)tests/peers/cargo.sh $(PEERS_AT) arrow_rs build --lib $(if $(filter release,$(CARGO_PROFILE)),--release)
	$(Q)cp $(PEERS_AT)/arrow_rs/target/$(CARGO_PROFILE)/libadapter.so $@
