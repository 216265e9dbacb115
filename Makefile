# SPDX-License-Identifier: Apache-2.0
#
# adicheck. `make help` lists what can be asked for.
#
#   V=1        show the commands; make -s: only what went wrong, and results
#   SAN=1      a variant with AddressSanitizer, UBSan and LeakSanitizer, in build/san
#   SAN=thread a variant with ThreadSanitizer, in build/tsan: make check plays what has threads
#   CC=clang   a variant by another compiler, in build/clang (with SAN=1: build/clang-san)
#   WERROR=1   warnings are errors
#   SHORT=1    make check leaves out the long suites, make test the model and Python under a sanitizer
#   SANITIZED  the variant of make check that make test plays under a sanitizer: "CC=gcc SHORT=1"
#   FUZZ=1     a variant for the fuzzers (make fuzz)

VERSION := 0.1.0
SOMAJOR := 0
PREFIX  ?= /usr/local
BUILD   ?= build
CFLAGS  ?= -O2 -g

ifeq ($(origin CC),default)
CC := gcc
endif

# ---- where things go ----

THREAD  := $(filter thread,$(SAN))
variant := $(strip $(if $(findstring afl,$(notdir $(CC))),afl,$(findstring clang,$(notdir $(CC)))) \
                   $(if $(SAN),$(if $(THREAD),tsan,san)) $(if $(FUZZ),fuzz) $(if $(COV),cov))
O       := $(BUILD)$(addprefix /,$(subst $() ,-,$(variant)))
Q       := $(if $(V),,@)
say     = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $(1) $(2)")

# ---- what there is ----

ROOMS   := ref devices harness $(patsubst %/,%,$(wildcard harness/*/))
SOURCES := $(wildcard $(addsuffix /*.c,$(ROOMS)))
SIM_ROOMS := $(sort sim $(patsubst %/,%,$(wildcard sim/*/ sim/*/*/)))

# What is the command's only: it alone may use popt, jansson and libxml2. The library needs libc.
COMMAND_SOURCES := $(filter $(addprefix harness/,play/% run/% report/% command/%),$(SOURCES))
COMMAND_PKGS    := popt jansson libxml-2.0
PUBLIC_HEADERS  := ref/abi.h ref/dlpack_abi.h ref/device.h ref/error.h ref/type_string.h \
                   ref/cuda_array_interface.h harness/adapter.h harness/adapter_stream.h \
                   harness/adicheck.h sim/vpi/vpi_map.h

