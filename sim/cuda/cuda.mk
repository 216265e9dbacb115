# SPDX-License-Identifier: Apache-2.0
#
# The simulated CUDA driver: NVIDIA's file name and symbols, in a folder of its own so that it never
# stands before a real one by accident. It finds the engine in the folder above.

CUDA_OBJECTS := $(call objects,$(wildcard sim/cuda/*.c))
OBJECTS      += $(CUDA_OBJECTS)
CUDA_DRIVER  := $(O)/sim/libcuda.so.1
CUDA         := $(CUDA_DRIVER)

all check $(O)/tests/unit: $(CUDA)

# It has threads' ends to look after: it stays once it was loaded.
CUDA_LINK = $(LINK_SO) -Wl,-z,nodelete -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN:$$ORIGIN/..'

$(CUDA_DRIVER): $(CUDA_OBJECTS) | $(SIM_LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CUDA_LINK) -o $@ $^ $(SIM_LIBRARY) $(LIBS)
	$(Q)ln -sf $(@F) $(@D)/libcuda.so

.PHONY: install-cuda
install: install-cuda
install-cuda: $(CUDA)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/adicheck/sim
	$(Q)install -m 755 $^ $(DESTDIR)$(LIBDIR)/adicheck/sim
