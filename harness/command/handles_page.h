/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of handles in words: docs/handles.md is what this writes.
 */
#ifndef ADI_HANDLES_PAGE_H
#define ADI_HANDLES_PAGE_H

#include <stdio.h>

void adi_handles_page(FILE *out);

#endif /* ADI_HANDLES_PAGE_H */
