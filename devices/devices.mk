# SPDX-License-Identifier: Apache-2.0
#
# What a device needs beside its backend: the layers that the loaders of OpenCL and Vulkan take in.
# The program looks for them beside itself, one folder higher, and in ../lib/adicheck.

LAYER_OBJECTS  := $(call objects,$(wildcard devices/opencl_layer/*.c))
VULKAN_LAYER_OBJECTS := $(call objects,$(wildcard devices/vulkan_layer/*.c))
OBJECTS        += $(LAYER_OBJECTS) $(VULKAN_LAYER_OBJECTS)

all $(O)/tests/unit: $(O)/opencl_layer.so $(O)/vulkan_layer.so $(O)/vulkan_layer.json
$(O)/opencl_layer.so: $(LAYER_OBJECTS)
$(O)/vulkan_layer.so: $(VULKAN_LAYER_OBJECTS)
$(O)/%_layer.so:
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK_SO) -o $@ $^ $(LIBS)

$(O)/vulkan_layer.json: devices/vulkan_layer.json
	$(Q)mkdir -p $(@D) && cp $< $@
