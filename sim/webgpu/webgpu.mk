# SPDX-License-Identifier: Apache-2.0
#
# The simulated wgpu-native, on the engine: one library a layout of its header. The newest is found by
# name; an older one by its path (ADI_WEBGPU).

WEBGPU_LAYOUTS := 22 24 29
WEBGPU_OLD     := $(patsubst %,$(O)/sim/webgpu/%/libwgpu_native.so,22 24)
WEBGPU         := $(O)/sim/libwgpu_native.so
WEBGPU_OBJECTS := $(call objects,$(filter-out %/webgpu_entry.c,$(wildcard sim/webgpu/*.c)))
WEBGPU_ENTRIES := $(WEBGPU_LAYOUTS:%=$(O)/sim/webgpu/webgpu_entry.%.o)
OBJECTS        += $(WEBGPU_OBJECTS) $(WEBGPU_ENTRIES)

all check $(O)/tests/unit: $(WEBGPU) $(WEBGPU_OLD)

# It keeps what is in the engine: it stays once it was loaded.
$(WEBGPU): $(O)/sim/webgpu/webgpu_entry.29.o
$(WEBGPU_OLD): $(O)/sim/webgpu/%/libwgpu_native.so: $(O)/sim/webgpu/webgpu_entry.%.o
$(WEBGPU) $(WEBGPU_OLD): $(WEBGPU_OBJECTS) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(SIM_LINK) -Wl,-rpath,'$$ORIGIN/../../..' -Wl,-z,nodelete -Wl,-Bsymbolic -o $@ $^

$(WEBGPU_ENTRIES): $(O)/sim/webgpu/webgpu_entry.%.o: sim/webgpu/webgpu_entry.c $(O)/flags
	$(call say,CC,$< ($*))
	$(Q)mkdir -p $(@D) && $(CC) $(FLAGS) -DWEBGPU_LAYOUT=$* -MMD -MP -c -o $@ $<

.PHONY: install-webgpu
install: install-webgpu
install-webgpu: $(WEBGPU)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $< $(DESTDIR)$(LIBDIR)/adicheck/sim

# Programs that are linked with it, compiled for each layout.
WEBGPU_PROGRAMS := $(foreach p,$(patsubst %.c,$(O)/%,$(wildcard tests/sim/webgpu/*.c)),\
                       $(WEBGPU_LAYOUTS:%=$p.%))

check $(O)/tests/unit: $(WEBGPU_PROGRAMS)
$(filter %.22,$(WEBGPU_PROGRAMS)): $(O)/sim/webgpu/22/libwgpu_native.so
$(filter %.24,$(WEBGPU_PROGRAMS)): $(O)/sim/webgpu/24/libwgpu_native.so
$(filter %.29,$(WEBGPU_PROGRAMS)): $(WEBGPU)
define WEBGPU_PROGRAM
$(O)/tests/sim/webgpu/%.$(1): tests/sim/webgpu/%.c tests/sim/webgpu/program.h sim/webgpu/webgpu_abi.h $(O)/flags
	$$(call say,LD,$$@)
	$$(Q)mkdir -p $$(@D) && $$(CC) $$(FLAGS) -DWEBGPU_LAYOUT=$(1) -o $$@ $$< $$(filter %.so,$$^) \
	    -Wl,-rpath-link,$$(O) -Wl,-rpath,'$$$$ORIGIN/../../../sim$(if $(filter-out 29,$(1)),/webgpu/$(1))'
endef
$(foreach l,$(WEBGPU_LAYOUTS),$(eval $(call WEBGPU_PROGRAM,$l)))

# The real one, and programs in Python, by way of wgpu-py.
judge-peers: $(WEBGPU) $(WEBGPU_OLD) $(filter $(O)/tests/mutants/webgpu_%,$(ADAPTERS))
