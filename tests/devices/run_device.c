/* SPDX-License-Identifier: Apache-2.0 */
#include "run_device.h"

#include <stdio.h>

#include "harness/shell.h"

#define BOTH "$A run --case int32/nulls/export --device '@(cpu|%s)*' "

void expect_absent(const char *name, const char *settings, const char *why) {
    char line[1024], words[512];
    snprintf(words, sizeof words, "%-18snone   %s|cpu:-1            found|conformant", name, why);
    snprintf(line, sizeof line, "echo text > text; export %s; $A devices && " BOTH, settings, name);
    expect(line, 0, words);
    snprintf(line, sizeof line, "export %s; " BOTH "--require %s", settings, name, name);
    expect(line, 2, "undecided: a required device is missing");
}

void expect_hang_is_left(const char *name, const char *settings) {
    char line[512];
    snprintf(line, sizeof line, "export %s; " BOTH "--timeout 1", settings, name);
    expect(line, 0, "looking for it: |did not |conformant");
}

void expect_by_policy(int policy, const char *mutant, const char *test_case, const char *words) {
    static const char *const policies[POLICIES] = {"lazy", "eager", "random"};
    char line[512];
    snprintf(line, sizeof line, "ADI_SIM_POLICY=%s $A run $B/tests/mutants/%s.so --case %s",
             policies[policy], mutant, test_case);
    expect(line, 1, words);
}

void expect_no_blame(const char *line, const char *why) {
    char kept[1024];
    snprintf(kept, sizeof kept, "%s > said; test $? -eq 2 || { cat said; false; }", line);
    expect(kept, 0, "");
    expect("grep -c '^error' said; tail -n 3 said; "
           "! grep -E '^(fail|crash|timeout|warn|note) ' said",
           0, "undecided");
    expect("cat said", 0, why);
}
