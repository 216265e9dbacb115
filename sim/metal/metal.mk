# SPDX-License-Identifier: Apache-2.0
#
# The simulated Metal: a library in the place of Apple's framework. It finds the runtime of Objective-C
# when it is first used, and builds without.

METAL         := $(O)/sim/libMetal.so
METAL_OBJECTS := $(call objects,$(wildcard sim/metal/*.c))
OBJECTS       += $(METAL_OBJECTS)

all check $(O)/tests/unit: $(METAL)

# Classes cannot be taken back: it stays once it was loaded.
$(METAL): $(METAL_OBJECTS) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(SIM_LINK) -Wl,-z,nodelete -o $@ $^

.PHONY: install-metal
install: install-metal
install-metal: $(METAL)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $^ $(DESTDIR)$(LIBDIR)/adicheck/sim

# The backend as clang sees it for a Mac. There is no SDK of Apple's: the headers of ISO C are musl's.
METAL_BACKEND := $(wildcard devices/metal*.c)
METAL_FOR_MAC := $(O)/sim/metal_for_mac
MUSL_HEADERS  := $(firstword $(wildcard /usr/include/*-linux-musl))

check: $(METAL_FOR_MAC)
$(METAL_FOR_MAC): $(METAL_BACKEND) $(wildcard devices/metal*.h devices/metal*.def)
	$(Q)mkdir -p $(@D); if [ -z '$(MUSL_HEADERS)' ] || ! command -v clang > /dev/null; then \
	    echo "left out: the metal device for a Mac, for want of clang and musl-tools; type: make deps"; \
	else clang --target=arm64-apple-macos -D_GNU_SOURCE -std=c11 -Werror $(WARNINGS) -fsyntax-only -nostdlibinc \
	    -isystem $(MUSL_HEADERS) $(addprefix -iquote ,$(ROOMS) $(SIM_ROOMS)) $(METAL_BACKEND) && touch $@; fi
