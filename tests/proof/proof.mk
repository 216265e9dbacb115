# SPDX-License-Identifier: Apache-2.0
#
# Judging the judge: docs/proof.md.

mutants: all $(ADAPTERS) $(O)/tests/unit $(O)/proof/adicheck $(O)/proof/unit ## Kill matrix, mutants of the judge
	$(Q)tests/proof/kills.py $(O) && tests/proof/judge.py $(O)
	@$(if $(PYTHON_INCLUDE),$(MAKE) blind-python,echo "blind-python: left out; it needs python3-dev")
	$(Q)tests/proof/fuzz.py $(O)
	$(Q)tests/proof/replays.py $(O)
	$(Q)tests/proof/replays.py $(O) --programs
	$(Q)tests/proof/doctored.py $(O)
	@$(MAKE) proof

.PHONY: proof-of seeds
proof-of: all $(MUTANTS:%=$(O)/tests/mutants/%.so) $(O)/proof/adicheck $(O)/proof/unit ## Rows of docs/proof.md alone (MUTANTS="NAME ...")
	$(if $(MUTANTS),,$(error MUTANTS="NAME ..." says which))
	$(Q)tests/proof/unpage.py $(O) docs/proof.md
	$(Q)for tool in kills judge fuzz; do tests/proof/$$tool.py $(O) $(MUTANTS) || exit; done
	@$(MAKE) proof

SEEDS := 1-200
seeds: all $(ADAPTERS) ## Each planted defect over many seeds (SEEDS=1-200, MUTANTS="GLOB ...")
	$(Q)tests/proof/seeds.py $(O) $(SEEDS) $(foreach name,$(MUTANTS),'$(name)')

proof: ## docs/proof.md, from what is in build/proof
	$(Q)tests/proof/page.py $(O) docs/proof.md

# The verdict table: ADAPTER='cuda_*' and DEVICE='opencl*' play a part of it.
verdicts: all $(ADAPTERS) ## What is said of each adapter of the tests (ADAPTER=GLOB, DEVICE=GLOB)
	$(Q)tests/proof/verdicts.py $(O) $(if $(ADAPTER),--adapters '$(ADAPTER)') \
	    $(if $(DEVICE),--devices '$(DEVICE)')

verdicts-diff: verdicts ## Fails if that is not what was kept, but for rows excused with a reason
	$(Q)tests/proof/verdicts_diff.py tests/proof/verdicts.tsv $(O)/proof/verdicts.tsv \
	    tests/proof/excused.tsv

# The command and the unit tests once more, with a switch that blinds them to a rule.
$(O)/proof/adicheck $(O)/proof/unit: $(PROOF_OBJECTS)
$(O)/proof/adicheck $(O)/proof/unit: LINK += $(shell tests/proof/wraps.sh)
