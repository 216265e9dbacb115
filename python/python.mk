# SPDX-License-Identifier: Apache-2.0
#
# The Python package. It is staged under build/python as it lies in the wheel, so that its tests run
# in the tree and setup.py only packs it. The command and the libraries lie where programs and the
# extension look for them: beside themselves.

PYTHON       ?= /usr/bin/python3
PYTHON_STAGE := $(O)/python/adicheck
PYTHON_CORE  := $(O)/_core.abi3.so

# Where Python.h lies; nothing where there is none, or Python is too old.
PYTHON_ASKED   = import os, sys, sysconfig; at = sysconfig.get_path("include"); \
                 print(at if sys.version_info >= (3, 11) and os.path.exists(at + "/Python.h") else "")
PYTHON_INCLUDE := $(shell $(PYTHON) -c '$(PYTHON_ASKED)' 2>/dev/null)

PYTHON_OBJECTS := $(call objects,$(wildcard python/src/*.c))
OBJECTS        += $(if $(PYTHON_INCLUDE),$(PYTHON_OBJECTS))
# Tables of Python's hold functions as void *.
$(PYTHON_OBJECTS): EXTRA = -isystem $(PYTHON_INCLUDE) -iquote python/src -Wno-pedantic
$(PYTHON_OBJECTS): | have-python

# What plays cases, without what writes reports and reads a command line: of that nothing is needed.
PYTHON_JUDGE := $(O)/python_judge.a
$(PYTHON_JUDGE): $(filter-out %/worker_handlers.o $(O)/harness/command/%,$(COMMAND_OBJECTS))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(PYTHON_CORE): $(PYTHON_OBJECTS) $(PYTHON_JUDGE) $(O)/libadicheck.a python/src/core.map
	$(call say,LD,$@)
	$(Q)$(LINK) -shared -Wl,--version-script=$(filter %.map,$^) -o $@ $(filter %.o %.a,$^) $(LIBS)

# All that the wheel carries, by its place in the package.
PYTHON_CARRIED := $(notdir $(wildcard python/adicheck/*.py*)) py.typed \
                  $(patsubst $(O)/%,%,$(PYTHON_CORE) $(O)/adicheck $(SIM_LIBRARY) $(CUDA_DRIVER) \
                      $(CUDART) $(HIP_DRIVER) $(HIP) $(METAL) $(ONEAPI) $(WEBGPU) \
                      $(O)/opencl_layer.so $(VULKAN_LAYER))
PYTHON_CARRIED := $(addprefix $(PYTHON_STAGE)/,$(PYTHON_CARRIED))

$(PYTHON_STAGE)/%: python/adicheck/%
	$(Q)install -D -m 644 $< $@
$(PYTHON_STAGE)/%: $(O)/%
	$(Q)install -D -m 755 $< $@
	$(Q)$(if $(SAN)$(filter %.json,$@),,strip -g $@)

.PHONY: python python-test python-wheel measure-python have-python
python: have-python $(PYTHON_CARRIED) | $(VPI_MODEL) $(HEXAGON_DSP) ## The Python package, in build/python
	$(Q)install -D -m 644 -t $(PYTHON_STAGE)/include/adicheck $(PUBLIC_HEADERS)
	$(Q)[ ! -e $(VPI_MODEL) ] || { install -D -m 755 $(VPI_MODEL) $(PYTHON_STAGE) && \
	    strip -g $(PYTHON_STAGE)/$(notdir $(VPI_MODEL)); }
	$(Q)[ ! -e $(HEXAGON_DSP) ] || install -D -m 755 $(HEXAGON_DSP) $(PYTHON_STAGE)

# (Here, as the list of peers comes before it is known whether there is Python.)
judge-peers: $(if $(PYTHON_INCLUDE),python)

have-python: | $(filter deps,$(MAKECMDGOALS))
	@[ -n '$(PYTHON_INCLUDE)' ] || { echo "no headers of Python 3.11 or later; type: make deps" >&2; exit 1; }

# The sanitizers have to be there before Python is.
PYTHON_ENV = $(if $(SAN),env LD_PRELOAD=$(shell $(CC) -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1)
python-test measure-python: export PYTHONDONTWRITEBYTECODE = 1
# Two defects that are planted in C, to be told as they are in Python.
PYTHON_PLANTED := $(addprefix $(O)/tests/mutants/,reserved_never_written.so dlpack_deleter_called_twice.so \
                  dlpack_bool_of_one_bit.so dlpack_lanes_unset.so dlpack_strides_null.so)
python-test: python $(if $(SAN),,$(PYTHON_PLANTED)) ## What the package does, without anything of others
	$(Q)PYTHONPATH=$(O)/python ADI_CUDA=sim $(if $(SAN),,ADI_PLANTED=$(abspath $(O)/tests/mutants)) \
	    python/tests/run.sh '$(strip $(PYTHON_ENV) $(PYTHON))' $(O)/python-log
	$(if $(SAN),,$(Q)PYTHONPATH=$(abspath $(O)/python) ADI_CUDA=sim $(PYTHON) tests/peers/python/matrix_test.py)

python-wheel: python ## The wheel in an environment of its own, without the source tree
	$(Q)PYTHON='$(PYTHON)' MAKE='$(MAKE)' python/tests/wheel.sh $(O)

# Beside numpy and pyarrow, if `make peers` has brought them.
PYTHON_PEERS = $(firstword $(wildcard $(BUILD)/peers/venv/bin/python) $(PYTHON))
measure-python: python
	$(Q)PYTHONPATH=$(O)/python $(PYTHON_PEERS) python/tests/bench.py

# A copy whose judge can be blinded to a rule: docs/proof.md.
.PHONY: blind-python
blind-python: $(O)/proof/_core.abi3.so python ## Mutants of the judge in Python (RULES="ID ...": these alone)
	$(Q)mkdir -p $(O)/proof/python && cp -a $(PYTHON_STAGE) $(O)/proof/python && \
	    cp $< $(O)/proof/python/adicheck
	$(Q)PYTHON='$(PYTHON)' tests/proof/in_python.py $(O) $(RULES)

$(O)/proof/_core.abi3.so: $(PYTHON_OBJECTS) $(PYTHON_JUDGE) $(PROOF_OBJECTS) $(O)/libadicheck.a python/src/core.map
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK) $(shell tests/proof/wraps.sh) -shared -Wl,--version-script=$(filter %.map,$^) \
	    -o $@ $(filter %.o %.a,$^) $(LIBS)

