# SPDX-License-Identifier: Apache-2.0
#
# Real implementations: fetched from where their users get them, built against, judged. Each has a
# folder: fetch.sh (registry.sh says what that does), peer.mk, which builds the adapter, the adapter,
# and repro/, programs without anything of adicheck's that show what was found.
#
#   make peers                  the releases of versions.tsv, column "now"
#   make peers RELEASE=before   the ones before, and what has changed since
#   make peers PEER=NAME        one of them

PEER_NAMES := $(patsubst tests/peers/%/fetch.sh,%,$(wildcard tests/peers/*/fetch.sh))

ifneq ($(filter peers judge-peers,$(MAKECMDGOALS)),)
ifneq ($(filter-out $(PEER_NAMES),$(PEER)),)
$(error no peer is named $(filter-out $(PEER_NAMES),$(PEER)); there are: $(PEER_NAMES))
endif
ifneq ($(words $(PEER)),$(words $(firstword $(PEER))))
$(error PEER is one name, or not set)
endif
ifneq ($(filter-out now before,$(RELEASE)),)
$(error RELEASE is before, or not set; and not $(RELEASE))
endif
endif

RELEASE  ?= now
PEERS_AT := $(BUILD)/peers$(if $(filter before,$(RELEASE)),-before)
PEERS_O  := $(O)/tests/peers$(if $(filter before,$(RELEASE)),-before)

# What a peer.mk adds to, if its library is there: the shared libraries to judge, and the programs to
# time in `make bench`.
PEER_ADAPTERS :=
PEER_BENCHES  :=
has_peer = $(wildcard $(PEERS_AT)/$(1).version)

peers: $(O)/adicheck ## Fetch real implementations and judge them (RELEASE=before, PEER=NAME)
	$(Q)tests/peers/fetch.sh $(PEERS_AT) $(RELEASE) $(PEER)
	$(Q)tests/ref/include_matrix.sh $(PEERS_AT)
	@$(MAKE) judge-peers
	$(if $(filter before,$(RELEASE)),$(Q)tests/peers/changes.py $(PEERS_AT) $(BUILD)/peers $(PEER))

judge-peers: all
	$(Q)CC='$(CC)' CXX='$(CXX)' tests/peers/repro.sh $(PEERS_AT) $(RELEASE) $(PEER)
	$(Q)tests/peers/judge.sh $(O) $(PEERS_AT) $(RELEASE) $(filter $(addsuffix /%,$(PEERS_O)$(addprefix /,$(PEER))),$^)
	$(if $(filter-out cuda,$(PEER)),,$(Q)tests/peers/cuda/judge.sh $(O) $(PEERS_AT))
	$(if $(filter-out hip,$(PEER)),,$(Q)tests/peers/hip/judge.sh $(O) $(PEERS_AT))
	$(if $(filter-out sycl,$(PEER)),,$(Q)tests/peers/sycl/judge.sh $(O) $(PEERS_AT))
	$(if $(filter-out webgpu,$(PEER)),,$(Q)tests/peers/webgpu/judge.sh $(O) $(PEERS_AT))
	$(if $(filter-out foreign,$(PEER))$(filter-out now,$(RELEASE)),,$(Q)tests/peers/foreign/judge.sh $(O) $(PEERS_AT))
	$(if $(filter-out python,$(PEER))$(filter-out now,$(RELEASE)),,$(Q)tests/peers/python/judge.sh $(O) $(PEERS_AT))

PEER_FLAGS := -I ref -I harness -fPIC -fvisibility=hidden -Wall -Wextra $(CFLAGS)

$(PEERS_O)/%.o: tests/peers/%.cc $(O)/flags
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -std=c++20 $(PEER_INCLUDES) $(PEER_FLAGS) -MMD -MP -c -o $@ $<

$(PEERS_O)/%.o: tests/peers/%.c $(O)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(PEER_INCLUDES) $(PEER_FLAGS) -MMD -MP -c -o $@ $<

# What adapters in Rust are built of besides their own.
RUST_ADAPTER := tests/peers/adapter.rs tests/peers/cargo.sh harness/command/new/adicheck.rs

include $(wildcard tests/peers/*/peer.mk)
judge-peers: $(PEER_ADAPTERS)
-include $(wildcard $(PEERS_O)/*/*.d)
