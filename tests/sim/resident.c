/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulation takes of the machine: device memory only the pages that were used, and of
 * what is made and destroyed nothing that grows.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"
#include "sim_heap.h"

Suite *sim_resident_suite(void);

#define LARGE ((size_t)4 << 30)

/* Pages that are shared, which is what simulated memory is made of. */
static size_t resident(void) {
    size_t kilobytes = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    SIM_WANT(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "RssShmem: %zu", &kilobytes);
    fclose(status);
    return kilobytes * 1024;
}

static bool is_all(const char *bytes, size_t n, char value) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != value) return false;
    return true;
}

static void use_a_few_pages(void) {
    size_t page = sim_page_bytes();
    char *host = malloc(page);
    void *large, *on_queue;
    SIM_WANT(host != NULL);
    sim_scene_begin();
    size_t before = resident();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, LARGE, &large) == 0);
    SIM_WANT(adi_sim_alloc_on(scene.q, LARGE, &on_queue) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(resident() - before < 64 * page);
    char *middle = (char *)large + LARGE / 2 / page * page;
    SIM_WANT(adi_sim_fill(scene.q, middle + 100, 7, 1, 8) == 0);
    SIM_WANT(adi_sim_copy(scene.q, host, middle, page, ADI_SIM_WAIT) == 0);
    SIM_WANT(is_all(host, 100, '\xde') && is_all(host + 100, 8, 7));
    SIM_WANT(is_all(host + 108, page - 108, '\xde'));
    SIM_WANT(adi_sim_copy(scene.q, host, (char *)large + LARGE - 64, 64, ADI_SIM_WAIT) == 0);
    SIM_WANT(is_all(host, 64, '\xde'));
    SIM_WANT(resident() - before < 64 * page);
    SIM_WANT(adi_sim_free(large) == 0);
    SIM_WANT(adi_sim_free(on_queue) == 0);
    sim_scene_end();
    free(host);
}

START_TEST(of_device_memory_only_what_is_used_is_resident)
{ sim_goes_well(use_a_few_pages, sim_ways()); }
END_TEST

/* What a block holds that is used again is nobody's to read. */
static void use_blocks_again(void) {
    static const size_t sizes[] = {64, 1000, 5000, 70000, 300000};
    static char host[300000];
    sim_scene_begin();
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (size_t round = 0; round < 4200; round++) {
            size_t bytes = sizes[size];
            void *made;
            SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, bytes, &made) == 0);
            if (round % 100 == 99) {
                SIM_WANT(adi_sim_copy(scene.q, host, made, bytes, ADI_SIM_WAIT) == 0);
                SIM_WANT(is_all(host, bytes, '\xde'));
            }
            SIM_WANT(adi_sim_fill(scene.q, made, 1, 1, bytes) == 0);
            SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
            SIM_WANT(adi_sim_free(made) == 0);
        }
    }
    sim_scene_end();
}

START_TEST(a_block_that_is_used_again_holds_poison)
{ free(sim_play(use_blocks_again, (struct sim_way){"eager", 1}, 0)); }
END_TEST

/* A kernel is handed all of its operands; and a page that a touch opens has poison, of its
 * neighbours, too, that nobody has used. */
static bool found;

static void look(const struct adi_sim_operand *operands, void *state) {
    (void)state;
    found = is_all(operands[0].pointer, operands[0].bytes, '\xde');
}

static void look_at_all(void) {
    void *large, *small[4];
    sim_scene_begin();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 3 << 20, &large) == 0);
    struct adi_sim_operand all = {large, 3 << 20, false};
    SIM_WANT(adi_sim_launch(scene.q, look, NULL, &all, 1) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(found);
    SIM_WANT(adi_sim_free(large) == 0);
    for (size_t i = 0; i < 4; i++)
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64, &small[i]) == 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 3 << 20, &large) == 0);
    for (size_t i = 0; i < 4; i++) SIM_WANT(*at(small[i], i) == '\xde');
    SIM_WANT(*at(large, 1 << 20) == '\xde' && *at(large, (3 << 20) - 1) == '\xde');
    for (size_t i = 0; i < 4; i++) SIM_WANT(adi_sim_free(small[i]) == 0);
    SIM_WANT(adi_sim_free(large) == 0);
    sim_scene_end();
}

START_TEST(kernels_and_touches_meet_poison_where_nobody_has_written)
{ sim_is_named(look_at_all, "device-memory-touched", SIM_AT_LEAST_ONCE); }
END_TEST

/* ---- what is made and destroyed ---- */

#define QUARANTINE 65536

static void make_event(void) {
    adi_sim_event event;
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    SIM_WANT(adi_sim_event_destroy(event) == 0);
}

static void record_and_wait(void) {
    adi_sim_event event;
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    SIM_WANT(adi_sim_event_record(event, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, event) == 0);
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.r) == 0);
}

static void make_queue(void) {
    adi_sim_queue queue;
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
}

/* With work that is waited for only later, by way of another queue. */
static void use_queue(void) {
    adi_sim_queue queue;
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_event_wait(queue, scene.e) == 0);
    SIM_WANT(adi_sim_fill(queue, scene.a, 1, 1, 64) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, queue) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    SIM_WANT(adi_sim_event_sync(scene.e) == 0);
}

static const struct making {
    void (*make)(void);
} makings[] = {
    {make_event},
    {record_and_wait},
    {make_queue},
    {use_queue},
};

