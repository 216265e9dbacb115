/* SPDX-License-Identifier: Apache-2.0 */
#include "turns.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#define IDLE_US   50
#define DELAY_US  400
#define LOST_MS   100 /* without a point */
#define ONE_IN    3   /* points has a delay */
#define SECOND_NS 1000000000L
#define MS_NS     1000000L

static struct adi_turns *_Atomic present;
static uint64_t epochs;
static _Thread_local struct {
    uint64_t epoch;
    int number;
} self; /* epoch 0: in none yet */

static uint64_t draw(uint64_t *random) {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static struct timespec in_ms(int ms) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms % 1000 * MS_NS;
    until.tv_sec += ms / 1000 + until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    return until;
}

/* ---- who goes on; within the lock ---- */

static bool can_go(const struct adi_turns *turns, int actor) {
    return actor < turns->n && !turns->has_ended[actor] && !turns->waits[actor];
}

/* The one that goes, or else the next one that can; -1: none. */
static int in_order(const struct adi_turns *turns, int from) {
    for (int i = 0; i < turns->n; i++)
        if (can_go(turns, (from + i) % turns->n)) return (from + i) % turns->n;
    return -1;
}

static int by_priority(const struct adi_turns *turns) {
    int first = -1;
    for (int i = 0; i < turns->n; i++)
        if (can_go(turns, i) && (first < 0 || turns->priorities[i] > turns->priorities[first]))
            first = i;
    return first;
}

static int next_of(struct adi_turns *turns, int from) {
    const struct adi_turns_plan *plan = &turns->plan;
    for (int i = 0; i < ADI_TURNS_MOST; i++) {
        if (plan->random != 0 && turns->changes[i] == turns->points)
            turns->priorities[from] = (uint64_t)(ADI_TURNS_MOST - i);
        if (plan->random == 0 && plan->preemptions[i].at == turns->points &&
            can_go(turns, plan->preemptions[i].actor))
            return plan->preemptions[i].actor;
    }
    return plan->random != 0 ? by_priority(turns) : in_order(turns, from);
}

static void pass_on(struct adi_turns *turns, int from) {
    turns->current = next_of(turns, from);
    if (turns->current < 0) turns->is_free = true; /* all wait, or have ended */
    pthread_cond_broadcast(&turns->changed);
}

/* -1: it came from an earlier schedule, or there is no room. */
static int number_of(struct adi_turns *turns) {
    if (self.epoch == turns->epoch) return self.number;
    if (self.epoch != 0 || turns->n == ADI_TURNS_ACTORS) return -1;
    self.epoch = turns->epoch;
    self.number = turns->n++;
    turns->priorities[self.number] = draw(&turns->random) | 1 << 8;
    pthread_cond_broadcast(&turns->changed);
    return self.number;
}

/* ---- points ---- */

static void idle(struct adi_turns *turns, bool waits) {
    pthread_mutex_lock(&turns->lock);
    uint64_t drawn = draw(&turns->random);
    bool delays = turns->has_delays && !turns->is_free && drawn % ONE_IN == 0;
    pthread_mutex_unlock(&turns->lock);
    if (waits || delays) usleep(delays ? (useconds_t)(drawn / ONE_IN % DELAY_US) : IDLE_US);
}

/* Until it is its turn. */
static void await_turn(struct adi_turns *turns, int number) {
    struct timespec until = in_ms(LOST_MS);
    int points = turns->points;
    while (turns->current != number && !turns->is_free) {
        int code = pthread_cond_timedwait(&turns->changed, &turns->lock, &until);
        if (turns->points != points)
            until = in_ms(LOST_MS);
        else if (code == ETIMEDOUT)
            turns->is_free = turns->is_lost = true;
        points = turns->points;
    }
    pthread_cond_broadcast(&turns->changed);
}

static void take_turn(struct adi_turns *turns, int number, bool waits) {
    turns->waits[number] = waits;
    if (!waits) {
        turns->points++;
        for (int i = 0; i < turns->n; i++) turns->waits[i] = false;
    }
    if (turns->current == number) pass_on(turns, number);
    await_turn(turns, number);
    turns->waits[number] = false;
}

