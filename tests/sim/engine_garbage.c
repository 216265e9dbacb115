/* SPDX-License-Identifier: Apache-2.0
 *
 * What sim.h answers to arguments that make no sense: the code that it names, a log that can still
 * be read, and everything as it was. ADI_TEST_FULL=1 makes more random calls.
 */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine_calls.h"
#include "slow.h"

Suite *sim_engine_garbage_suite(void);

#define POLICIES 3

/* (Not by strchr: under a sanitizer that measures the rest of the log each time.) */
static void want_readable(const char *log) {
    const char *last = log + strlen(log);
    for (const char *line = log, *end; line < last; line = end + 1) {
        json_error_t error;
        end = memchr(line, '\n', (size_t)(last - line));
        ck_assert_ptr_nonnull(end);
        json_t *read = json_loadb(line, (size_t)(end - line), JSON_DECODE_INT_AS_REAL, &error);
        ck_assert_msg(read != NULL, "%s: %.*s", error.text, (int)(end - line), line);
        json_decref(read);
    }
}

static char *play_readably(void (*program)(void), int policy) {
    char *log = sim_play(program, sim_way_at((size_t)policy), 0);
    want_readable(log);
    return log;
}

/* How many violations there were. */
static size_t play(void (*program)(void), int policy) {
    char *log = play_readably(program, policy);
    size_t errors = sim_count_errors(log);
    free(log);
    return errors;
}

static void is_as_it_was(char with) {
    SIM_WANT(adi_sim_event_sync(things.event) == 0);
    SIM_WANT(adi_sim_copy(things.queue, things.host, things.memory, SCENE_BYTES, 0) == 0);
    for (size_t i = 0; i < SCENE_BYTES; i++) SIM_WANT(things.host[i] == with);
    engine_works("other");
}

static void begin_with(char byte) {
    engine_things_make("ext_dev", 0);
    SIM_WANT(adi_sim_fill(things.queue, things.memory, (unsigned char)byte, 1, SCENE_BYTES) == 0);
    SIM_WANT(adi_sim_event_record(things.event, things.queue) == 0);
}

/* ---- each function ---- */

static void call_with_garbage_everywhere(void) {
    size_t calls;
    begin_with(5);
    engine_garbage_make_odd();
    size_t wrong = garbage_everywhere(&engine_garbage, &calls);
    SIM_WANT(calls > 700 && wrong == 0);
    is_as_it_was(5);
}

START_TEST(garbage_is_refused_by_every_function)
{ ck_assert_uint_gt(play(call_with_garbage_everywhere, _i), 700); }
END_TEST

/* ---- what is no handle and yet makes no sense ---- */

#define ANSWERS(code, call) sim_want((call) == (code), #call " is " #code, __FILE__, __LINE__)

static void noop_kernel(const struct adi_sim_operand *operands, void *state) {
    (void)operands, (void)state;
}

/* One that is a runtime's own is nobody's. */
static void pools(void) {
    adi_sim_pool own, made;
    uint64_t label = 0;
    size_t before = adi_sim_live(0);
    ANSWERS(0, adi_sim_pool_create(5, true, &own));
    ANSWERS(before, adi_sim_live(0));
    ANSWERS(0, adi_sim_pool_create(7, false, &made));
    ANSWERS(before + 1, adi_sim_live(0));
    ANSWERS(0, adi_sim_pool_label(own, &label));
    ANSWERS(5, label);
    ANSWERS(0, adi_sim_pool_destroy(own));
    ANSWERS(EBADF, adi_sim_pool_destroy(own)); /* which is just not there */
    ANSWERS(0, adi_sim_pool_destroy(made));
    ANSWERS(before, adi_sim_live(0));
}

