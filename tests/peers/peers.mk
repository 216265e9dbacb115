# SPDX-License-Identifier: Apache-2.0
#
# Real implementations: fetched from PyPI, built against, judged.

PEER_SOURCES := $(if $(wildcard $(BUILD)/peers/pyarrow),$(wildcard tests/peers/arrow_cpp/*.cc)) \
                $(if $(wildcard $(BUILD)/peers/nanoarrow),$(wildcard tests/peers/nanoarrow/*.c))

PEER_OBJECTS    := $(call objects,$(PEER_SOURCES))
PEERS           := $(PEER_OBJECTS:.o=.so)

# What the headers and libraries inside the pyarrow wheel and the nanoarrow sdist need.
PEER_FLAGS := -I ref -I harness -isystem $(BUILD)/peers/pyarrow/include \
              -isystem $(BUILD)/peers/nanoarrow -fPIC -fvisibility=hidden -Wall -Wextra $(CFLAGS)

peers: $(O)/adicheck ## Fetch real implementations from PyPI and judge them
	$(Q)tests/peers/fetch.sh $(BUILD)/peers
	$(Q)tests/ref/include_matrix.sh $(BUILD)/peers
	@$(MAKE) judge-peers

judge-peers: $(O)/adicheck $(filter %/adapter.so,$(PEERS))
	$(Q)CXX='$(CXX)' tests/peers/repro.sh $(BUILD)/peers
	$(Q)tests/peers/judge.sh $(O) $(filter %/adapter.so,$^)
	$(Q)tests/peers/cuda/judge.sh $(O) $(BUILD)/peers

$(PEERS): %.so: %.o $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(PEER_LD) -shared -pthread $(CFLAGS) -o $@ $^ $(PEER_LIBS) $(LIBS)
$(PEERS): PEER_LD = $(if $(findstring /arrow_cpp/,$@),$(CXX),$(CC))
$(O)/tests/peers/arrow_cpp/%.so: PEER_LIBS = $(wildcard $(BUILD)/peers/pyarrow/libarrow.so.*) \
    -Wl,-rpath,$(abspath $(BUILD)/peers/pyarrow)

$(O)/tests/peers/%.o: tests/peers/%.cc $(O)/flags
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -std=c++20 $(PEER_FLAGS) -MMD -MP -c -o $@ $<

$(O)/tests/peers/%.o: tests/peers/%.c $(O)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(PEER_FLAGS) -MMD -MP -c -o $@ $<

-include $(PEER_OBJECTS:.o=.d)
