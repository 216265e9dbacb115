# SPDX-License-Identifier: Apache-2.0
#
# What of ref/ and harness/ the tests reach. COV=1 is the variant that counts, in build/cov.

coverage: ## Lines and branches that the tests reach, as pages in build/coverage; fails below limits
	@ci/deps --check build test coverage
	$(Q)MAKE='$(MAKE)' tests/cov/coverage.sh $(BUILD)

.PHONY: coverage

ifdef COV
FLAGS   += -O0 --coverage -fprofile-update=atomic
LINK    += --coverage
LINK_SO += --coverage
$(O)/adicheck $(O)/calls/adicheck $(O)/tests/unit: $(O)/tests/cov/flush.o
$(O)/adicheck $(O)/calls/adicheck $(O)/tests/unit: LINK += -Wl,--wrap=_exit
$(O)/tests/harness/calls.o: EXTRA += -DSHARE=1
endif
