/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of docs/ that `make docs` writes.
 */
#ifndef ADI_TESTS_PAGE_H
#define ADI_TESTS_PAGE_H

#include <stdio.h>

/* The committed page is what `write` writes. */
void expect_page(const char *path, void (*write)(FILE *to));

#endif /* ADI_TESTS_PAGE_H */
