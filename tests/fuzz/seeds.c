/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the files that the fuzzer `life` begins with of the programs in a text.
 *
 *   seeds TEXT FOLDER
 */
#include <errno.h>
#include <limits.h>

#include "life_seeds.h"

int main(int argc, char **argv) {
    FUZZ_REQUIRE(argc == 3, "usage: %s TEXT FOLDER", argv[0]);
    uint8_t bytes[ADI_PROGRAM_BYTES];
    char path[PATH_MAX];
    FILE *from = fopen(argv[1], "re");
    FUZZ_REQUIRE(from != NULL, "%s: %s", argv[1], strerror(errno));
    size_t count, made = 0;
    for (; life_seed_next(from, bytes, &count); made++) {
        snprintf(path, sizeof path, "%s/p%02zu", argv[2], made);
        FILE *to = fopen(path, "we");
        FUZZ_REQUIRE(to != NULL && fwrite(bytes, 1, count, to) == count && fclose(to) == 0,
                     "%s: %s", path, strerror(errno));
    }
    fclose(from);
    FUZZ_REQUIRE(made > 0, "%s: no program", argv[1]);
    return 0;
}