#define MAKINGS (sizeof makings / sizeof *makings)

static const struct making *making;

/* Once the quarantine is full, nothing is added to it. */
static void make_many(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    for (size_t i = 0; i < QUARANTINE + QUARANTINE / 2; i++) making->make();
    size_t before = sim_heap_bytes();
    for (size_t i = 0; i < 2 * QUARANTINE; i++) making->make();
    SIM_WANT(sim_heap_bytes() < before + ((size_t)64 << 10));
    sim_scene_end();
}

START_TEST(what_is_made_and_destroyed_leaves_nothing)
{
    making = &makings[_i];
    free(sim_play(make_many, (struct sim_way){"lazy", 1}, 0));
}
END_TEST

/* ---- handles ---- */

/* So many others are destroyed behind it before the handle is given again. */
static void give_again(void) {
    adi_sim_event first, event;
    size_t n = 0;
    sim_scene_begin();
    SIM_WANT(adi_sim_event_create(scene.context, &first) == 0);
    SIM_WANT(adi_sim_event_destroy(first) == 0);
    do {
        SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
        SIM_WANT(adi_sim_event_destroy(event) == 0);
    } while (event != first && ++n < 3 * (size_t)QUARANTINE);
    SIM_WANT(n == QUARANTINE);
    sim_scene_end();
}

START_TEST(a_handle_is_given_again_when_many_others_were_destroyed)
{ free(sim_play(give_again, (struct sim_way){"lazy", 1}, 0)); }
END_TEST

static void destroy_twice_much_later(void) {
    adi_sim_queue queue;
    adi_sim_event event;
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    for (size_t i = 0; i < QUARANTINE; i++) make_queue();
    for (size_t i = 0; i < QUARANTINE; i++) make_event();
    SIM_WANT(adi_sim_queue_destroy(queue) == EBADF);
    SIM_WANT(adi_sim_event_destroy(event) == EBADF);
    sim_scene_end();
}

START_TEST(until_then_a_second_destruction_is_named)
{
    char *log = sim_play(destroy_twice_much_later, (struct sim_way){"lazy", 1}, 0);
    ck_assert_uint_eq(sim_count(log, "double-destroy"), 2);
    ck_assert_uint_eq(sim_count_errors(log), 2);
    free(log);
}
END_TEST

/* How often the handle of an event that was destroyed is the next one's. */
static size_t n_again(void) {
    adi_sim_event one, other;
    size_t n = 0;
    for (int i = 0; i < 64; i++) {
        SIM_WANT(adi_sim_event_create(scene.context, &one) == 0);
        SIM_WANT(adi_sim_event_destroy(one) == 0);
        SIM_WANT(adi_sim_event_create(scene.context, &other) == 0);
        SIM_WANT(adi_sim_event_destroy(other) == 0);
        n += one == other;
    }
    return n;
}

static void meet_a_handle_again(void) {
    sim_scene_begin();
    SIM_WANT(n_again() > 8);
    sim_scene_end();
}

static void meet_it_never(void) {
    sim_scene_begin();
    SIM_WANT(n_again() == 0);
    sim_scene_end();
}

/* The wait of the second is that for the first, which has long been. */
static void remember_an_event(void) {
    adi_sim_event known = NULL, event;
    sim_scene_begin();
    for (int i = 0; i < 16; i++) {
        SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
        SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, 64) == 0);
        SIM_WANT(adi_sim_event_record(event, scene.q) == 0);
        if (event != known) SIM_WANT(adi_sim_event_wait(scene.r, event) == 0);
        known = event;
        SIM_WANT(adi_sim_copy(scene.r, scene.b, scene.a, 64, 0) == 0);
        SIM_WANT(adi_sim_queue_sync(scene.r) == 0);
        SIM_WANT(adi_sim_event_destroy(event) == 0);
    }
    sim_scene_end();
}

START_TEST(who_remembers_an_event_by_its_handle_is_met_at_random)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct sim_way way = {"random", seed};
        free(sim_play(meet_a_handle_again, way, 0));
        char *log = sim_play(remember_an_event, way, 0),
             *same = sim_play(remember_an_event, way, 0);
        ck_assert_uint_gt(sim_count(log, "race"), 0);
        ck_assert_str_eq(log, same);
        free(log);
        free(same);
    }
    free(sim_play(meet_it_never, (struct sim_way){"lazy", 1}, 0));
    free(sim_play(meet_it_never, (struct sim_way){"eager", 1}, 0));
    char *log = sim_play(remember_an_event, (struct sim_way){"lazy", 1}, 0);
    ck_assert_uint_eq(sim_count_errors(log), 0);
    free(log);
}
END_TEST

Suite *sim_resident_suite(void) {
    Suite *suite = suite_create("sim_resident");
    TCase *tests = tcase_create("resident");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, of_device_memory_only_what_is_used_is_resident);
    tcase_add_test(tests, a_block_that_is_used_again_holds_poison);
    tcase_add_test(tests, kernels_and_touches_meet_poison_where_nobody_has_written);
    tcase_add_loop_test(tests, what_is_made_and_destroyed_leaves_nothing, 0, (int)MAKINGS);
    tcase_add_test(tests, a_handle_is_given_again_when_many_others_were_destroyed);
    tcase_add_test(tests, until_then_a_second_destruction_is_named);
    tcase_add_test(tests, who_remembers_an_event_by_its_handle_is_met_at_random);
    suite_add_tcase(suite, tests);
    return suite;
}
