# SPDX-License-Identifier: Apache-2.0
#
# nanoarrow: the C sources inside its source distribution, its CUDA device among them, which finds
# the simulated driver.

ifneq ($(call has_peer,nanoarrow),)
PEER_ADAPTERS += $(PEERS_O)/nanoarrow/adapter.so
PEER_BENCHES  += $(PEERS_O)/nanoarrow/bench.so
endif

NANOARROW_AT      := $(PEERS_AT)/nanoarrow/nanoarrow
NANOARROW_SOURCES := $(addprefix common/,array array_stream schema utils) $(addprefix device/,device cuda)
NANOARROW_O       := $(NANOARROW_SOURCES:%=$(PEERS_O)/nanoarrow/library/%.o)

$(PEERS_O)/nanoarrow/%.o: PEER_INCLUDES = -isystem $(PEERS_AT)/nanoarrow -I tests/peers/nanoarrow

# Theirs, and so are its warnings.
$(PEERS_O)/nanoarrow/library/%.o: $(NANOARROW_AT)/%.c $(O)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(PEER_INCLUDES) -fPIC $(CFLAGS) -w -Werror=implicit-function-declaration \
	    -DNANOARROW_DEVICE_WITH_CUDA -c -o $@ $<

$(PEERS_O)/nanoarrow/adapter.so: $(PEERS_O)/nanoarrow/adapter.o $(PEERS_O)/nanoarrow/streams.o $(NANOARROW_O) $(O)/sim/libcuda.so.1
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,defs $(CFLAGS) -o $@ $^

$(PEERS_O)/nanoarrow/bench.so: $(PEERS_O)/nanoarrow/bench.o $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(CC) -shared -pthread $(CFLAGS) -o $@ $^ $(LIBS)

# Its own tests of its devices, as they are, for tests/peers/foreign: a program for each file, as each
# has a class of the same name.
NANOARROW_TESTS := $(if $(call has_peer,nanoarrow),$(if $(wildcard /usr/include/gtest/gtest.h),device_test device_hpp_test cuda_test))
judge-peers: $(if $(filter-out foreign,$(PEER)),,$(NANOARROW_TESTS:%=$(O)/tests/foreign/nanoarrow/%))

$(O)/tests/foreign/nanoarrow/%_test: $(NANOARROW_AT)/device/%_test.cc tests/peers/foreign/gtest.cc \
    tests/peers/foreign/cuda.h $(NANOARROW_O) $(O)/sim/libcuda.so.1 $(O)/flags
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -isystem $(PEERS_AT)/nanoarrow -I tests/peers/foreign $(CFLAGS) -w \
	    -DNANOARROW_DEVICE_WITH_CUDA -o $@ $(filter %.cc %.o %.so.1,$^) -lgtest -pthread
