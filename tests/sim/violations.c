/* SPDX-License-Identifier: Apache-2.0
 *
 * Each violation twice: a program that commits it and nothing else, and its correct twin, which
 * commits none. Under every policy: what is wrong is wrong whenever it happens to run.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_violations_suite(void);

#define BYTES SCENE_BYTES

static volatile char sink;
static char host[BYTES];

/* ---- touches ---- */

static void touch_device(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 7, 1, BYTES) == 0);
    SIM_WANT(adi_sim_copy(scene.q, host, scene.a, BYTES, 0) == 0);
    if (wrong)
        sink = *at(scene.a, 3);
    else
        sink = host[3];
    SIM_WANT(sink == 7);
}

static void touch_by_memcpy(bool wrong) {
    if (wrong)
        memcpy(scene.a, host, BYTES);
    else
        SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, ADI_SIM_WAIT) == 0);
}

static void touch_freed(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_PINNED, BYTES, &memory) == 0);
    char *volatile bytes = memory;
    bytes[1] = 1;
    if (wrong) SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(bytes[1] == (wrong ? (char)0xDE : 1));
    if (!wrong) SIM_WANT(adi_sim_free(memory) == 0);
}

static void touch_outside(bool wrong) {
    char *volatile bytes = scene.pinned;
    sink = bytes[wrong ? sim_page_bytes() : BYTES - 1];
}

static void touch_pending(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.managed, 9, 1, BYTES) == 0);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    sink = *at(scene.managed, BYTES - 1);
}

/* The source of a copy is written while the copy may still read it. */
static void write_pending(bool wrong) {
    SIM_WANT(adi_sim_copy(scene.q, scene.a, scene.pinned, BYTES, 0) == 0);
    sink = *at(scene.pinned, 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_sync(scene.e) == 0);
    *at(scene.pinned, 0) = 1;
}

static void touch_handle(bool wrong) {
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    if (wrong) sink = *(volatile char *)scene.q;
}

/* ---- the order of things ---- */

static void race_between_queues(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 7, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.b, scene.a, BYTES, 0) == 0);
}

/* The event was recorded too early: it does not cover the second write. */
static void race_behind_event(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 7, 1, BYTES / 2) == 0);
    if (wrong) SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a + BYTES / 2, 8, 1, BYTES / 2) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    SIM_WANT(adi_sim_copy(scene.r, host, scene.a, BYTES, 0) == 0);
}

/* A copy from memory of the program does not wait either, though what it reads may change. */
static void race_behind_staged_copy(bool wrong) {
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, wrong ? 0 : ADI_SIM_WAIT) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.b, scene.a, BYTES, 0) == 0);
}

/* A read leaves closed what a write has closed, where both are in one page. */
static void touch_beside_read(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.pinned, 1, 1, 64) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.a, scene.pinned + 64, 64, 0) == 0);
    sink = *at(scene.pinned, wrong ? 0 : 64);
}

/* A write over what another queue still reads. */
static void race_with_reader(bool wrong) {
    SIM_WANT(adi_sim_copy(scene.q, scene.b, scene.a, BYTES, 0) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.managed, scene.a, BYTES, 0) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_record(scene.f, scene.r) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_wait(scene.q, scene.f) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 4, BYTES / 4) == 0);
}

static void free_in_use(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_fill(scene.q, memory, 1, 1, BYTES) == 0);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
}

static void free_in_other_queue(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc_on(scene.q, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_fill(scene.q, memory, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_free_on(wrong ? scene.r : scene.q, memory) == 0);
}

/* ---- memory ---- */

static void out_of_bounds(bool wrong) {
    int code = adi_sim_copy(scene.q, scene.a + 1, scene.b, wrong ? BYTES : BYTES - 1, 0);
    SIM_WANT(code == (wrong ? EFAULT : 0));
}

static void not_allocated(bool wrong) {
    int code = adi_sim_fill(scene.q, wrong ? host : scene.a, 1, 2, 8);
    SIM_WANT(code == (wrong ? EFAULT : 0));
}

static void free_inside(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    if (wrong) SIM_WANT(adi_sim_free((char *)memory + 8) == EFAULT);
    SIM_WANT(adi_sim_free(memory) == 0);
}

static void use_after_free(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    if (wrong) SIM_WANT(adi_sim_free(memory) == 0);
    void *others[100]; /* freed memory is not given out again so soon */
    for (size_t i = 0; i < 100; i++)
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &others[i]) == 0);
    SIM_WANT(adi_sim_fill(scene.q, memory, 1, 1, BYTES) == (wrong ? EFAULT : 0));
    for (size_t i = 0; i < 100; i++) SIM_WANT(adi_sim_free(others[i]) == 0);
    if (!wrong) SIM_WANT(adi_sim_free_on(scene.q, memory) == 0);
}

static void double_free(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_MANAGED, 100, &memory) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    if (wrong) SIM_WANT(adi_sim_free(memory) == EFAULT);
}

