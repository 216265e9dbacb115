# SPDX-License-Identifier: Apache-2.0
#
# The simulated HIP runtime (a facade of sim/driver): AMD's file names and symbols, one library a
# major version. A program that was linked with AMD's asks for the version of each symbol
# (hip_4.2 ...), which hip.def and hip_unserved.def have.

HIP_MAJORS   := 5 6 7
HIP          := $(HIP_MAJORS:%=$(O)/sim/libamdhip64.so.%)
HIP_DRIVER   := $(O)/sim/libadihip.so
HIP_OBJECTS  := $(call objects,$(filter-out %/hip_version.c %/hip_facade.c,$(wildcard sim/hip/*.c)))
HIP_FACADE   := $(call objects,sim/hip/hip_facade.c)
HIP_VERSIONS := $(HIP_MAJORS:%=$(O)/sim/hip/hip_version.%.o)
OBJECTS      += $(HIP_OBJECTS) $(HIP_FACADE) $(HIP_VERSIONS)

all check $(O)/tests/unit: $(HIP)

# The nodes of a major, each with the one before it as its parent.
$(O)/sim/hip/nodes.%: sim/hip/nodes.h sim/hip/hip.def sim/hip/hip_unserved.def sim/hip/nodes.awk
	$(Q)mkdir -p $(@D) && $(CC) -E -P -iquote sim/hip sim/hip/nodes.h | \
	    awk -v major=$* -f sim/hip/nodes.awk > $@

# The majors have one driver, so that a program may be of another one than the backend. It has to look
# after threads that end: it stays once it was loaded.
$(HIP_DRIVER): $(HIP_FACADE) $(DRIVER_OBJECTS) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(SIM_LINK) -Wl,-z,nodelete -Wl,-Bsymbolic -o $@ $^

$(HIP): $(O)/sim/libamdhip64.so.%: $(O)/sim/hip/hip_version.%.o $(O)/sim/hip/nodes.% $(HIP_OBJECTS) \
            $(HIP_DRIVER) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)$(SIM_LINK) -Wl,--version-script=$(O)/sim/hip/nodes.$* -o $@ $(filter-out %/nodes.$*,$^)
	$(Q)ln -sf libamdhip64.so.$(lastword $(HIP_MAJORS)) $(@D)/libamdhip64.so

$(HIP_VERSIONS): $(O)/sim/hip/hip_version.%.o: sim/hip/hip_version.c $(O)/flags
	$(call say,CC,$< ($*))
	$(Q)mkdir -p $(@D) && $(CC) $(FLAGS) -DHIP_MAJOR=$* -MMD -MP -c -o $@ $<

.PHONY: install-hip
install: install-hip
install-hip: $(HIP) $(HIP_DRIVER)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $^ $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)ln -sf libamdhip64.so.$(lastword $(HIP_MAJORS)) $(DESTDIR)$(LIBDIR)/adicheck/sim/libamdhip64.so

# Programs that are linked with a runtime, as they are with AMD's.
HIP_PROGRAM_OBJECTS := $(call objects,$(wildcard tests/sim/hip/*.c))
HIP_PROGRAMS        := $(foreach p,$(HIP_PROGRAM_OBJECTS:.o=),$(HIP_MAJORS:%=$p.%))
OBJECTS             += $(HIP_PROGRAM_OBJECTS)

check $(O)/tests/unit: $(HIP_PROGRAMS)
$(foreach m,$(HIP_MAJORS),$(eval $(filter %.$m,$(HIP_PROGRAMS)): %.$m: %.o $(O)/sim/libamdhip64.so.$m))
$(filter %/answers.5 %/answers.6 %/answers.7,$(HIP_PROGRAMS)): | $(CUDA_DRIVER)
$(HIP_PROGRAMS):
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -ldl -Wl,-rpath-link,$(O):$(O)/sim -Wl,-rpath,'$$ORIGIN/../../../sim'

# Programs in Python, by way of hip-python.
judge-peers: $(HIP)
