/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of a program that does the same thing wrong for ever, one that cannot be written, and
 * what its lines are made of.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "sim/played.h"

Suite *sim_log_suite(void);

static const struct sim_way lazy = {"lazy", 1};

/* ---- what comes again ---- */

#define TIMES 2500

/* Other calls, other allocations, other bytes: the same cause. */
static void race_often(void) {
    sim_scene_begin();
    for (size_t i = 0; i < TIMES; i++) {
        void *memory;
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64 + i, &memory) == 0);
        SIM_WANT(adi_sim_fill(scene.q, memory, 1, 1, 8 + i % 32) == 0);
        SIM_WANT(adi_sim_fill(scene.r, memory, 1, 1, 64) == 0);
        SIM_WANT(adi_sim_context_sync(scene.context) == 0);
        SIM_WANT(adi_sim_free(memory) == 0);
    }
    SIM_WANT(adi_sim_violations() == TIMES);
    sim_scene_end();
}

START_TEST(what_comes_again_is_counted)
{
    char *log = sim_play(race_often, lazy, 0), *same = sim_play(race_often, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "race"), 10);
    ck_assert_uint_eq(sim_count_text(log, "{\"merged\":\"race\",\"first\":"), 3);
    ck_assert_uint_eq(sim_count_text(log, "\"count\":100,"), 1);
    ck_assert_uint_eq(sim_count_text(log, "\"count\":1000,"), 1);
    ck_assert_uint_eq(sim_count_text(log, "\"count\":2500,"), 1);
    ck_assert_str_eq(log, same);
    free(log);
    free(same);
}
END_TEST

/* Each is of a kind of its own: another call, another phase, something else that is wrong. */
static void be_wrong_in_many_ways(void) {
    char phase[8];
    sim_scene_begin();
    for (int i = 0; i < 8; i++) {
        snprintf(phase, sizeof phase, "%c", 'a' + i);
        SIM_WANT(adi_sim_phase(phase) == 0);
        for (int k = 0; k < 10; k++) {
            SIM_WANT(adi_sim_free(scene.a + 1) == EFAULT);
            SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, SCENE_BYTES + 1) == EFAULT);
            SIM_WANT(adi_sim_copy(scene.q, scene.a, scene.b, SCENE_BYTES + 1, 0) == EFAULT);
        }
    }
    sim_scene_end();
}

START_TEST(what_differs_in_more_than_numbers_is_said)
{
    char *log = sim_play(be_wrong_in_many_ways, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 80);
    ck_assert_uint_eq(sim_count(log, "out-of-bounds"), 160);
    ck_assert_uint_eq(sim_count_text(log, "\"merged\""), 0);
    free(log);
}
END_TEST

/* More kinds than are kept apart: none of them is lost. */
static void be_wrong_in_very_many_ways(void) {
    char phase[8];
    sim_scene_begin();
    for (int i = 0; i < 1100; i++) {
        snprintf(phase, sizeof phase, "%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
        SIM_WANT(adi_sim_phase(phase) == 0);
        SIM_WANT(adi_sim_free(scene.a + 1) == EFAULT);
    }
    sim_scene_end();
}

START_TEST(more_kinds_than_there_is_room_for_are_said)
{
    char *log = sim_play(be_wrong_in_very_many_ways, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 1100);
    free(log);
}
END_TEST

/* ---- what goes to standard error ---- */

/* What the program says there when its log is `path` (NULL: none). */
static char *said(void (*program)(void), const char *path) {
    char *text = calloc(1, 1 << 20);
    FILE *file = tmpfile();
    int status;
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(file);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(fileno(file), STDERR_FILENO);
        if (path != NULL) SIM_WANT(adi_sim_set("ADI_SIM_LOG", path) == 0);
        program();
        exit(EXIT_SUCCESS);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    rewind(file);
    size_t n = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    ck_assert_msg(status == 0, "status %#x\n%.*s", (unsigned)status, (int)n, text);
    return text;
}

START_TEST(without_a_log_what_comes_again_is_counted_too)
{
    char *text = said(race_often, NULL);
    ck_assert_uint_eq(sim_count_text(text, "adisim: race: fill"), 10);
    ck_assert_uint_eq(sim_count_text(text, "adisim: race: 1000 like that in adi_sim_fill"), 1);
    ck_assert_uint_eq(sim_count_text(text, "adisim: race: 2500 like that"), 1);
    free(text);
}
END_TEST

static void race_without_a_log(void) {
    SIM_WANT(adi_sim_log_error() == 0);
    race_often();
    SIM_WANT(adi_sim_log_error() == ENOSPC);
}

START_TEST(a_log_that_cannot_be_written_says_so_and_what_is_wrong_is_not_lost)
{
    if (access("/dev/full", W_OK) != 0) return;
    char *text = said(race_without_a_log, "/dev/full");
    ck_assert_uint_eq(sim_count_text(text, "adisim: the log /dev/full: No space left on device"),
                      1);
    ck_assert_uint_eq(sim_count_text(text, "adisim: race: fill"), 10);
    free(text);
}
END_TEST

static void race_with_a_log(void) {
    race_often();
    SIM_WANT(adi_sim_log_error() == 0);
}

START_TEST(a_log_that_can_be_written_is_whole)
{
    char *text = said(race_with_a_log, "/dev/null");
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

/* ---- a line ---- */

static char seen[4096];

static void see(void *unused, unsigned party, const char *line) {
    (void)unused;
    (void)party;
    ck_assert_uint_lt(strlen(line), sizeof seen);
    strcpy(seen, line);
}

START_TEST(a_line_has_its_numbers_as_they_are_and_ends_where_there_is_no_room)
{
    static char text[3000];
    memset(text, 'x', sizeof text - 1);
    ck_assert_int_eq(adi_sim_tap(see, NULL), 0);
    sim_log("\"a\":%" PRIu64 ",\"b\":%d,\"c\":%" PRIu32 ",\"d\":%zu,\"e\":\"%s\"", UINT64_MAX,
            INT_MIN, UINT32_MAX, (size_t)0, "text");
    ck_assert_str_eq(seen, "{\"a\":18446744073709551615,\"b\":-2147483648,\"c\":4294967295,"
                           "\"d\":0,\"e\":\"text\"}");
    sim_log("\"a\":\"%s\"", text);
    ck_assert_uint_gt(strlen(seen), 2000);
    ck_assert_str_eq(seen + strlen(seen) - 2, "x}");
    ck_assert_int_eq(adi_sim_tap(NULL, NULL), 0);
}
END_TEST

Suite *sim_log_suite(void) {
    Suite *suite = suite_create("sim_log");
    TCase *tests = tcase_create("log");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, what_comes_again_is_counted);
    tcase_add_test(tests, what_differs_in_more_than_numbers_is_said);
    tcase_add_test(tests, more_kinds_than_there_is_room_for_are_said);
    tcase_add_test(tests, without_a_log_what_comes_again_is_counted_too);
    tcase_add_test(tests, a_log_that_cannot_be_written_says_so_and_what_is_wrong_is_not_lost);
    tcase_add_test(tests, a_log_that_can_be_written_is_whole);
    tcase_add_test(tests, a_line_has_its_numbers_as_they_are_and_ends_where_there_is_no_room);
    suite_add_tcase(suite, tests);
    return suite;
}
