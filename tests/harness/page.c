/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void expect_page(const char *path, void (*write)(FILE *to)) {
    char *made = NULL;
    size_t length = 0;
    FILE *page = open_memstream(&made, &length);
    write(page);
    fclose(page);
    FILE *committed = fopen(path, "r");
    ck_assert_msg(committed != NULL, "%s: `make docs` writes it", path);
    char *text = calloc(length + 2, 1);
    size_t read = fread(text, 1, length + 1, committed);
    fclose(committed);
    ck_assert_msg(read == length && memcmp(text, made, length) == 0,
                  "%s is out of date: `make docs`", path);
    free(text);
    free(made);
}
