/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: the predicates that the rows of the rules name, adi_holds_NAME for each
 * CHECK(NAME, how).
 */
#ifndef ADI_PREDICATES_H
#define ADI_PREDICATES_H

#include "rule.h"
#include "rules/rules.h"

#define CHECK(name, how) extern adi_predicate adi_holds_##name;
#define MONITOR(how)
#define CASE(how)
#define IN_PYTHON(how)
#define RULE(id, level, basis, party, where, since, statement, found, implies, mend) found
#include "rules/all.def"
#undef CHECK
#undef MONITOR
#undef CASE
#undef IN_PYTHON
#undef RULE

#endif /* ADI_PREDICATES_H */
