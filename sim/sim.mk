# SPDX-License-Identifier: Apache-2.0
#
# The simulation's engine: a library of its own, one in a process whatever runtimes lie upon it.

SIM_OBJECTS := $(call objects,$(wildcard sim/*.c))
OBJECTS     += $(SIM_OBJECTS)
SIM_LIBRARY := $(O)/libadisim.so

all check $(O)/tests/unit: $(SIM_LIBRARY)

# It has a signal handler and a thread: it stays once it was loaded.
$(SIM_LIBRARY): $(SIM_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(LINK_SO) -Wl,-z,nodelete -Wl,-soname,$(@F) -o $@ $^ $(LIBS)

# A runtime of a vendor's, in the folder below. (Not with LIBS, which are those of whatever asked for
# it first.)
SIM_LINK = $(LINK_SO) -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN:$$ORIGIN/..'

PUBLIC_HEADERS += sim/sim.h

.PHONY: install-sim
install: install-sim
install-sim: $(SIM_LIBRARY)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck
	$(Q)install -m 755 $< $(DESTDIR)$(LIBDIR)/adicheck

# The tests have the engine within them: each plays its programs in processes of their own.
$(O)/tests/unit $(O)/proof/unit: $(SIM_OBJECTS)

SIM_BENCH_OBJECTS := $(call objects,$(wildcard tests/sim/bench/*.c))
OBJECTS           += $(SIM_BENCH_OBJECTS)

.PHONY: measure-sim
measure: | measure-sim
measure-sim: $(O)/tests/sim/bench/measure
	$(Q)$<

$(O)/tests/sim/bench/measure: $(SIM_BENCH_OBJECTS) $(SIM_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
