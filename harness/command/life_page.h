/* SPDX-License-Identifier: Apache-2.0
 *
 * The life cycle in words: docs/life-cycle.md is what this writes.
 */
#ifndef ADI_LIFE_PAGE_H
#define ADI_LIFE_PAGE_H

#include <stdio.h>

/* Writes the page, Markdown with a Mermaid state diagram. */
void adi_life_page(FILE *out);
/* Writes a line for each state in which an operation breaks the rule; nothing where there is none.
 */
void adi_life_explain(const char *rule, FILE *out);

#endif /* ADI_LIFE_PAGE_H */
