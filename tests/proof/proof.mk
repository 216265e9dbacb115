# SPDX-License-Identifier: Apache-2.0
#
# Judging the judge: docs/proof.md.

mutants: all $(ADAPTERS) $(O)/tests/unit $(O)/proof/adicheck $(O)/proof/unit ## Kill matrix, mutants of the judge
	$(Q)tests/proof/kills.py $(O) && tests/proof/judge.py $(O)
	$(Q)tests/proof/fuzz.py $(O)
	$(Q)tests/proof/doctored.py $(O)
	@$(MAKE) proof

proof: ## docs/proof.md, from what is in build/proof
	$(Q)tests/proof/page.py $(O) docs/proof.md

# The command and the unit tests once more, with a switch that blinds them to a rule.
$(O)/proof/adicheck $(O)/proof/unit: $(PROOF_OBJECTS)
$(O)/proof/adicheck $(O)/proof/unit: LINK += $(shell tests/proof/wraps.sh)