static void contexts_and_memory(void) {
    adi_sim_context made;
    void *memory;
    char long_name[64], label[ADI_SIM_LABEL];
    memset(long_name, 'a', sizeof long_name);
    long_name[63] = '\0';
    ANSWERS(EINVAL, adi_sim_context_open("", 0, &made));
    ANSWERS(EINVAL, adi_sim_context_open("Ext Dev", 0, &made));
    ANSWERS(EINVAL, adi_sim_context_open(long_name, 0, &made));
    ANSWERS(ENODEV, adi_sim_context_open("ext_dev", -1, &made));
    ANSWERS(ENODEV, adi_sim_context_open("ext_dev", ADI_SIM_DEVICES, &made));
    ANSWERS(EINVAL, adi_sim_alloc(things.context, (enum adi_sim_memory)77, 8, &memory));
    ANSWERS(EINVAL, adi_sim_alloc(things.context, (enum adi_sim_memory) - 1, 8, &memory));
    ANSWERS(EINVAL, adi_sim_alloc(things.context, ADI_SIM_DEVICE, 0, &memory));
    ANSWERS(EINVAL, adi_sim_alloc_on(things.queue, 0, &memory));
    ANSWERS(EINVAL, adi_sim_alloc_in(things.context, things.queue, 0, &memory));
    ANSWERS(0, adi_sim_context_open("other", 0, &made));
    ANSWERS(EXDEV, adi_sim_alloc_in(made, things.queue, 8, &memory));
    ANSWERS(0, adi_sim_context_close(made));
    pools();
    for (int kind = ADI_SIM_DEVICE; kind <= ADI_SIM_MANAGED; kind++) {
        ANSWERS(ENOMEM,
                adi_sim_alloc(things.context, (enum adi_sim_memory)kind, SIZE_MAX, &memory));
        ANSWERS(ENOMEM,
                adi_sim_alloc(things.context, (enum adi_sim_memory)kind, SIZE_MAX / 2, &memory));
    }
    ANSWERS(ENOMEM, adi_sim_alloc_on(things.queue, SIZE_MAX - 255, &memory));
    ANSWERS(EFAULT, adi_sim_free(things.memory + 8));
    ANSWERS(EFAULT, adi_sim_free_behind(things.memory + 8));
    ANSWERS(EFAULT, adi_sim_free_on(things.queue, things.memory + 8));
    ANSWERS(EINVAL, adi_sim_hold(ADI_SIM_PARTIES, true));
    ANSWERS(0, adi_sim_live(ADI_SIM_PARTIES));
    ANSWERS(ENOENT, adi_sim_newest(ADI_SIM_PARTIES, label));
    ANSWERS(0, adi_sim_party(ADI_SIM_PARTIES));
    ANSWERS(0, adi_sim_party(0));
    ANSWERS(EBUSY, adi_sim_set("ADI_SIM_POLICY", "lazy"));
    ANSWERS(false, adi_sim_readable(things.host, SIZE_MAX));
    ANSWERS(false, adi_sim_readable(NULL, 1));
    ANSWERS(true, adi_sim_readable(things.host, 1));
}

static void commands(void) {
    struct adi_sim_operand much[ADI_SIM_OPERANDS + 1] = {{things.memory, 8, true}};
    adi_sim_queue queue;
    ANSWERS(EINVAL, adi_sim_queue_create(things.context, 8, &queue));
    ANSWERS(EINVAL, adi_sim_queue_create(things.context, UINT32_MAX, &queue));
    ANSWERS(EINVAL, adi_sim_copy(things.queue, things.memory, things.host, 8, 128));
    ANSWERS(EINVAL, adi_sim_copy(things.queue, things.memory, things.host, 8, UINT32_MAX));
    ANSWERS(EINVAL, adi_sim_copy(things.queue, things.memory, things.memory + 4, 8, 0));
    ANSWERS(EFAULT, adi_sim_copy(things.queue, things.memory, things.memory, SCENE_BYTES + 1, 0));
    ANSWERS(EFAULT, adi_sim_copy(things.queue, things.memory + 8, things.host, SCENE_BYTES, 0));
    ANSWERS(EFAULT, adi_sim_copy(things.queue, things.host, things.memory, SCENE_BYTES + 1, 0));
    ANSWERS(EINVAL, adi_sim_copy(things.queue, things.memory, things.host, SIZE_MAX, 0));
    ANSWERS(EINVAL, adi_sim_fill(things.queue, things.memory, 0, 0, 8));
    ANSWERS(EINVAL, adi_sim_fill(things.queue, things.memory, 0, 3, 8));
    ANSWERS(EINVAL, adi_sim_fill(things.queue, things.memory, 0, SIZE_MAX, 8));
    ANSWERS(EINVAL, adi_sim_fill(things.queue, things.memory, 0, 4, SIZE_MAX / 4 + 1));
    ANSWERS(EFAULT, adi_sim_fill(things.queue, things.memory, 0, 4, SIZE_MAX / 4));
    ANSWERS(EFAULT, adi_sim_fill(things.queue, things.memory, 0, 1, SIZE_MAX));
    ANSWERS(EINVAL, adi_sim_launch(things.queue, noop_kernel, NULL, much, ADI_SIM_OPERANDS + 1));
    ANSWERS(EINVAL, adi_sim_launch(things.queue, noop_kernel, NULL, much, SIZE_MAX));
    ANSWERS(EFAULT, adi_sim_launch(things.queue, noop_kernel, NULL, much, 2));
    much[0].bytes = SIZE_MAX;
    ANSWERS(EFAULT, adi_sim_launch(things.queue, noop_kernel, NULL, much, 1));
}

