/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports point to: the documents behind a rule, the file that was judged.
 */
#ifndef ADI_LINKS_H
#define ADI_LINKS_H

#include "report.h"

#define ADI_URL_SIZE 256

/* The published page of the rule's section. false: its document is not published on its own. */
bool adi_link_rule(const struct adi_rule *rule, char out[ADI_URL_SIZE]);

/* The file that the findings are about, as a URI: what --source names, else the adapter, else this
 * program. Relative to the folder that the command was started in where it lies below that, escaped
 * as RFC 3986 asks. The caller frees it; NULL: out of memory. */
char *adi_link_judged(const struct adi_report *report);

#endif /* ADI_LINKS_H */
