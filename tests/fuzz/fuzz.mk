# SPDX-License-Identifier: Apache-2.0
#
# The fuzzers. Part of the Makefile at the top.

FUZZERS := $(shell sed -n 's/^FUZZER(\(.*\))$$/\1/p' tests/fuzz/fuzzers.def)
LIB_FUZZING_ENGINE ?= -fsanitize=fuzzer
FUZZ_LD ?= $(LINK)

fuzz: ## Fuzz for TIME=60 seconds in all on all cores, with ENGINE=libfuzzer or afl
	@ci/deps --check build fuzz
	$(Q)MAKE='$(MAKE)' BUILD=$(BUILD) tests/fuzz/run.sh $(or $(ENGINE),libfuzzer) $(or $(TIME),60) $(FUZZERS)

# What these compare is of no use to who looks for inputs.
UNTRACED := ref/% harness/play/% harness/watch/% harness/report/nearest.o tests/fuzz/life%
$(filter $(addprefix $(O)/,$(UNTRACED)),$(OBJECTS)): \
    EXTRA += $(if $(FUZZ),$(if $(findstring clang,$(notdir $(CC))),-fno-sanitize-coverage=trace-cmp))

OBJECTS += $(O)/tests/fuzz/rate.o $(O)/tests/fuzz/seeds.o
rate: $(O)/fuzz/rate $(O)/fuzz/seeds/life

fuzzers: $(FUZZERS:%=$(O)/fuzz/%) $(FUZZERS:%=$(O)/fuzz/seeds/%)

# From an archive, so that a fuzzer needs the libraries of what it calls only: none.
$(O)/fuzz/lib.a: $(filter $(O)/tests/fuzz/%,$(filter-out %/corpus.o,$(TEST_OBJECTS))) \
                 $(filter-out $(O)/harness/command/main.o,$(COMMAND_OBJECTS))
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# tests/fuzz/rate.c takes the monitor away.
$(O)/fuzz/rate: LIBS += $(addprefix -Xlinker --wrap=adi_monitor_,judge pending moved waited enter leave finish)
$(O)/fuzz/rate: $(O)/tests/fuzz/rate.o $(O)/fuzz/lib.a $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# What each begins with.
$(O)/fuzz/seeds/%: tests/fuzz/corpus/%
	$(Q)rm -rf $@ && mkdir -p $(@D) && cp -R $< $@

$(O)/fuzz/seeds/life: tests/fuzz/life.seeds $(O)/fuzz/seeds_of
	$(Q)rm -rf $@ && mkdir -p $@ && $(O)/fuzz/seeds_of $< $@

$(O)/fuzz/seeds_of: $(O)/tests/fuzz/seeds.o $(O)/fuzz/lib.a $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(FUZZERS:%=$(O)/fuzz/%): tests/fuzz/entry.c $(O)/fuzz/lib.a $(O)/libadicheck.a
	$(call say,LD,$@)
	$(Q)$(CC) $(FLAGS) -DADI_FUZZER=$(@F) -c -o $@.o $<
	$(Q)$(FUZZ_LD) $(LIB_FUZZING_ENGINE) -o $@ $@.o $(filter %.a,$^) $(LIBS)
