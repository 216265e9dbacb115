# SPDX-License-Identifier: Apache-2.0
#
# The simulated CUDA driver (a facade of sim/driver), and a thin runtime on it: NVIDIA's file names and symbols, in a folder of
# their own so that they never stand before real ones by accident. They find the engine in the folder
# above.

DRIVER_OBJECTS := $(call objects,$(wildcard sim/driver/*.c))
CUDA_OBJECTS  := $(call objects,$(wildcard sim/cuda/*.c)) $(DRIVER_OBJECTS)
CUDA_DRIVER   := $(O)/sim/libcuda.so.1
CUDART_MAJORS := 12 13
CUDART        := $(CUDART_MAJORS:%=$(O)/sim/libcudart.so.%)
CUDART_OBJECTS  := $(call objects,$(filter-out %/cudart_version.c,$(wildcard sim/cuda/cudart/*.c)))
CUDART_VERSIONS := $(CUDART_MAJORS:%=$(O)/sim/cuda/cudart/cudart_version.%.o)
OBJECTS       += $(CUDA_OBJECTS) $(CUDART_OBJECTS) $(CUDART_VERSIONS)

all check $(O)/tests/unit: $(CUDA_DRIVER) $(CUDART)

# It has to look after threads that end: it stays once it was loaded.
$(CUDA_DRIVER): $(CUDA_OBJECTS) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && echo '{ global: cu*; local: *; };' > $@.map
	$(Q)$(SIM_LINK) -Wl,-z,nodelete -Wl,--version-script=$@.map -o $@ $^
	$(Q)rm $@.map && ln -sf $(@F) $(@D)/libcuda.so

# A program that was linked with NVIDIA's asks for symbols of the version libcudart.so.MAJOR.
$(CUDART): $(O)/sim/libcudart.so.%: $(O)/sim/cuda/cudart/cudart_version.%.o $(CUDART_OBJECTS) $(CUDA_DRIVER) \
            $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)echo '$(@F) { global: cuda*; __cuda*; local: *; };' > $@.map
	$(Q)$(SIM_LINK) -Wl,--version-script=$@.map -o $@ $^ -Wl,-rpath-link,$(O)
	$(Q)rm $@.map && ln -sf libcudart.so.$(lastword $(CUDART_MAJORS)) $(@D)/libcudart.so

$(CUDART_VERSIONS): $(O)/sim/cuda/cudart/cudart_version.%.o: sim/cuda/cudart/cudart_version.c $(O)/flags
	$(call say,CC,$< ($*))
	$(Q)mkdir -p $(@D) && $(CC) $(FLAGS) -DCUDART_MAJOR=$* -MMD -MP -c -o $@ $<

.PHONY: install-cuda
install: install-cuda
install-cuda: $(CUDA_DRIVER) $(CUDART)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $^ $(DESTDIR)$(LIBDIR)/adicheck/sim

# The tests have the driver within them, as they have the engine.
$(O)/tests/unit $(O)/proof/unit: $(CUDA_OBJECTS)

# What it answers to misuse, put to the driver of a machine that has one, and the reference on it.
CUDA_ANSWERS := $(O)/tests/sim/gpu/answers
CUDA_ANSWERS_OBJECTS := $(call objects,$(wildcard tests/sim/gpu/*.c tests/sim/cuda_misuse*.c))
OBJECTS += $(filter %/gpu/answers.o,$(CUDA_ANSWERS_OBJECTS))

$(O)/tests/sim/gpu/%.o: EXTRA = -iquote tests
$(CUDA_ANSWERS): $(CUDA_ANSWERS_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -ldl
check $(O)/tests/unit: $(CUDA_ANSWERS)

.PHONY: test-gpu
test-gpu: $(CUDA_ANSWERS) $(O)/adicheck $(filter $(O)/tests/mutants/cuda%,$(ADAPTERS)) ## Ask this machine's own CUDA driver, and judge on its devices
	$(Q)tests/sim/gpu/judge.sh $(O)

CUDA_BENCH_OBJECTS := $(call objects,$(wildcard tests/sim/cuda_bench/*.c))
OBJECTS            += $(CUDA_BENCH_OBJECTS)

.PHONY: measure-cuda
measure: | measure-cuda
measure-cuda: $(O)/tests/sim/cuda_bench/measure_cuda
	$(Q)$<

$(O)/tests/sim/cuda_bench/measure_cuda: $(CUDA_BENCH_OBJECTS) $(CUDA_DRIVER) $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -Wl,-rpath,'$$ORIGIN/../../../sim:$$ORIGIN/../../..'

# Programs that are linked with a runtime, as they are with NVIDIA's.
CUDA_PROGRAM_OBJECTS := $(call objects,$(wildcard tests/sim/cudart/*.c))
CUDA_PROGRAMS        := $(foreach p,$(CUDA_PROGRAM_OBJECTS:.o=),$(CUDART_MAJORS:%=$p.%))
OBJECTS              += $(CUDA_PROGRAM_OBJECTS)

check $(O)/tests/unit: $(CUDA_PROGRAMS)
$(foreach m,$(CUDART_MAJORS),$(eval $(filter %.$m,$(CUDA_PROGRAMS)): %.$m: %.o $(O)/sim/libcudart.so.$m))
$(filter %/garbage.12 %/garbage.13,$(CUDA_PROGRAMS)): $(O)/tests/sim/garbage.o
$(CUDA_PROGRAMS):
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -Wl,-rpath-link,$(O):$(O)/sim -Wl,-rpath,'$$ORIGIN/../../../sim'

# Programs in Python, by way of numba and of cuda-bindings.
judge-peers: $(CUDA_DRIVER)