static void other_devices(void) {
    static const struct {
        const char *family;
        int index;
    } where[] = {{"ext_dev", 1}, {"cuda", 0}};
    for (size_t i = 0; i < 2; i++) {
        struct engine_things here = things;
        things = (struct engine_things){0};
        engine_things_make(where[i].family, where[i].index);
        struct adi_sim_operand operand = {things.memory, 8, true};
        ANSWERS(EXDEV, adi_sim_event_record(here.event, things.queue));
        ANSWERS(EXDEV, adi_sim_copy(here.queue, here.memory, things.memory, 8, 0));
        ANSWERS(EXDEV, adi_sim_copy(here.queue, things.memory, here.host, 8, 0));
        ANSWERS(EXDEV, adi_sim_fill(here.queue, things.memory, 0, 1, 8));
        ANSWERS(0, adi_sim_fill_peer(here.queue, things.memory, 0, 1, 8));
        ANSWERS(EXDEV, adi_sim_launch(here.queue, noop_kernel, NULL, &operand, 1));
        ANSWERS(0, adi_sim_free(things.memory));
        ANSWERS(0, adi_sim_event_destroy(things.event));
        ANSWERS(0, adi_sim_queue_destroy(things.queue));
        ANSWERS(0, adi_sim_context_close(things.context));
        things = here;
    }
}

static void null_where_that_is_allowed(void) {
    uint64_t label;
    ANSWERS(0, adi_sim_phase(NULL));
    ANSWERS(0, adi_sim_listen(NULL, NULL));
    ANSWERS(0, adi_sim_free(NULL));
    ANSWERS(0, adi_sim_free_behind(NULL));
    ANSWERS(0, adi_sim_free_on(things.queue, NULL));
    ANSWERS(0, adi_sim_memory_info(things.context, NULL, NULL));
    ANSWERS(0, adi_sim_queue_info(things.queue, NULL, NULL));
    ANSWERS(0, adi_sim_queue_label(things.queue, NULL, NULL));
    ANSWERS(0, adi_sim_event_label(things.event, NULL, NULL));
    ANSWERS(true, adi_sim_is_live(things.event, NULL));
    ANSWERS(false, adi_sim_is_live(NULL, &label));
    ANSWERS(0, adi_sim_launch(things.queue, noop_kernel, NULL, NULL, 0));
    ANSWERS(EAGAIN, adi_sim_written(things.memory, NULL));
    ANSWERS(0, adi_sim_written(things.memory, things.event));
    ANSWERS(EAGAIN, adi_sim_written_in(things.memory, 1, NULL));
    ANSWERS(0, adi_sim_written_in(things.memory, 1, things.event));
}

/* Nobody has begun anything: the next call is one of its own. */
static void end_what_never_began(void) {
    adi_sim_end();
    ANSWERS(0, adi_sim_begin("outer"));
    adi_sim_end();
    adi_sim_end();
    ANSWERS(EBADF, adi_sim_queue_sync(NULL));
}

static void make_no_sense(void) {
    begin_with(5);
    null_where_that_is_allowed();
    contexts_and_memory();
    commands();
    other_devices();
    end_what_never_began();
    is_as_it_was(5);
}

