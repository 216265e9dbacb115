/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: the sink behind the library's list of findings.
 */
#ifndef ADI_FINDINGS_H
#define ADI_FINDINGS_H

#include "adicheck.h"
#include "finding.h"

/* What is reported to it is appended to the list; from any thread and from signal handlers. The
 * sink is the list's. */
struct adi_sink *adi_findings_sink(struct adi_findings *findings);

#endif /* ADI_FINDINGS_H */
