/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes what people write for adicheck to read. As a list of known deviations: a bad one is
 * refused by line and column, a good one turns violations into xfail, adds xpass, and does nothing
 * else. As the program of a replay: a bad one is refused by its character, a good one comes back
 * the same from its text and from its bytes.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "known.h"
#include "program.h"

#define TODAY "2027-01-15"

/* The list as a file without a name; its path. */
static const char *write_list(const uint8_t *bytes, size_t count) {
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("known", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    FUZZ_REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0, "no memory file");
    FUZZ_REQUIRE(pwrite(fd, bytes, count, 0) == (ssize_t)count, "the memory file is full");
    return path;
}

/* The length of the line (from 1), its end not counted; -1: there are not as many. */
static long line_length(const uint8_t *bytes, size_t count, size_t line) {
    const uint8_t *end = bytes + count;
    for (; line > 1; line--) {
        bytes = memchr(bytes, '\n', (size_t)(end - bytes));
        if (bytes == NULL) return -1;
        bytes++;
    }
    const uint8_t *newline = memchr(bytes, '\n', (size_t)(end - bytes));
    return (long)((newline == NULL ? end : newline) - bytes);
}

/* "PATH:LINE:COLUMN: what was expected", and there is such a place. */
static void judge_refusal(const uint8_t *bytes, size_t count, const char *path,
                          const struct adi_error *error) {
    size_t line, column;
    int end = 0;
    FUZZ_REQUIRE(strncmp(error->text, path, strlen(path)) == 0, "no path: %s", error->text);
    FUZZ_REQUIRE(sscanf(error->text + strlen(path), ":%zu:%zu: %n", &line, &column, &end) == 2,
                 "no place: %s", error->text);
    FUZZ_REQUIRE(error->text[strlen(path) + (size_t)end] != '\0', "no words: %s", error->text);
    long length = line_length(bytes, count, line);
    FUZZ_REQUIRE(length >= 0 && column >= 1 && (long)column <= length + 1, "no such place: %s",
                 error->text);
}

static const struct {
    const char *rule, *device, *case_name;
    enum adi_verdict verdict;
} rows[] = {
    {"array/reserved-not-zero", "cpu:-1", "int32/nulls/export", ADI_FAIL},
    {"array/reserved-not-zero", "cpu:-1", "int32/many/export", ADI_PASS},
    {"array/reserved-not-zero", "cpu:-1", "", ADI_PASS},
    {"array/misread", "opencl:0", "int32/nulls/consume", ADI_CRASH},
    {"life/leaked", "cpu:-1", "struct/many/export", ADI_SKIP},
    {"array/offsets-omitted", "cpu:-1", "utf8/empty/export", ADI_WARN},
};

#define ROWS (sizeof rows / sizeof *rows)

static struct adi_report *new_report(void) {
    struct adi_report *report = adi_report_new();
    adi_result_set(&report->implementation_version, "19.0.1");
    for (size_t i = 0; i < ROWS; i++) {
        struct adi_result *result = adi_report_add(report);
        const struct adi_rule *rule = adi_rule_named(rows[i].rule);
        result->rule = rule == NULL ? adi_rule(0) : rule;
        result->verdict = rows[i].verdict;
        adi_result_set(&result->device, "%s", rows[i].device);
        adi_result_set(&result->case_name, "%s", rows[i].case_name);
    }
    return report;
}

static bool may_become(enum adi_verdict before, enum adi_verdict after) {
    bool violation = before == ADI_FAIL || before == ADI_CRASH || before == ADI_WARN;
    return before == after || (violation && after == ADI_XFAIL);
}

static void judge_list(const struct adi_known *known) {
    struct adi_report *report = new_report();
    adi_known_apply(known, report, NULL, TODAY);
    size_t count = report->n_results;
    for (size_t i = 0; i < count; i++) {
        enum adi_verdict seen = report->results[i].verdict;
        if (i >= ROWS)
            FUZZ_REQUIRE(seen == ADI_XPASS || seen == ADI_SKIP, "a row with verdict %d is added",
                         (int)seen);
        else
            FUZZ_REQUIRE(may_become(rows[i].verdict, seen), "%s: verdict %d becomes %d",
                         rows[i].rule, (int)rows[i].verdict, (int)seen);
    }
    adi_report_free(report);
}

static void judge_list_of(const uint8_t *bytes, size_t count) {
    const char *path = write_list(bytes, count);
    struct adi_known *known = NULL;
    struct adi_error error = {""};
    int code = adi_known_read(path, &known, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL, "%d: %s", code, error.text);
    FUZZ_REQUIRE((code == 0) == (known != NULL), "a list is there after %d", code);
    if (code == 0)
        judge_list(known);
    else
        judge_refusal(bytes, count, path, &error);
    adi_known_free(known);
}

static void require_same(const struct adi_program *a, const struct adi_program *b, const char *by) {
    FUZZ_REQUIRE(a->n == b->n && memcmp(a->steps, b->steps, a->n * sizeof *a->steps) == 0,
                 "the program comes back differently %s", by);
}

static void judge_program_of(const uint8_t *bytes, size_t count) {
    static struct adi_program program, again;
    static char words[ADI_PROGRAM_STEPS * ADI_STEP_TEXT];
    static uint8_t indices[ADI_PROGRAM_BYTES];
    struct adi_error error = {""};
    char *text = strndup((const char *)bytes, count);
    FUZZ_REQUIRE(text != NULL, "no memory");
    int code = adi_program_parse(text, &program, &error);
    size_t at = 0, length = strlen(text);
    free(text);
    if (code != 0) {
        FUZZ_REQUIRE(code == EINVAL && sscanf(error.text, "character %zu ", &at) == 1 && at >= 1 &&
                         at <= length + 1,
                     "%d: %s", code, error.text);
        return;
    }
    code = adi_program_parse(adi_program_text(&program, words, sizeof words), &again, &error);
    FUZZ_REQUIRE(code == 0, "%s: %s", words, error.text);
    require_same(&program, &again, words);
    adi_program_of_bytes(indices, adi_program_bytes(&program, indices), &again);
    require_same(&program, &again, "from its bytes");
}

void adi_fuzz_record(const uint8_t *bytes, size_t count) {
    judge_list_of(bytes, count);
    judge_program_of(bytes, count);
}
