# SPDX-License-Identifier: Apache-2.0
#
# The model of asynchronous streams, and the reference held against it. spin plays both.

MODEL_OBJECTS := $(call objects,$(wildcard tests/model/*.c))
MODEL_PROGRAMS := $(MODEL_OBJECTS:.o=)
OBJECTS += $(MODEL_OBJECTS)

$(MODEL_OBJECTS): EXTRA = -iquote tests/ref $(call pkg,cflags,check)
$(MODEL_PROGRAMS): %: %.o $(call objects,$(wildcard tests/ref/async_[opt]*.c)) $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(call pkg,libs,check)

model: $(MODEL_PROGRAMS) ## spin looks at every way that an asynchronous stream can go (WHY=NAME: how to what it refutes)
	@ci/deps --check test
	$(Q)tests/model/run.py $(O) $(if $(WHY),--why $(WHY))
	$(Q)$(if $(WHY),:,tests/model/traces.py $(O))
	$(Q)$(if $(WHY),:,tests/model/replay.py $(O))
