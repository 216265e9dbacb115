# SPDX-License-Identifier: Apache-2.0
#
# arrow-go: package cdata and what it needs of the module, as a shared library of C. Go's cache knows
# nothing of these headers: what is in them goes into its key.

ifneq ($(call has_peer,arrow_go),)
PEER_ADAPTERS += $(PEERS_O)/arrow_go/adapter.so
endif

$(PEERS_O)/arrow_go/adapter.so: $(addprefix tests/peers/arrow_go/,adapter.go streams.go forward.h) harness/adapter.h harness/adapter_stream.h ref/abi.h $(PEERS_AT)/arrow_go.version
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)CC='$(CC)' CGO_CFLAGS="-O2 -g -DHEADERS=$$(cat $(filter %.h,$^) | cksum | cut -d ' ' -f 1)" \
	    tests/peers/arrow_go/go.sh $(PEERS_AT) build -buildmode=c-shared -o $(abspath $@) $(abspath $(filter %.go,$^))