static void come_to_point(struct adi_turns *turns, bool joins, bool waits) {
    pthread_mutex_lock(&turns->lock);
    bool is_new = self.epoch != turns->epoch;
    bool is_free = turns->has_delays || turns->is_free;
    int number = is_free || (is_new && !joins) ? -1 : number_of(turns);
    if (number >= 0 && turns->has_ended[number]) number = -1;
    turns->inside++;
    if (number >= 0 && is_new) /* it comes when it is let, and that is no point yet */
        await_turn(turns, number);
    else if (number >= 0)
        take_turn(turns, number, waits);
    turns->inside--;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
    if (number < 0) idle(turns, waits);
}

void adi_turns_join(struct adi_turns *turns) {
    come_to_point(turns, true, false);
}

void adi_turns_point(struct adi_turns *turns, bool waits) {
    come_to_point(turns, false, waits);
}

static void point(struct adi_async_schedule *schedule, enum adi_async_point at, const char *what) {
    struct adi_turns *turns = (struct adi_turns *)(void *)schedule;
    (void)what;
    come_to_point(turns, true, at == ADI_ASYNC_WAITS);
}

/* ---- its life ---- */

/* Within the lock: as it is at first. */
static void reset(struct adi_turns *turns, const struct adi_turns_plan *plan) {
    turns->plan = *plan;
    turns->epoch = ++epochs;
    turns->n = 1;
    turns->current = turns->points = 0;
    turns->is_free = turns->is_lost = turns->is_asked = turns->has_delays = false;
    turns->random = plan->random * UINT64_C(0x9e3779b97f4a7c15) | 1;
    for (int i = 0; i < ADI_TURNS_ACTORS; i++) turns->has_ended[i] = turns->waits[i] = false;
    for (int i = 0; i < ADI_TURNS_MOST; i++)
        turns->changes[i] = 1 + (int)(draw(&turns->random) % (uint64_t)(plan->points + 1));
    turns->priorities[0] = draw(&turns->random) | 1 << 8;
    self.epoch = turns->epoch;
    self.number = 0;
}

void adi_turns_begin(struct adi_turns *out, const struct adi_turns_plan *plan) {
    if (out->schedule.point == NULL) {
        out->schedule = (struct adi_async_schedule){point, true};
        pthread_mutex_init(&out->lock, NULL);
        pthread_cond_init(&out->changed, NULL);
    }
    pthread_mutex_lock(&out->lock);
    reset(out, plan);
    pthread_mutex_unlock(&out->lock);
    present = out;
}

void adi_turns_end(struct adi_turns *turns) {
    present = NULL;
    adi_turns_let(turns);
    pthread_mutex_lock(&turns->lock);
    while (turns->inside > 0) pthread_cond_wait(&turns->changed, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

struct adi_async_schedule *adi_turns_offer(void) {
    struct adi_turns *turns = present;
    if (turns == NULL) return NULL;
    pthread_mutex_lock(&turns->lock);
    turns->is_asked = true;
    pthread_mutex_unlock(&turns->lock);
    return &turns->schedule;
}

bool adi_turns_await(struct adi_turns *turns, int n, int ms) {
    struct timespec until = in_ms(ms);
    int code = 0;
    pthread_mutex_lock(&turns->lock);
    while (turns->n < n && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&turns->changed, &turns->lock, &until);
    bool are_there = turns->n >= n;
    pthread_mutex_unlock(&turns->lock);
    return are_there;
}

void adi_turns_leave(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    int number = self.epoch == turns->epoch ? self.number : -1;
    if (number >= 0) {
        turns->has_ended[number] = true;
        for (int i = 0; i < turns->n; i++) turns->waits[i] = false;
        if (turns->current == number) pass_on(turns, number);
    }
    pthread_mutex_unlock(&turns->lock);
}

void adi_turns_let(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    turns->is_free = true;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}

bool adi_turns_are_let(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    bool are = turns->is_free;
    pthread_mutex_unlock(&turns->lock);
    return are;
}

void adi_turns_delay(struct adi_turns *turns, uint64_t seed) {
    pthread_mutex_lock(&turns->lock);
    turns->has_delays = true;
    turns->random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}