START_TEST(what_makes_no_sense_has_its_code)
{ ck_assert_uint_gt(play(make_no_sense, _i), 0); }
END_TEST

START_TEST(an_end_without_a_beginning_ends_nothing)
{
    char *log = sim_play(make_no_sense, sim_way_at((size_t)_i), 0);
    ck_assert_uint_eq(sim_count_text(log, "\"in\":\"adi_sim_queue_sync\",\"phase\""), 1);
    free(log);
}
END_TEST

/* ---- texts ---- */

static void say_what_cannot_be_said(void) {
    static char endless[8192];
    memset(endless, 'x', sizeof endless - 1);
    engine_things_make("ext_dev", 0);
    ANSWERS(EINVAL, adi_sim_remark("topic", "a \"quote\""));
    ANSWERS(EINVAL, adi_sim_remark("back\\slash", "text"));
    ANSWERS(EINVAL, adi_sim_violate("raze", 0, false, "text"));
    ANSWERS(EINVAL, adi_sim_violate("race", ADI_SIM_PARTIES, false, "text"));
    ANSWERS(EINVAL, adi_sim_violate("race", 0, false, "a \"quote\""));
    ANSWERS(EINVAL, adi_sim_remark("topic", "two\nlines"));
    ANSWERS(EINVAL, adi_sim_remark("topic", "\xff"));
    ANSWERS(EINVAL, adi_sim_remark("topic", endless));
    ANSWERS(EINVAL, adi_sim_begin("a \"quote\""));
    ANSWERS(EINVAL, adi_sim_begin(endless));
    ANSWERS(EINVAL, adi_sim_begin_surely("\x01"));
    ANSWERS(EINVAL, adi_sim_begin_alone("\x01", true));
    ANSWERS(0, adi_sim_phase("a \"quote\" and \xff"));
    ANSWERS(0, adi_sim_phase(endless));
    ANSWERS(EBADF, adi_sim_queue_sync(NULL));
    ANSWERS(0, adi_sim_remark("topic", "text"));
    engine_works("other");
}

START_TEST(a_text_never_spoils_the_log)
{ ck_assert_uint_eq(play(say_what_cannot_be_said, _i), 1); }
END_TEST

/* ---- from within what a queue runs ---- */

static int wrong_within;

/* Those that answer with something else than a code, or are for anywhere. */
static int answer_within(const char *name, bool kernel) {
    static const struct {
        const char *name;
        int kernel, host;
    } others[] = {
        {"adi_sim_set", EBUSY, EBUSY},  {"adi_sim_phase", EPERM, 0},
        {"adi_sim_party", 0, 0},        {"adi_sim_live", 0, -1},
        {"adi_sim_violations", -1, -1}, {"adi_sim_end", -1, -1},
        {"adi_sim_readable", -1, -1},   {"adi_sim_is_live", -1, -1},
        {"adi_sim_writable", -1, -1},   {"adi_sim_reports_leaks", 0, 0},
        {"adi_sim_log_error", 0, 0},    {"adi_sim_kernels_are_opaque", 0, 0},
        {"adi_sim_locks", -1, -1},      {"adi_sim_violate", EINVAL, EINVAL}, /* "text" is none */
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0) return kernel ? others[i].kernel : others[i].host;
    return EPERM;
}

static struct engine_things outer;

static void call_all_within(bool kernel) {
    things = outer;
    for (size_t i = 0; i < engine_garbage.n; i++) {
        const struct garbage_function *function = &engine_garbage.functions[i];
        int wanted = answer_within(function->name, kernel);
        int code = garbage_call_rightly(&engine_garbage, function);
        if (wanted < 0 || code == wanted) continue;
        fprintf(stderr, "%s within a %s: %d\n", function->name, kernel ? "kernel" : "function",
                code);
        wrong_within++;
    }
}

static void calling_kernel(const struct adi_sim_operand *operands, void *state) {
    (void)operands, (void)state;
    call_all_within(true);
}

static void calling_function(void *data) {
    (void)data;
    call_all_within(false);
}

static void call_back(const uintptr_t *data, int code) {
    (void)data;
    SIM_WANT(code == 0);
    call_all_within(false);
}

