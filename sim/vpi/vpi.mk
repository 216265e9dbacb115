# SPDX-License-Identifier: Apache-2.0
#
# The model behind the vpi device, in a library of its own that devices/vpi.c loads: nothing else
# needs Verilator or C++. Built once for all variants. Without Verilator, or if it does not build,
# all the rest does; `adicheck devices` says why there is no vpi.

VPI_DIR   := $(BUILD)/sim/vpi
VPI_MODEL := $(VPI_DIR)/libadivpi.so
VPI_FLAGS := -O2 -fPIC -I$(abspath sim/vpi) -DVL_VALUE_STRING_MAX_WORDS=2048
VPI_LDFLAGS := -shared -Wl,--no-undefined,--as-needed,-soname,libadivpi.so

all: $(VPI_MODEL)
$(PROGRAMS): | $(VPI_MODEL)

# The standard's own header, against which the test holds devices/api/vpi.h.
$(O)/tests/devices/vpi_model.o: EXTRA += $(addprefix -isystem ,$(addsuffix \
    /include/vltstd,$(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)))

# A single vector of a page is more than Verilator's VPI reads unless it is told so (VPI_FLAGS).
$(VPI_MODEL): sim/vpi/dma_memory.sv sim/vpi/shim.cc sim/vpi/vpi_map.h sim/vpi/vpi.mk \
              | $(filter deps,$(MAKECMDGOALS))
	$(Q)! command -v verilator > /dev/null || { echo '  VERILATE $<' && rm -rf $(VPI_DIR) && \
	    mkdir -p $(VPI_DIR) && verilator --cc --exe --build -j 2 --vpi --x-initial fast -Wall \
	    --top dma_memory -Mdir $(VPI_DIR)/model -o ../$(@F) -CFLAGS '$(VPI_FLAGS)' \
	    -MAKEFLAGS 'OPT_FAST=-O2 OPT_SLOW=-O1' -LDFLAGS '$(VPI_LDFLAGS)' \
	    $(abspath $(filter %.sv %.cc,$^)) > $(@:.so=.log) 2>&1; } || { rm -f $@; \
	    echo "left out: the vpi device, whose model does not build; see $(@:.so=.log)"; }

.PHONY: install-vpi
install-vpi: all
	$(Q)[ ! -e '$(VPI_MODEL)' ] || { install -d $(DESTDIR)$(LIBDIR)/adicheck && \
	    install -m 755 $(VPI_MODEL) $(DESTDIR)$(LIBDIR)/adicheck; }