TEST_SOURCES := $(wildcard tests/*.c tests/ref/*.c tests/devices/*.c tests/harness/*.c \
                           tests/sim/*.c) \
                $(filter-out %/entry.c %/rate.c %/seeds.c,$(wildcard tests/fuzz/*.c))
ADAPTER_SOURCES := $(wildcard tests/mutants/*.c tests/hostile/*.c tests/adapters/*.c tests/icd/*.c)
ADAPTER_SOURCES += $(if $(shell command -v $(CXX)),$(wildcard tests/mutants/*.cc))

objects  = $(patsubst %,$(O)/%.o,$(basename $(1)))
adapters = $(patsubst %,$(O)/%.so,$(basename $(1)))
LIBRARY_OBJECTS := $(call objects,$(filter-out $(COMMAND_SOURCES),$(SOURCES)))
COMMAND_OBJECTS := $(call objects,$(COMMAND_SOURCES))
TEST_OBJECTS    := $(call objects,$(TEST_SOURCES))
BASE_OBJECTS    := $(call objects,$(wildcard tests/mutants/base/*.c))
BASED_ON := $(filter-out base,$(notdir $(patsubst %/adapter.c,%,$(wildcard tests/mutants/*/adapter.c)))) # with a base of their own
device_base = $(call objects,$(wildcard tests/mutants/device/*.c tests/mutants/$(1)/*.c))
DEVICE_BASE_OBJECTS := $(sort $(foreach d,$(BASED_ON),$(call device_base,$d)))
# tests/mutants/any/NAME.c is one defect for each device DEVICE with a row DEVICE_NAME and no file of that
# name: it is compiled once, and linked with the base of each.
ANY      := $(patsubst tests/mutants/any/%.c,%,$(wildcard tests/mutants/any/*.c))
ANY_ROWS := $(filter $(foreach d,$(BASED_ON),$(addprefix $d_,$(ANY))), \
              $(shell sed -nE 's/^(MUTANT|ODD).([a-z0-9_]+),.*/\2/p' tests/mutants/mutants.def))
ANY_ADAPTERS    := $(filter-out $(call adapters,$(ADAPTER_SOURCES)),$(ANY_ROWS:%=$(O)/tests/mutants/%.so))
ANY_OBJECTS     := $(ANY:%=$(O)/tests/mutants/any/%.o)
ADAPTER_OBJECTS := $(call objects,$(ADAPTER_SOURCES))
BENCH_OBJECTS   := $(call objects,$(filter-out %/no_streams.c,$(wildcard tests/bench/*.c)))
NO_STREAMS      := $(O)/tests/bench/no_streams.o
PROOF_OBJECTS   := $(call objects,$(wildcard tests/proof/*.c))
OBJECTS := $(LIBRARY_OBJECTS) $(COMMAND_OBJECTS) $(TEST_OBJECTS) $(BASE_OBJECTS) \
           $(DEVICE_BASE_OBJECTS) $(ADAPTER_OBJECTS) $(ANY_OBJECTS) $(BENCH_OBJECTS) $(NO_STREAMS) $(PROOF_OBJECTS)

ADAPTERS := $(ADAPTER_OBJECTS:.o=.so) $(ANY_ADAPTERS)
PROGRAMS := $(addprefix $(O)/,adicheck tests/unit tests/bench/bench proof/adicheck proof/unit \
            bench/adicheck)
SHARED   := $(O)/libadicheck.so.$(VERSION)
SONAME   := libadicheck.so.$(SOMAJOR)

# ---- how it is compiled ----

WARNINGS  := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
SANITIZE  := $(if $(THREAD),-fsanitize=thread,-fsanitize=address -fsanitize=undefined \
             -fno-sanitize-recover=undefined) -fno-omit-frame-pointer
KINDS     := $(if $(SAN),$(SANITIZE)) $(if $(FUZZ),-fsanitize=fuzzer-no-link)
FLAGS     := -std=c11 -D_GNU_SOURCE -DADI_VERSION=\"$(VERSION)\" -fPIC -fvisibility=hidden \
             $(addprefix -iquote ,$(ROOMS) $(SIM_ROOMS)) -pthread $(WARNINGS) \
             $(if $(WERROR),-Werror) $(KINDS) $(CFLAGS)
LINK      := $(CC) -pthread $(KINDS) $(CFLAGS) $(LDFLAGS)
LINK_SO   := $(LINK) -shared $(if $(SAN),,-Wl,--no-undefined)
LIBS      := -ldl -lpthread
pkg       = $(shell pkg-config --$(1) $(2) 2>/dev/null)

MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all deps run test model schedules test-bare test-full test-load check docs mutants proof verdicts verdicts-diff peers judge-peers \
        bench bounded measure fuzz fuzzers rate lint circles format everything install clean help have-build force

all: $(O)/include/adicheck
all: $(O)/adicheck $(O)/libadicheck.so $(O)/libadicheck.a ## The command and the libraries (default)

$(PROGRAMS): $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
$(O)/adicheck $(O)/proof/adicheck $(O)/bench/adicheck: $(COMMAND_OBJECTS)
$(O)/adicheck $(O)/proof/adicheck $(O)/bench/adicheck: LIBS += $(call pkg,libs,$(COMMAND_PKGS))

$(O)/libadicheck.a: $(LIBRARY_OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(SHARED): $(LIBRARY_OBJECTS)
	$(call say,LD,$@)
	$(Q)$(LINK_SO) -Wl,-soname,$(SONAME) -o $@ $^ $(LIBS)

$(O)/libadicheck.so: $(SHARED)
	$(Q)ln -sf $(<F) $(O)/$(SONAME) && ln -sf $(SONAME) $@

define COMPILE
$(call say,CC,$<)
$(Q)mkdir -p $(@D) && $(CC) $(FLAGS) $(EXTRA) -MMD -MP -c -o $@ $<
endef

$(O)/%.o: %.c $(O)/flags
	$(COMPILE)

define any_of
$(O)/tests/mutants/$(1)_%.so: $(O)/tests/mutants/any/%.o $(O)/libadicheck.a
	$$(LINK_ADAPTER)
endef
$(foreach d,$(BASED_ON),$(eval $(call any_of,$d)))

$(O)/tests/mutants/%.o: tests/mutants/%.cc $(O)/flags
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) -std=c++11 -I harness -I ref \
	    $(filter-out -std=% -Wstrict-prototypes -Wshadow,$(FLAGS)) -MMD -MP -c -o $@ $<

$(COMMAND_OBJECTS): EXTRA = $(call pkg,cflags,$(COMMAND_PKGS))
$(COMMAND_OBJECTS): | have-build
$(ADAPTER_OBJECTS) $(ANY_OBJECTS) $(BASE_OBJECTS) $(DEVICE_BASE_OBJECTS): EXTRA = -I harness -I ref
$(TEST_OBJECTS): EXTRA = -iquote tests $(call pkg,cflags,check $(COMMAND_PKGS))

# The texts of `adicheck new`: an array of lines for each file, without the licence of a template.
NEW_TEXTS := $(wildcard harness/command/new/*)
$(O)/harness/command/new_frames.o: $(O)/harness/command/new_texts.inc
$(O)/harness/command/new_frames.o: EXTRA += -iquote $(O)/harness/command
$(O)/harness/command/new_texts.inc: $(NEW_TEXTS) Makefile
	$(Q)mkdir -p $(@D) && for text in $(NEW_TEXTS); do \
	    name=$${text##*/}; name=$$(echo "$${name%.in}" | tr A-Z. a-z_); \
	    echo "static const char *const $$name[] = {"; \
	    sed 's/[\\"]/\\&/g; s/.*/    "&\\n",/' "$$text" | case $$text in *.in) sed 1d ;; *) cat ;; esac; \
	    echo '    NULL};'; \
	done > $@

# Everything is compiled again when the flags change. Under `make deps ...` nothing starts earlier.
$(O)/flags: force | $(filter deps,$(MAKECMDGOALS))
	@mkdir -p $(@D); echo '$(CC) $(FLAGS) $(LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(FLAGS) $(LDFLAGS)' > $@

have-build: | $(filter deps,$(MAKECMDGOALS))
	@ci/deps --check build

# ---- running and testing ----

deps: ## Install what is missing from the distribution's packages (as root or by sudo)
	@ci/deps

run: all ## Let the reference judge itself; the reports go to build/report.json and .xml
	$(Q)$(O)/adicheck run --json $(O)/report.json --junit $(O)/report.xml

PYTHON_SANITIZED = $(if $(SHORT),echo "python-test SAN=1: left out; it is long",$(MAKE) python-test CC=gcc SAN=1)

test: | $(filter deps,$(MAKECMDGOALS)) ## Everything that must hold
	@ci/deps --check build devices test
	@$(MAKE) check
	@$(MAKE) check SAN=1 $(or $(SANITIZED),CC=gcc $(if $(ADI_TEST_FULL),,SHORT=1))
	$(Q)tests/deps.sh
	$(Q)tests/proof/verdicts_test.py
	$(Q)tests/peers/changes_test.py
	$(Q)tests/peers/listed_test.py
	$(Q)tests/peers/foreign/suites_test.py $(O)
	$(Q)tests/documented_test.py
	$(Q)tests/documented.py $(O)
	$(Q)tests/proof/replays.py $(O) --one-a-rule
	$(Q)tests/proof/replays.py $(O) --programs 'async_c*' 'async_e*'
	$(Q)tests/predicates.py $(O) --few
	$(Q)tests/ref/include_matrix.sh
	@$(if $(SHORT),echo "model: left out; it is long",$(MAKE) model)
	$(Q)tests/readme.sh $(O)
	$(Q)tests/help.sh $(O)
	$(Q)CC='$(CC)' CXX='$(CXX)' tests/new/declarations.sh $(O)
	$(Q)tests/new/frames.sh $(O)
	$(Q)MAKE='$(MAKE)' CC='$(CC)' tests/toy.sh $(O) $(COMMAND_OBJECTS)
	$(Q)MAKE='$(MAKE)' CC='$(CC)' tests/box.sh $(O)
	$(Q)tests/examples.sh $(O)
	$(Q)MAKE='$(MAKE)' CC='$(CC)' tests/install.sh $(VERSION)
	$(Q)MAKE='$(MAKE)' tests/musl.sh $(O)
	@$(if $(PYTHON_INCLUDE),$(MAKE) python-test && $(PYTHON_SANITIZED) && \
	    $(MAKE) python-wheel,echo "python: left out; it needs python3-dev")

test-full: ## The same with more of everything that is done by repetition
	@ADI_TEST_FULL=1 $(MAKE) test
	@ci/deps --check fuzz
	@ADI_TEST_FULL=1 $(MAKE) check CC=clang SAN=1
	@$(MAKE) test-load
	@$(MAKE) schedules
	$(Q)tests/fuzz/oss_fuzz.sh

# Every schedule with two turns, and 10,000 drawn ones: the reference, what is odd, and what is planted for them.
SCHEDULED := $(shell sed -nE 's/^MUTANT.([a-z_]+),.*many.async-scheduled.*/\1/p' tests/mutants/mutants.def)
# Of what is odd, those that ask for the schedule, whose threads block at its points alone, and that are quick.
ODD_PRODUCERS := $(filter-out odd_async_on_its_own odd_async_one_lock odd_async_thread_each \
    odd_async_releases_late odd_async_refuses_tasks odd_async_blocks_elsewhere, \
    $(shell sed -nE 's/^ODD.(odd_async[a-z_]*), "[^ ]*many.@?.?async\*.*/\1/p' tests/mutants/mutants.def))
ODD_CONSUMERS := $(addprefix odd_async_consumer_,kept later asks_for_all cancels)
schedules: all $(ADAPTERS) ## Every schedule of asynchronous streams, and 10,000 drawn ones
	$(Q)tests/schedules.sh $(O) produce odd_async odd_async_cancel_once \
	    $(addsuffix +,$(filter-out odd_async odd_async_cancel_once,$(ODD_PRODUCERS))) -- $(SCHEDULED)
	$(Q)tests/schedules.sh $(O) consume $(ODD_CONSUMERS)
	$(Q)tests/predicates.py $(O)

test-bare: ## The README's commands on a minimal Debian 12, in a folder (as root; SUITE=trixie, noble)
	$(Q)tests/bare.sh $(or $(SUITE),bookworm) $(BUILD)/bare

test-load: all $(ADAPTERS) ## Nobody is blamed on a busy machine: 20 processes keep two processors busy
	$(Q)tests/load.sh $(O) $(EVERY)

check: all $(if $(THREAD),,$(ADAPTERS)) # One variant: unit tests, planted defects, hostile adapters
	@if ci/deps --has check; then $(MAKE) $(O)/tests/unit && \
	    echo "  RUN $(O)/tests/unit" && tests/run.sh $(O) $(or $(THREAD),$(if $(SHORT),short)); fi

$(O)/tests/unit $(O)/proof/unit: $(TEST_OBJECTS) $(filter-out %/main.o,$(COMMAND_OBJECTS))
$(O)/tests/unit $(O)/proof/unit: LIBS += $(call pkg,libs,check $(COMMAND_PKGS))
# tests/ref/failing.c lets memory run out.
$(O)/tests/unit $(O)/proof/unit: LIBS += \
    $(addprefix -Xlinker --wrap=,malloc calloc realloc strdup posix_memalign free)

# An adapter takes from the library only what it calls, and shows one symbol.
define LINK_ADAPTER
$(call say,LD,$@)
$(Q)mkdir -p $(@D) && $(LINK_SO) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
endef
$(ADAPTER_OBJECTS:.o=.so): %.so: %.o $(O)/libadicheck.a
	$(LINK_ADAPTER)
$(filter-out $(foreach d,$(BASED_ON),$(O)/tests/mutants/$d_%), \
    $(filter $(O)/tests/mutants/%,$(ADAPTERS))): $(BASE_OBJECTS)
$(foreach d,$(BASED_ON),$(eval $(filter $(O)/tests/mutants/$d_%,$(ADAPTERS)): $(call device_base,$d)))
$(O)/tests/adapters/late_once.so: $(call device_base,metal)
$(patsubst %.cc,$(O)/%.so,$(filter %.cc,$(ADAPTER_SOURCES))): LIBS += -lstdc++

docs: $(O)/adicheck ## Write docs/life-cycle.md and docs/handles.md from their tables
	$(Q)$(O)/adicheck list life > docs/life-cycle.md
	$(Q)$(O)/adicheck list handles > docs/handles.md

# What is built and run in a way of its own brings its rules.
include devices/devices.mk tests/proof/proof.mk tests/peers/peers.mk tests/calls/calls.mk \
        tests/model/model.mk tests/cov/cov.mk tests/fuzz/fuzz.mk sim/sim.mk $(sort $(wildcard sim/*/*.mk)) \
        tests/sim/aarch64/aarch64.mk python/python.mk

bench: | $(filter peers,$(MAKECMDGOALS)) ## What export, import, release and streams cost; how soon a run ends
	@$(MAKE) measure
	@$(if $(PYTHON_INCLUDE),$(MAKE) measure-python)
	@$(MAKE) bounded

measure: $(O)/tests/bench/bench $(PEER_BENCHES) | $(O)/opencl_layer.so
	$(Q)ADI_HEXAGON=$(O)/hexagon_dsp ADI_METAL=$(abspath $(O))/sim/libMetal.so $^

bounded: $(O)/adicheck $(O)/bench/adicheck $(patsubst tests/%.c,$(O)/tests/%.so,$(wildcard tests/hostile/*_everywhere.c) \
         tests/hostile/open_hangs.c)
	$(Q)tests/bench/bounded.sh $(O)

$(O)/tests/bench/bench: $(BENCH_OBJECTS)
$(O)/bench/adicheck: $(NO_STREAMS)
$(O)/bench/adicheck: LINK += -Wl,--wrap=adi_reference_adapter

# ---- keeping it clean ----

MOST_CIRCLES := 0

STYLED = $(wildcard $(foreach d,$(ROOMS) python/src devices/* sim sim/* sim/*/* tests tests/* tests/*/*,$(addprefix $d/*.,c h cc)))

# Where warnings are errors anyway (.ci/run), what gcc, and clang for its sanitizers, have compiled is not
# compiled again.
LINTED := $(if $(WERROR),$$([ $$cc = gcc ] || echo SAN=1),BUILD=$(BUILD)/lint)
lint: ## Format, static analysis, warnings as errors with gcc and clang, tidiness
	@ci/deps --check build lint
	$(Q)tests/lint.sh '$(ROOMS)' $(STYLED)
	@for cc in gcc clang; do command -v $$cc >/dev/null || continue; \
	    $(MAKE) everything circles CC=$$cc WERROR=1 $(LINTED) || exit; done

everything: $(OBJECTS)
# Files that cannot be read one without the other; WHY=1 says what each needs of which.
circles: $(foreach room,ref harness devices sim python,$(filter $(O)/$(room)/%,$(OBJECTS)))
	$(Q)tests/circles.py $(O) --most $(MOST_CIRCLES) $(if $(WHY),--why)
format: ## Bring every C and C++ file into format
	$(Q)clang-format -i $(STYLED)

# ---- installing ----

BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man

# The headers as they are installed, so that an adapter is compiled in the tree as anywhere else.
$(O)/include/adicheck: $(PUBLIC_HEADERS) Makefile
	$(Q)mkdir -p $@ && ln -srf $(PUBLIC_HEADERS) $@ && touch $@

install: all install-vpi ## Command, libraries, headers, adicheck.pc, man page (PREFIX, DESTDIR)
	$(Q)install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/adicheck/vulkan $(LIBDIR)/pkgconfig \
	    $(INCLUDEDIR)/adicheck \
	    $(MANDIR)/man1)
	$(Q)install -m 755 $(O)/adicheck $(DESTDIR)$(BINDIR)
	$(Q)install -m 644 $(SHARED) $(O)/libadicheck.a $(DESTDIR)$(LIBDIR)
	$(Q)install -m 644 $(O)/opencl_layer.so $(DESTDIR)$(LIBDIR)/adicheck
	$(Q)install -m 644 $(VULKAN_LAYER) $(DESTDIR)$(LIBDIR)/adicheck/vulkan
	$(Q)ln -sf $(notdir $(SHARED)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libadicheck.so
	$(Q)install -m 644 $(PUBLIC_HEADERS) $(DESTDIR)$(INCLUDEDIR)/adicheck
	$(Q)install -m 644 docs/adicheck.1 $(DESTDIR)$(MANDIR)/man1
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@LIBS@|$(LIBS)|' \
	    -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' harness/adicheck.pc.in \
	    > $(DESTDIR)$(LIBDIR)/pkgconfig/adicheck.pc

clean: ## Take away build/
	$(Q)rm -rf $(BUILD)

help: ## This list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@sed -nE 's/^#   (make )?/  make /p' $(MAKEFILE_LIST)

-include $(OBJECTS:.o=.d)
