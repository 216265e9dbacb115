# SPDX-License-Identifier: Apache-2.0
#
# The command once more, in which each call that can fail can be made to.

CALL_OBJECTS := $(call objects,$(wildcard tests/calls/*.c))
CALLS        := $(shell tests/calls/names.sh)

$(O)/calls/adicheck: $(COMMAND_OBJECTS) $(CALL_OBJECTS) $(O)/libadicheck.a tests/calls/calls.def
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK) $(addprefix -Xlinker --wrap=,$(CALLS)) -o $@ \
	    $(filter %.o,$^) $(filter %.a,$^) $(call pkg,libs,$(COMMAND_PKGS)) $(LIBS)
$(CALL_OBJECTS): EXTRA = $(call pkg,cflags,$(COMMAND_PKGS))
check: $(O)/calls/adicheck
everything: $(CALL_OBJECTS)

-include $(CALL_OBJECTS:.o=.d)
