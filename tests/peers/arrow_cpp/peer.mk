# SPDX-License-Identifier: Apache-2.0
#
# Arrow C++: the headers and libarrow inside the pyarrow wheel.

ifneq ($(call has_peer,arrow_cpp),)
PEER_ADAPTERS += $(PEERS_O)/arrow_cpp/adapter.so
PEER_BENCHES  += $(PEERS_O)/arrow_cpp/bench.so
endif

$(PEERS_O)/arrow_cpp/%.o: PEER_INCLUDES = -isystem $(PEERS_AT)/pyarrow/include
$(PEERS_O)/arrow_cpp/adapter.so: $(addprefix $(PEERS_O)/arrow_cpp/,async.o device.o streams.o)
$(PEERS_O)/arrow_cpp/%.so: $(PEERS_O)/arrow_cpp/%.o $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(CXX) -shared -pthread $(CFLAGS) -o $@ $(filter %.o %.a,$^) \
	    $(wildcard $(PEERS_AT)/pyarrow/libarrow.so.*) \
	    -Wl,-rpath,$(abspath $(PEERS_AT)/pyarrow) $(LIBS)
