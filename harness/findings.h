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
struct adi_findings *adi_findings_of(struct adi_sink *sink);
/* Forgets what it holds: as a new one, of whose sink nobody knows. */
void adi_findings_clear(struct adi_findings *findings);
/* Appends what another list has. */
void adi_findings_append(struct adi_findings *findings, const struct adi_findings *more);

#endif /* ADI_FINDINGS_H */
