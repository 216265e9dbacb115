/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks beside plain vectors, which say the same at every step of random programs, and what
 * the clocks cost where vectors would be dear.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

Suite *sim_clock_suite(void);

#define MOST    1000
#define RECORDS 16

/* What is before the next command of one: of each component up to which command. */
struct vector {
    uint64_t at[MOST];
};

static struct party {
    uint32_t component;
    uint64_t seq;
    struct sim_clock clock;
    struct vector plain;
} parties[MOST], gone;

static struct record {
    size_t of;
    uint64_t seq;
    struct sim_clock clock;
    struct vector plain;
} records[RECORDS];

static struct vector host;
static size_t n_parties;
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(state >> 33) % below;
}

static void unite(struct vector *into, const struct vector *from) {
    for (size_t i = 0; i < n_parties; i++)
        if (into->at[i] < from->at[i]) into->at[i] = from->at[i];
}

static void know(struct vector *vector, size_t of, uint64_t seq) {
    if (vector->at[of] < seq) vector->at[of] = seq;
}

static void begin(size_t n, uint64_t seed) {
    state = seed;
    n_parties = n;
    memset(&host, 0, sizeof host);
    memset(records, 0, sizeof records);
    memset(&gone, 0, sizeof gone);
    for (size_t i = 0; i < n; i++) {
        parties[i] = (struct party){0};
        ck_assert_int_eq(sim_clock_component(NULL, &parties[i].component), 0);
    }
}

static void end(void) {
    for (size_t i = 0; i < n_parties; i++) sim_clock_free(&parties[i].clock);
    for (size_t i = 0; i < RECORDS; i++) sim_clock_free(&records[i].clock);
    sim_clock_free(&gone.clock);
}

static struct sim_tick tick(size_t of, uint64_t seq) {
    return (struct sim_tick){parties[of].component, seq};
}

static void record(size_t of, size_t at) {
    struct party *party = &parties[of];
    sim_clock_free(&records[at].clock);
    records[at] =
        (struct record){of, ++party->seq, sim_clock_copy(&party->clock), .plain = party->plain};
}

static void join(size_t of, size_t other, uint64_t seq, const struct sim_clock *clock,
                 const struct vector *plain) {
    ck_assert_int_eq(
        sim_clock_join(&parties[of].clock, tick(of, parties[of].seq + 1), clock, tick(other, seq)),
        0);
    unite(&parties[of].plain, plain);
    know(&parties[of].plain, other, seq);
}

/* As an event is waited on, and as blocking queues are ordered with the default one: there may be
 * no command that says so, and the clock of the other may have grown without one. */
static void wait(size_t of, size_t at) {
    if (records[at].seq > 0)
        join(of, records[at].of, records[at].seq, &records[at].clock, &records[at].plain);
    if (draw(8) > 0) parties[of].seq++;
}

static void order(size_t of, size_t other) {
    join(of, other, parties[other].seq, &parties[other].clock, &parties[other].plain);
    parties[of].seq += draw(2);
}

/* The host waits for a record; or it hears of a command that it is over, and of no more. */
static void learn(size_t at) {
    if (records[at].seq == 0) return;
    sim_clock_learn(parties[records[at].of].component, records[at].seq);
    sim_clock_learn_all(&records[at].clock);
    unite(&host, &records[at].plain);
    know(&host, records[at].of, records[at].seq);
}

static void host_learns(size_t of) {
    uint64_t seq = draw((uint32_t)parties[of].seq + 1);
    sim_clock_learn(parties[of].component, seq);
    know(&host, of, seq);
}

static void leave(size_t of) {
    ck_assert_int_eq(sim_clock_join(&gone.clock, (struct sim_tick){SIM_HOST, SIM_NEVER},
                                    &parties[of].clock, tick(of, parties[of].seq)),
                     0);
    unite(&gone.plain, &parties[of].plain);
    know(&gone.plain, of, parties[of].seq);
}

static void end_of_gone(void) {
    sim_clock_learn_all(&gone.clock);
    unite(&host, &gone.plain);
    sim_clock_free(&gone.clock);
    gone = (struct party){0};
}

static void step(unsigned sync) {
    size_t of = draw((uint32_t)n_parties), other = draw((uint32_t)n_parties), at = draw(RECORDS);
    uint32_t which = draw(64);
    if (which < 30) {
        wait(of, at);
    } else if (which < 50) {
        record(of, at);
    } else if (which < 58) {
        order(of, other);
    } else if (draw(64) < sync) {
        learn(at);
    } else if (which == 58) {
        host_learns(of);
    } else if (which == 59) {
        leave(of);
    } else if (which == 60 && draw(8) == 0) {
        end_of_gone();
    }
}