static void red_zone(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_PINNED, 100, &memory) == 0);
    memset(memory, 1, wrong ? 101 : 100);
    SIM_WANT(adi_sim_free(memory) == 0);
}

/* ---- handles ---- */

static void bad_handle(bool wrong) {
    void *handle = wrong ? (void *)scene.e : (void *)scene.q;
    SIM_WANT(adi_sim_queue_sync(handle) == (wrong ? EBADF : 0));
    if (wrong) SIM_WANT(adi_sim_event_sync(NULL) == EBADF);
}

static void handle_address(bool wrong) {
    adi_sim_event *there = &scene.e;
    SIM_WANT(adi_sim_event_sync(wrong ? (adi_sim_event)(void *)there : *there) ==
             (wrong ? EBADF : 0));
}

static void use_after_destroy(bool wrong) {
    adi_sim_queue queue;
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    if (wrong) SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    SIM_WANT(adi_sim_fill(queue, scene.a, 1, 1, 1) == (wrong ? EBADF : 0));
    if (!wrong) SIM_WANT(adi_sim_queue_destroy(queue) == 0);
}

static void double_destroy(bool wrong) {
    adi_sim_event event;
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    if (wrong) SIM_WANT(adi_sim_event_destroy(event) == EBADF);
}

static void foreign_device(bool wrong) {
    adi_sim_context other;
    void *memory;
    SIM_WANT(adi_sim_context_open("ext_dev", 1, &other) == 0);
    SIM_WANT(adi_sim_alloc(other, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    unsigned flags = wrong ? 0 : ADI_SIM_PEERS;
    SIM_WANT(adi_sim_copy(scene.q, memory, scene.a, BYTES, flags) == (wrong ? EXDEV : 0));
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(adi_sim_context_close(other) == 0);
}

static void foreign_event(bool wrong) {
    adi_sim_context other;
    adi_sim_event event;
    SIM_WANT(adi_sim_context_open("ext_dev", wrong, &other) == 0);
    SIM_WANT(adi_sim_event_create(other, &event) == 0);
    SIM_WANT(adi_sim_event_record(event, scene.q) == (wrong ? EXDEV : 0));
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    SIM_WANT(adi_sim_context_close(other) == 0);
}

static void *watched_memory(void) {
    void *memory;
    adi_sim_party(1);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    adi_sim_party(0);
    return memory;
}

static void end_watched(void *memory) {
    adi_sim_party(1);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    adi_sim_party(0);
}

static void free_watched(bool wrong) {
    void *memory = watched_memory();
    SIM_WANT(adi_sim_copy(scene.q, host, memory, BYTES, 0) == 0);
    if (wrong) SIM_WANT(adi_sim_free(memory) == EPERM);
    end_watched(memory);
}

static void free_watched_in_queue(bool wrong) {
    void *memory = watched_memory();
    if (wrong) SIM_WANT(adi_sim_free_on(scene.q, memory) == EPERM);
    end_watched(memory);
}

static void use_watched_event(bool wrong, int (*use)(adi_sim_event event)) {
    adi_sim_event event;
    adi_sim_party(1);
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    SIM_WANT(adi_sim_event_record(event, scene.q) == 0);
    adi_sim_party(0);
    SIM_WANT(adi_sim_event_wait(scene.r, event) == 0);
    if (wrong) SIM_WANT(use(event) == EPERM);
    adi_sim_party(1);
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    adi_sim_party(0);
}

static int record_again(adi_sim_event event) {
    return adi_sim_event_record(event, scene.r);
}

static void destroy_watched(bool wrong) {
    use_watched_event(wrong, adi_sim_event_destroy);
}

static void record_watched(bool wrong) {
    use_watched_event(wrong, record_again);
}

static void write_watched(bool wrong) {
    void *memory = watched_memory();
    SIM_WANT(adi_sim_fill(scene.q, wrong ? memory : scene.a, 7, 1, BYTES) == 0);
    end_watched(memory);
}

static void leak(bool wrong) {
    adi_sim_context other;
    adi_sim_event event;
    void *memory;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &other) == 0);
    SIM_WANT(adi_sim_event_create(other, &event) == 0);
    SIM_WANT(adi_sim_alloc(other, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_destroy(event) == 0);
    if (!wrong) SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(adi_sim_context_close(other) == 0);
}

/* ---- host functions ---- */

static void call_back(void *wrong) {
    if (wrong != NULL) SIM_WANT(adi_sim_queue_sync(scene.q) == EPERM);
    host[0] = 1;
}

static void call_in_host_function(bool wrong) {
    SIM_WANT(adi_sim_host(scene.q, call_back, wrong ? host : NULL) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(host[0] == 1);
}

/* ---- what a runtime sees ---- */

static void call_out_of_turn(bool wrong) {
    if (wrong)
        SIM_WANT(adi_sim_violate("call-out-of-turn", 0, false, "committed twice") == 0);
    else
        SIM_WANT(adi_sim_violate("committed-twice", 0, false, "there is no such name") == EINVAL);
}

/* ---- all of them ---- */

/* More of them: launches.c. */
static void launch_unordered(bool wrong) {
    void *const operands[] = {scene.a};
    SIM_WANT(adi_sim_opaque(scene.q, operands, 1) == 0);
    SIM_WANT(adi_sim_copy(wrong ? scene.r : scene.q, scene.pinned, scene.a, BYTES, 0) == 0);
}

static const struct sim_pair pairs[] = {
    {launch_unordered, "launch-unordered"},
    {touch_device, "device-memory-touched"},
    {touch_by_memcpy, "device-memory-touched"},
    {touch_freed, "freed-memory-touched"},
    {touch_outside, "touched-outside"},
    {touch_pending, "touched-before-wait"},
    {write_pending, "touched-before-wait"},
    {touch_beside_read, "touched-before-wait"},
    {race_between_queues, "race"},
    {race_behind_event, "race"},
    {race_behind_staged_copy, "race"},
    {race_with_reader, "race"},
    {free_in_use, "freed-in-use"},
    {free_in_other_queue, "freed-in-use"},
    {out_of_bounds, "out-of-bounds"},
    {not_allocated, "not-allocated"},
    {free_inside, "not-allocated"},
    {use_after_free, "use-after-free"},
    {double_free, "double-free"},
    {red_zone, "red-zone-written"},
    {bad_handle, "bad-handle"},
    {handle_address, "handle-address"},
    {use_after_destroy, "use-after-destroy"},
    {double_destroy, "double-destroy"},
    {foreign_device, "foreign-device"},
    {foreign_event, "foreign-device"},
    {free_watched, "not-owned"},
    {free_watched_in_queue, "not-owned"},
    {destroy_watched, "not-owned"},
    {record_watched, "not-owned"},
    {write_watched, "foreign-memory-written"},
    {leak, "leak"},
    {call_in_host_function, "call-in-host-function"},
    {call_out_of_turn, "call-out-of-turn"},
};

#define PAIRS (sizeof pairs / sizeof *pairs)

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], sim_scene_begin, sim_scene_end, SIM_AT_LEAST_ONCE); }
END_TEST

