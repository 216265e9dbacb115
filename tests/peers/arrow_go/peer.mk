# SPDX-License-Identifier: Apache-2.0
#
# arrow-go: package cdata and what it needs of the module, as a shared library of C.

ifneq ($(call has_peer,arrow_go),)
PEER_ADAPTERS += $(PEERS_O)/arrow_go/adapter.so
endif

$(PEERS_O)/arrow_go/adapter.so: tests/peers/arrow_go/adapter.go harness/adapter.h ref/abi.h $(PEERS_AT)/arrow_go.version
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)CC='$(CC)' tests/peers/arrow_go/go.sh $(PEERS_AT) build -buildmode=c-shared -o $(abspath $@) $(abspath $<)
