/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on the simulation, each played in a process of its own, for the engine starts once.
 */
#ifndef TESTS_SIM_PLAYED_H
#define TESTS_SIM_PLAYED_H

#include <stdbool.h>
#include <stddef.h>

#include "sim.h"

/* A policy as programs are played under it. */
struct sim_way {
    const char *policy;
    unsigned seed;
};

/* lazy, eager, and `random` with 5 seeds (100 if ADI_TEST_FULL is set, 1 if ADI_TEST_SHORT is); the
 * number of ways. */
size_t sim_ways(void);
struct sim_way sim_way_at(size_t index);

/* Settings for what is played next, on top of the way: name, value; "" takes it back. */
void sim_play_with(const char *name, const char *value);
/* Plays it and gives its log, NUL-terminated, which is the caller's to free. The process must exit
 * with 0; with `wanted_signal`, die of that. */
char *sim_play(void (*program)(void), struct sim_way way, int wanted_signal);

/* Plays it in the first so many ways; no log names an error. */
void sim_goes_well(void (*program)(void), size_t ways);
/* Plays it in every way; each log has so many violations of this name, and no other error. */
void sim_is_named(void (*program)(void), const char *violation, size_t times);
#define SIM_AT_LEAST_ONCE 0
/* A program in two ways: one commits the violation, its twin none. */
struct sim_pair {
    void (*play)(bool wrong);
    const char *violation;
};
/* sim_is_named and sim_goes_well of a pair, each between `begin` and `end`. */
void sim_tells_apart(const struct sim_pair *pair, void (*begin)(void), void (*end)(void),
                     size_t times);
/* Plays it lazily; its log has each of the texts (NULL: none) in one line. */
void sim_expect(void (*program)(void), const char *one, const char *two, const char *three);

/* How many violations of level error a log has, and how many of them (or notes) of this name. */
size_t sim_count_errors(const char *log);
size_t sim_count(const char *log, const char *violation);
/* How many lines have this in them. */
size_t sim_count_text(const char *log, const char *text);

/* Within a program: ends it with status 2 and the line unless it holds. */
#define SIM_WANT(condition) sim_want(condition, #condition, __FILE__, __LINE__)
void sim_want(bool holds, const char *what, const char *file, int line);

/* What most programs begin and end with: a context of ext_dev:0, two queues, two events, 4096 bytes
 * each of device (twice), pinned and managed memory. */
extern struct sim_scene {
    adi_sim_context context;
    adi_sim_queue q, r;
    adi_sim_event e, f;
    char *a, *b, *pinned, *managed;
} scene;

#define SCENE_BYTES 4096

/* Of a page of this machine: SCENE_BYTES, or a multiple. */
size_t sim_page_bytes(void);

/* A byte that is touched just when the program says so. */
static inline volatile char *at(char *bytes, size_t offset) {
    return &bytes[offset];
}

void sim_scene_begin(void);
void sim_scene_end(void);

#endif /* TESTS_SIM_PLAYED_H */
