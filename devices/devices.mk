# SPDX-License-Identifier: Apache-2.0
#
# What a device needs beside its backend: the layers that the loaders of OpenCL and Vulkan take in.
# The program looks for them beside itself, one folder higher, and in ../lib/adicheck.

LAYERS         := devices/interceptor.c $(wildcard devices/layers/*.c)
LAYER_OBJECTS  := $(call objects,$(LAYERS) $(wildcard devices/opencl_layer/*.c))
VULKAN_LAYER_OBJECTS := $(call objects,$(LAYERS) $(wildcard devices/vulkan_layer/*.c))
OBJECTS        += $(sort $(LAYER_OBJECTS) $(VULKAN_LAYER_OBJECTS))

# The Vulkan loader reads every manifest of the folder that it is shown, so that one has nothing else.
VULKAN_LAYER := $(addprefix $(O)/vulkan/vulkan_layer,.so .json)

all $(O)/tests/unit: $(O)/opencl_layer.so $(VULKAN_LAYER)
# What a layer reads in a shader, and how it finds an object again, is tested by itself.
$(O)/tests/unit $(O)/proof/unit: $(call objects,devices/vulkan_layer/spirv.c devices/layers/tracked.c)
$(O)/opencl_layer.so: $(LAYER_OBJECTS)
$(O)/vulkan/vulkan_layer.so: $(VULKAN_LAYER_OBJECTS)
$(O)/%_layer.so:
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK_SO) -o $@ $^ $(LIBS)

# Where files are installed, if they are not found from where the program or the library lies.
$(O)/devices/installed.o: EXTRA = -DADI_LIBDIR='"$(LIBDIR)"'

# What the Vulkan loader reads of a layer.
define MANIFEST
{"file_format_version": "1.2.0",
 "layer": {"name": "VK_LAYER_ADICHECK_witness", "type": "GLOBAL", "api_version": "1.3.239",
           "library_path": "./vulkan_layer.so", "implementation_version": "1",
           "description": "adicheck's interceptor of the calls that reach Vulkan"}}
endef
export MANIFEST
$(O)/vulkan/vulkan_layer.json: devices/devices.mk
	$(Q)mkdir -p $(@D) && echo "$$MANIFEST" > $@

# The program of the hexagon device: in the instructions of Hexagon, by clang and lld whatever CC is.
# Without them, or if it does not build, all the rest does; `adicheck devices` says so.
HEXAGON_DSP     := $(O)/hexagon_dsp
HEXAGON_SOURCES := devices/hexagon/dsp.c devices/hexagon_heap.c
HEXAGON_FLAGS   := --target=hexagon-unknown-linux-musl -mcpu=hexagonv67 -std=c11 -O2 -ffreestanding \
                   -fno-stack-protector -nostdlib -static -fuse-ld=lld -iquote devices $(WARNINGS)
PUBLIC_HEADERS  += devices/hexagon_driver.h

all: $(HEXAGON_DSP)
$(PROGRAMS): | $(HEXAGON_DSP)

$(HEXAGON_DSP): $(HEXAGON_SOURCES) devices/hexagon_heap.h devices/hexagon_driver.h devices/devices.mk \
                | $(filter deps,$(MAKECMDGOALS))
	$(Q)mkdir -p $(@D) && ! { command -v clang && command -v ld.lld; } > /dev/null || \
	    clang $(HEXAGON_FLAGS) -o $@ $(HEXAGON_SOURCES) > $@.log 2>&1 || { rm -f $@; \
	    echo "left out: the DSPs of the hexagon device, whose program does not build; see $@.log"; }

.PHONY: install-hexagon
install: install-hexagon
install-hexagon: all
	$(Q)[ ! -e '$(HEXAGON_DSP)' ] || { install -d $(DESTDIR)$(LIBDIR)/adicheck && \
	    install -m 755 $(HEXAGON_DSP) $(DESTDIR)$(LIBDIR)/adicheck; }
