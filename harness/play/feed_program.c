/* SPDX-License-Identifier: Apache-2.0 */
#include "feed_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define POINTS_EACH 8 /* of an operation, about */

/* Legal are those that begin with on_schema, or are an error alone; end with NULL or an error, with
 * an error where a task fails; and then release. One task fails at most: the first error is told.
 */
static const char *const programs[] = {
    "1fl",     "1sel",    "1sfl",    "1stel",   "1stfl",   "1sTfl",   "1sttel",  "2sttel",
    "1sttfl",  "2sttfl",  "1sTtfl",  "2sTtfl",  "1stTfl",  "2stTfl",  "1stttel", "2stttel",
    "3stttel", "1stttfl", "2stttfl", "3stttfl", "1sTttfl", "2sTttfl", "3sTttfl", "1stTtfl",
    "2stTtfl", "3stTtfl", "1sttTfl", "2sttTfl", "3sttTfl",
};

const char *adi_feed_program_at(size_t i) {
    return i < sizeof programs / sizeof *programs ? programs[i] : NULL;
}

static void understand(struct adi_feed_program *program) {
    const char *tasks = program->operations + 1, *failing = strchr(tasks, 'T');
    program->fails_first = program->operations[0] == 'f';
    program->batches = strspn(tasks, "tT");
    program->fails_at = failing == NULL ? 0 : (size_t)(failing - tasks) + 1;
    program->fails = failing == NULL && strchr(program->operations, 'f') != NULL;
    program->plan.points = POINTS_EACH * (int)strlen(program->operations);
}

int adi_feed_program_read(const char *text, struct adi_feed_program *out) {
    size_t n = strcspn(text, " "), i = 0;
    memset(out, 0, sizeof *out);
    while (programs[i] != NULL && (strlen(programs[i]) != n || memcmp(programs[i], text, n) != 0))
        if (++i == sizeof programs / sizeof *programs) return EINVAL;
    memcpy(out->operations, text + 1, n - 1);
    out->at_once = text[0] - '0';
    understand(out);
    return adi_turns_plan_read(text + n, out->plan.points, &out->plan);
}

const char *adi_feed_program_write(const struct adi_feed_program *program,
                                   char text[ADI_FEED_PROGRAM]) {
    char plan[ADI_TURNS_TEXT];
    snprintf(text, ADI_FEED_PROGRAM, "%d%s%s", program->at_once, program->operations,
             adi_turns_plan_write(&program->plan, plan));
    return text;
}