/* To the very command. */
static bool is_same(size_t observer, size_t of) {
    const struct party *party = &parties[observer];
    uint64_t known = party->plain.at[of] > host.at[of] ? party->plain.at[of] : host.at[of];
    uint32_t component = parties[of].component;
    if (observer == of) return true;
    return sim_clock_before(component, known, party->component, &party->clock) &&
           !sim_clock_before(component, known + 1, party->component, &party->clock) &&
           sim_clock_learned(component) == host.at[of];
}

static bool are_same(size_t observer) {
    for (size_t of = 0; of < n_parties; of++)
        if (!is_same(observer, of)) return false;
    return true;
}

static void play(size_t n, size_t steps, unsigned sync, uint64_t seed) {
    begin(n, seed);
    size_t before = sim_heap_bytes(), wrong = 0;
    for (size_t i = 0; i < steps; i++) {
        step(sync);
        wrong += !are_same(draw((uint32_t)n));
    }
    for (size_t i = 0; i < n; i++) wrong += !are_same(i);
    ck_assert_uint_eq(wrong, 0);
    end();
    ck_assert_uint_eq(sim_heap_bytes(), before);
}

START_TEST(clocks_are_vectors)
{
    static const size_t sizes[] = {2, 3, 5, 20, 150};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned sync = 0; sync <= 64; sync = sync * 4 + 1)
            for (uint64_t seed = 0; seed < 6; seed++) play(sizes[i], 3000, sync, seed);
}
END_TEST

/* ---- what they cost ---- */

/* Each waits for the one before it. Every clock of the chain is kept. */
static size_t bytes_of_a_chain(size_t n) {
    begin(n, 0);
    size_t before = sim_heap_bytes();
    for (size_t i = 0; i < n; i++) {
        if (i > 0) wait(i, 0);
        record(i, 0);
    }
    size_t bytes = sim_heap_bytes() - before;
    for (size_t i = 0; i < n; i++) ck_assert(are_same(i));
    end();
    ck_assert_uint_eq(sim_heap_bytes(), before);
    return bytes;
}

START_TEST(a_chain_of_ten_times_as_many_is_not_a_hundred_times_as_dear)
{
    size_t hundred = bytes_of_a_chain(100), thousand = bytes_of_a_chain(1000);
    ck_assert_uint_gt(hundred, 0);
    ck_assert_uint_lt(thousand, 20 * hundred);
}
END_TEST

/* In every round each waits for eight others. In the end each knows of all, and no two the same:
 * that is a vector for each, and nothing dearer. */
START_TEST(where_all_wait_for_all_a_clock_is_a_vector)
{
    begin(MOST, 7);
    size_t before = sim_heap_bytes();
    for (size_t round = 0; round < 10; round++)
        for (size_t of = 0; of < MOST; of++) {
            for (size_t k = 0; k < 8; k++) order(of, draw(MOST));
            parties[of].seq++;
        }
    size_t vectors = MOST * MOST * sizeof(uint64_t);
    ck_assert_uint_gt(sim_heap_bytes() - before, vectors / 4);
    ck_assert_uint_lt(sim_heap_bytes() - before, 2 * vectors);
    for (size_t i = 0; i < MOST; i++) ck_assert(are_same(i));
    end();
    ck_assert_uint_eq(sim_heap_bytes(), before);
}
END_TEST

/* One waits for others that come and go, each of which the host waits for: what it knows already
 * does not pile up in the clock of the one. */
START_TEST(what_the_host_knows_is_forgotten)
{
    begin(MOST, 0);
    size_t before = sim_heap_bytes(), most = 0;
    for (size_t i = 1; i < MOST; i++) {
        record(i, 0);
        wait(0, 0);
        sim_clock_learn(parties[i].component, records[0].seq);
        if (sim_heap_bytes() > most) most = sim_heap_bytes();
    }
    ck_assert_uint_lt(most - before, 16384);
    ck_assert_uint_lt(sim_ticks_count(parties[0].clock.ticks), 100);
    end();
}
END_TEST

Suite *sim_clock_suite(void) {
    Suite *suite = suite_create("sim_clock");
    TCase *tests = tcase_create("clocks");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, clocks_are_vectors);
    tcase_add_test(tests, a_chain_of_ten_times_as_many_is_not_a_hundred_times_as_dear);
    tcase_add_test(tests, where_all_wait_for_all_a_clock_is_a_vector);
    tcase_add_test(tests, what_the_host_knows_is_forgotten);
    suite_add_tcase(suite, tests);
    return suite;
}
