# SPDX-License-Identifier: Apache-2.0
#
# The simulated SYCL, as dpctl's C interface has it, on the engine.

ONEAPI         := $(O)/sim/libDPCTLSyclInterface.so
ONEAPI_OBJECTS := $(call objects,$(wildcard sim/oneapi/*.c))
OBJECTS        += $(ONEAPI_OBJECTS)

all check $(O)/tests/unit: $(ONEAPI)

$(ONEAPI): $(ONEAPI_OBJECTS) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(SIM_LINK) -o $@ $^

.PHONY: install-oneapi
install: install-oneapi
install-oneapi: $(ONEAPI)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $^ $(DESTDIR)$(LIBDIR)/adicheck/sim

# Programs that are linked with it, as they are with dpctl's.
ONEAPI_PROGRAM_OBJECTS := $(call objects,$(wildcard tests/sim/oneapi/*.c))
ONEAPI_PROGRAMS        := $(ONEAPI_PROGRAM_OBJECTS:.o=)
OBJECTS                += $(ONEAPI_PROGRAM_OBJECTS)

check $(O)/tests/unit: $(ONEAPI_PROGRAMS)
$(ONEAPI_PROGRAMS): %: %.o $(ONEAPI)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -Wl,-rpath-link,$(O):$(O)/sim -Wl,-rpath,'$$ORIGIN/../../../sim'

# The planted defects, on the real runtime.
judge-peers: $(filter $(O)/tests/mutants/oneapi_%,$(ADAPTERS))
