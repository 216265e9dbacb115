# SPDX-License-Identifier: Apache-2.0
#
# polars-arrow: the crate, built by cargo.

ifneq ($(call has_peer,polars_arrow),)
PEER_ADAPTERS += $(PEERS_O)/polars_arrow/adapter.so
endif

$(PEERS_O)/polars_arrow/adapter.so: $(wildcard tests/peers/polars_arrow/src/*.rs $(PEERS_AT)/polars_arrow/Cargo.*) $(RUST_ADAPTER)
	$(call say,CARGO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)tests/peers/cargo.sh $(PEERS_AT) polars_arrow build --lib --release
	$(Q)cp $(PEERS_AT)/polars_arrow/target/release/libadapter.so $@
