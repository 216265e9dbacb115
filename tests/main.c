/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the suites of suites.def, each test in a process of its own (CK_FORK=no for a debugger,
 * CK_RUN_SUITE=ref_type for one suite). Run it from the top of the source tree; ADI_TEST_BUILD
 * names the build directory that the adapters under test lie in.
 */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) Suite *name##_suite(void);
#include "suites.def"
#undef SUITE

/* Check itself would make them all: some open a device for that. */
static bool is_wanted(const char *suite) {
    const char *wanted = getenv("CK_RUN_SUITE");
    return wanted == NULL || strcmp(wanted, suite) == 0;
}

int main(void) {
    SRunner *runner = srunner_create(NULL);

#define SUITE(name)                                                                                \
    if (is_wanted(#name)) srunner_add_suite(runner, name##_suite());
#include "suites.def"
#undef SUITE

    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
