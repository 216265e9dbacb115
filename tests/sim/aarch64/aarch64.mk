# SPDX-License-Identifier: Apache-2.0
#
# The simulation on aarch64, on any machine: built across, played in QEMU. What is needed is in
# ci/deps, under `aarch64`.

AARCH64_BUILD  := $(BUILD)/aarch64
AARCH64_SUITES := $(shell sed -n 's/^SUITE(\(sim_.*\|devices_ext_dev\|devices_sim_interceptor\))$$/\1/p' \
    tests/suites.def) ref_export ref_import harness_guarded_input harness_handlers harness_watch

.PHONY: test-aarch64
test-aarch64: ## The simulation on aarch64: built across, played on Linux in QEMU (minutes)
	@ci/deps --check build aarch64
	@PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig \
	    $(MAKE) $(AARCH64_BUILD)/adicheck $(AARCH64_BUILD)/tests/unit BUILD=$(AARCH64_BUILD) \
	    CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ AR=aarch64-linux-gnu-ar SAN= WERROR=1
	$(Q)tests/sim/aarch64/run.sh $(AARCH64_BUILD) $(AARCH64_SUITES)
