# SPDX-License-Identifier: Apache-2.0
#
# What a device needs beside its backend: the layer that the OpenCL loader takes in. The program
# looks for it beside itself, one folder higher, and in ../lib/adicheck.

LAYER_OBJECTS := $(call objects,$(wildcard devices/opencl_layer/*.c))
OBJECTS       += $(LAYER_OBJECTS)

all $(O)/tests/unit: $(O)/opencl_layer.so
$(O)/opencl_layer.so: $(LAYER_OBJECTS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK_SO) -o $@ $^ $(LIBS)
