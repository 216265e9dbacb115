# SPDX-License-Identifier: Apache-2.0
#
# nanoarrow: the C sources inside its source distribution.

ifneq ($(call has_peer,nanoarrow),)
PEER_BENCHES  += $(PEERS_O)/nanoarrow/bench.so
endif

$(PEERS_O)/nanoarrow/%.o: PEER_INCLUDES = -isystem $(PEERS_AT)/nanoarrow
$(PEERS_O)/nanoarrow/%.so: $(PEERS_O)/nanoarrow/%.o $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(CC) -shared -pthread $(CFLAGS) -o $@ $^ $(LIBS)
