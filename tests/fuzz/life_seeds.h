/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs of tests/fuzz/life.seeds, a line each; lines that begin with # are left out.
 */
#ifndef ADI_TESTS_FUZZ_LIFE_SEEDS_H
#define ADI_TESTS_FUZZ_LIFE_SEEDS_H

#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "program.h"

/* The next program as the bytes that the fuzzer takes; false: that was the last. What is no program
 * ends the process. */
static inline bool life_seed_next(FILE *from, uint8_t bytes[ADI_PROGRAM_BYTES], size_t *count) {
    static char line[ADI_PROGRAM_TEXT];
    static struct adi_program program;
    struct adi_error error = {""};
    do
        if (fgets(line, sizeof line, from) == NULL) return false;
    while (line[0] == '#');
    line[strcspn(line, "\n")] = '\0';
    FUZZ_REQUIRE(adi_program_parse(line, &program, &error) == 0, "%s: %s", line, error.text);
    *count = adi_program_bytes(&program, bytes);
    return true;
}

#endif /* ADI_TESTS_FUZZ_LIFE_SEEDS_H */