static void call_from_within(void) {
    begin_with(5);
    outer = things;
    SIM_WANT(adi_sim_launch(things.queue, calling_kernel, NULL, NULL, 0) == 0);
    SIM_WANT(adi_sim_queue_sync(things.queue) == 0);
    SIM_WANT(adi_sim_begin("adi_sim_launch") == 0);
    SIM_WANT(adi_sim_launch(things.queue, calling_kernel, NULL, NULL, 0) == 0);
    SIM_WANT(adi_sim_queue_sync(things.queue) == 0);
    adi_sim_end();
    SIM_WANT(adi_sim_host(things.queue, calling_function, NULL) == 0);
    SIM_WANT(adi_sim_callback(things.queue, call_back, (const uintptr_t[3]){0}) == 0);
    SIM_WANT(adi_sim_queue_sync(things.queue) == 0);
    SIM_WANT(wrong_within == 0);
    is_as_it_was(5);
}

START_TEST(nothing_can_be_called_from_within)
{ ck_assert_uint_gt(play(call_from_within, _i), 0); }
END_TEST

/* ---- anything in any order ---- */

enum {
    CALLS = 4000,
    MANY_CALLS = 100000,
    THREADS = 4,
    OFTEN = 32
};

static size_t n_calls(void) {
    return is_full() ? MANY_CALLS : is_short() ? CALLS / 4 : CALLS;
}

static void call_anything(uint64_t state, size_t calls) {
    for (size_t i = 0; i < calls; i++) {
        if (i % OFTEN == 0) engine_things_make("ext_dev", 0);
        garbage_call_anything(&engine_garbage, &state);
    }
    for (size_t i = 0; i < calls; i++) adi_sim_end();
    adi_sim_party(0);
}

/* What comes of it is nobody's to say, but that it comes back. */
static void leave_in_order(void) {
    SIM_WANT(adi_sim_listen(NULL, NULL) == 0);
    for (unsigned party = 0; party < ADI_SIM_PARTIES; party++)
        SIM_WANT(adi_sim_hold(party, false) == 0);
    engine_works("other");
}

static uint64_t seed;

static void with_anything(void) {
    engine_things_make("ext_dev", 0);
    engine_garbage_make_odd();
    call_anything(seed, n_calls());
    leave_in_order();
}

START_TEST(any_calls_come_back)
{
    sim_play_with("ADI_SIM_MEMORY", "65536");
    seed = (uint64_t)_i;
    free(play_readably(with_anything, _i % POLICIES));
}
END_TEST

static void *one_of_them(void *of) {
    call_anything((uint64_t)(uintptr_t)of, n_calls() / THREADS);
    return NULL;
}

static void with_anything_at_once(void) {
    pthread_t threads[THREADS];
    engine_things_make("ext_dev", 0);
    engine_garbage_make_odd();
    for (size_t i = 0; i < THREADS; i++)
        SIM_WANT(pthread_create(&threads[i], NULL, one_of_them, (void *)(seed + i)) == 0);
    for (size_t i = 0; i < THREADS; i++) SIM_WANT(pthread_join(threads[i], NULL) == 0);
    leave_in_order();
}

START_TEST(any_calls_come_back_from_several_threads)
{
    sim_play_with("ADI_SIM_MEMORY", "65536");
    seed = (uint64_t)_i * THREADS;
    free(play_readably(with_anything_at_once, _i % POLICIES));
}
END_TEST

Suite *sim_engine_garbage_suite(void) {
    Suite *suite = suite_create("sim_engine_garbage");
    TCase *tests = tcase_create("garbage");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, garbage_is_refused_by_every_function, 0, POLICIES);
    tcase_add_loop_test(tests, what_makes_no_sense_has_its_code, 0, POLICIES);
    tcase_add_loop_test(tests, an_end_without_a_beginning_ends_nothing, 0, POLICIES);
    tcase_add_loop_test(tests, a_text_never_spoils_the_log, 0, POLICIES);
    tcase_add_loop_test(tests, nothing_can_be_called_from_within, 0, POLICIES);
    tcase_add_loop_test(tests, any_calls_come_back, 0, 2 * POLICIES);
    tcase_add_loop_test(tests, any_calls_come_back_from_several_threads, 0, POLICIES);
    suite_add_tcase(suite, tests);
    return suite;
}
