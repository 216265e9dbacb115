/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUSY "It waited for a processor for most of them: the machine is busy"

char folder[64];
char said[65536];

static char build[PATH_MAX]; /* realpath wants no less */
static char state[80];       /* what a run keeps */

int run(const char *line) {
    char *whole = NULL;
    ck_assert_int_ge(
        asprintf(&whole, "cd %s && B='%s' && A=$B/adicheck && { %s\n} 2>&1", folder, build, line),
        0);
    FILE *pipe = popen(whole, "r");
    free(whole);
    size_t bytes = fread(said, 1, sizeof said - 1, pipe);
    said[bytes] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expect(const char *line, int status, const char *words) {
    int seen = run(line);
    /* A hang that burns a processor is undecided where it gets none. */
    for (int again = 0; again < 4 && seen != status && strstr(said, BUSY) != NULL; again++)
        seen = run(line);
    ck_assert_msg(seen == status, "%s: exit %d, wanted %d\n%.2000s", line, seen, status, said);
    char copy[512];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
        ck_assert_msg(strstr(said, word) != NULL, "%s: no '%s' in\n%.2000s", line, word, said);
}

void shell_open(void) {
    const char *name = getenv("ADI_TEST_BUILD");
    char program[PATH_MAX + 16];
    ck_assert_msg(realpath(name == NULL ? "build" : name, build) != NULL, "there is no build");
    snprintf(program, sizeof program, "%s/adicheck", build);
    ck_assert_msg(access(program, X_OK) == 0, "%s: `make` builds it", program);
    snprintf(folder, sizeof folder, "/tmp/adicheck-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(state, sizeof state, "%s.state", folder);
    setenv("XDG_STATE_HOME", state, 1);
}

void shell_expect_records(const char *where) {
    char line[256];
    if (system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
        printf("skip: records against docs/record.schema.json: no python3-jsonschema\n");
        return;
    }
    snprintf(line, sizeof line,
             "find '%s' -name '*.json' -type f -size +0 -exec tests/record.py {} +", where);
    ck_assert_msg(system(line) == 0, "a record does not keep to docs/record.schema.json");
}

void shell_close(void) {
    char line[192];
    shell_expect_records(folder);
    snprintf(line, sizeof line, "mkdir -p '%s'", state);
    ck_assert_int_eq(system(line), 0);
    shell_expect_records(state);
    snprintf(line, sizeof line, "rm -rf '%s' '%s'", folder, state);
    ck_assert_int_eq(system(line), 0);
}
