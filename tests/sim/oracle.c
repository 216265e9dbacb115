/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs, whose races are worked out a second time in the plainest way: which commands are
 * before which is a set a command, and every byte has its last writer and its readers. The engine
 * must report a race at the same commands, and at no other.
 */
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_oracle_suite(void);

#define COMMANDS 256
#define QUEUES   5
#define EVENTS   4
#define BYTES    512

struct set {
    uint64_t bits[COMMANDS / 64];
};

static struct oracle {
    struct set queues[QUEUES], events[EVENTS], host;
    struct set readers[BYTES];
    int writer[BYTES]; /* -1: the host, before all */
    bool recorded[EVENTS];
} oracle;

static adi_sim_queue queues[QUEUES];
static adi_sim_event events[EVENTS];
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(state >> 33) % below;
}

static void unite(struct set *into, const struct set *from) {
    for (size_t i = 0; i < COMMANDS / 64; i++) into->bits[i] |= from->bits[i];
}

static bool has(const struct set *set, int command) {
    return command < 0 || set->bits[command / 64] >> (command % 64) & 1;
}

static void add(struct set *set, int command) {
    set->bits[command / 64] |= (uint64_t)1 << (command % 64);
}

static bool has_all(const struct set *set, const struct set *others) {
    for (size_t i = 0; i < COMMANDS / 64; i++)
        if (others->bits[i] & ~set->bits[i]) return false;
    return true;
}

/* The access as the oracle sees it: is it a race? */
static bool access(struct set *queue, int command, size_t start, size_t end, bool writes) {
    bool races = false;
    unite(queue, &oracle.host);
    for (size_t i = start; i < end; i++) {
        races = races || !has(queue, oracle.writer[i]);
        if (writes) races = races || !has_all(queue, &oracle.readers[i]);
        if (writes) {
            oracle.writer[i] = command;
            oracle.readers[i] = (struct set){{0}};
        } else {
            add(&oracle.readers[i], command);
        }
    }
    add(queue, command);
    return races;
}

static void look(const struct adi_sim_operand *operands, void *unused) {
    (void)operands;
    (void)unused;
}

/* A write or a read of some bytes, in the engine and in the oracle. */
static void touch(int command, char *bytes) {
    size_t start = draw(BYTES), end = start + 1 + draw(64), which = draw(QUEUES);
    bool writes = draw(2) == 0;
    if (end > BYTES) end = BYTES;
    uint64_t before = adi_sim_violations();
    if (writes) {
        SIM_WANT(adi_sim_fill(queues[which], bytes + start, 1, 1, end - start) == 0);
    } else {
        struct adi_sim_operand operand = {bytes + start, end - start, false};
        SIM_WANT(adi_sim_launch(queues[which], look, NULL, &operand, 1) == 0);
    }
    bool raced = adi_sim_violations() != before;
    SIM_WANT(raced == access(&oracle.queues[which], command, start, end, writes));
}

/* Something that orders. */
static void order(void) {
    size_t queue = draw(QUEUES), event = draw(EVENTS);
    switch (draw(8)) {
    case 0:
        SIM_WANT(adi_sim_queue_sync(queues[queue]) == 0);
        unite(&oracle.host, &oracle.queues[queue]);
        break;
    case 1:
        if (!oracle.recorded[event]) break;
        SIM_WANT(adi_sim_event_sync(events[event]) == 0);
        unite(&oracle.host, &oracle.events[event]);
        break;
    case 2:
    case 3:
    case 4:
        if (!oracle.recorded[event]) break;
        SIM_WANT(adi_sim_event_wait(queues[queue], events[event]) == 0);
        unite(&oracle.queues[queue], &oracle.host);
        unite(&oracle.queues[queue], &oracle.events[event]);
        break;
    default:
        SIM_WANT(adi_sim_event_record(events[event], queues[queue]) == 0);
        unite(&oracle.queues[queue], &oracle.host);
        oracle.events[event] = oracle.queues[queue];
        oracle.recorded[event] = true;
    }
}

static uint64_t program_seed;
static unsigned ordering; /* of 16 steps, how many order */

static void random_program(void) {
    sim_scene_begin();
    state = program_seed;
    memset(oracle.writer, -1, sizeof oracle.writer);
    for (size_t i = 0; i < QUEUES; i++)
        SIM_WANT(adi_sim_queue_create(scene.context, 0, &queues[i]) == 0);
    for (size_t i = 0; i < EVENTS; i++)
        SIM_WANT(adi_sim_event_create(scene.context, &events[i]) == 0);
    char *bytes = program_seed % 2 == 0 ? scene.a : scene.managed;
    for (int command = 0; command < COMMANDS;)
        if (draw(16) < ordering)
            order();
        else
            touch(command++, bytes);
    for (size_t i = 0; i < QUEUES; i++) SIM_WANT(adi_sim_queue_destroy(queues[i]) == 0);
    for (size_t i = 0; i < EVENTS; i++) SIM_WANT(adi_sim_event_destroy(events[i]) == 0);
    sim_scene_end();
}

START_TEST(races_are_those_of_the_oracle)
{
    size_t races = 0;
    for (size_t i = 0; i < sim_ways(); i++) {
        for (ordering = 2; ordering <= 15; ordering += i < 2 ? 3 : 6) {
            program_seed = i * 100 + ordering;
            char *log = sim_play(random_program, sim_way_at(i), 0);
            races += sim_count(log, "race");
            ck_assert_uint_eq(sim_count(log, "race"), sim_count_errors(log));
            free(log);
        }
    }
    ck_assert_uint_gt(races, 100);
}
END_TEST

Suite *sim_oracle_suite(void) {
    Suite *suite = suite_create("sim_oracle");
    TCase *tests = tcase_create("oracle");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, races_are_those_of_the_oracle);
    suite_add_tcase(suite, tests);
    return suite;
}