/* Whoever else takes the signal: it ends the program. */
static void look_through_handle(void) {
    signal(SIGSEGV, SIG_DFL);
    sim_scene_begin();
    touch_handle(true);
}

static void touch_no_handle(void) {
    sim_scene_begin();
    touch_handle(false);
    sim_scene_end();
}

START_TEST(who_looks_through_a_handle_is_named_and_ends)
{
    struct sim_way lazy = {"lazy", 1};
    char *wrong = sim_play(look_through_handle, lazy, SIGSEGV),
         *right = sim_play(touch_no_handle, lazy, 0);
    ck_assert_uint_eq(sim_count(wrong, "handle-dereferenced"), 1);
    ck_assert_uint_eq(sim_count_errors(wrong), 1);
    ck_assert_uint_eq(sim_count_errors(right), 0);
    free(wrong);
    free(right);
}
END_TEST

static void wait_for_nothing(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_event_wait(scene.q, scene.e) == 0);
    SIM_WANT(adi_sim_violations() == 0);
    sim_scene_end();
}

START_TEST(an_event_that_was_never_recorded_is_a_note)
{
    char *log = sim_play(wait_for_nothing, (struct sim_way){"lazy", 1}, 0);
    ck_assert_uint_eq(sim_count(log, "event-not-recorded"), 1);
    ck_assert_uint_eq(sim_count_errors(log), 0);
    free(log);
}
END_TEST

static const char *const all_violations[] = {
#define VIOLATION(id, name, level, statement, mend) name,
#include "violations.def"
#undef VIOLATION
};

START_TEST(no_violation_is_without_a_program)
{
    for (size_t i = 0; i < sizeof all_violations / sizeof *all_violations; i++) {
        bool found = strcmp(all_violations[i], "handle-dereferenced") == 0 ||
                     strcmp(all_violations[i], "event-not-recorded") == 0;
        for (size_t k = 0; k < PAIRS; k++)
            found = found || strcmp(all_violations[i], pairs[k].violation) == 0;
        ck_assert_msg(found, "no program commits %s", all_violations[i]);
    }
}
END_TEST

Suite *sim_violations_suite(void) {
    Suite *suite = suite_create("sim_violations");
    TCase *tests = tcase_create("violations");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0, (int)PAIRS);
    tcase_add_test(tests, who_looks_through_a_handle_is_named_and_ends);
    tcase_add_test(tests, an_event_that_was_never_recorded_is_a_note);
    tcase_add_test(tests, no_violation_is_without_a_program);
    suite_add_tcase(suite, tests);
    return suite;
}
