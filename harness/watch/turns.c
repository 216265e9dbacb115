/* SPDX-License-Identifier: Apache-2.0 */
#include "turns.h"

#include <stddef.h>
#include <unistd.h>

#include "grace_period.h"

#define IDLE_US  50
#define DELAY_US 400
#define LOST_MS  1000 /* without a point */
#define ONE_IN   3    /* points has a delay */
#define OFFERS   64   /* until one is used again */

/* What an implementation is given of one schedule: whoever comes with that of an earlier one is
 * late.
 */
struct offer {
    struct adi_async_schedule schedule; /* first */
    struct adi_turns *_Atomic turns;
    _Atomic uint64_t epoch;
};

static struct offer offers[OFFERS];
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

static int planned(struct adi_turns *turns, int from) {
    const struct adi_turns_plan *plan = &turns->plan;
    for (int i = 0; i < ADI_TURNS_CHANGES && plan->random != 0; i++)
        if (turns->changes[i] == turns->points)
            turns->priorities[from] = (uint64_t)(ADI_TURNS_CHANGES - i);
    if (plan->random != 0) return by_priority(turns);
    for (int i = 0; i < ADI_TURNS_MOST; i++)
        if (plan->turns[i].at == turns->points && can_go(turns, plan->turns[i].actor))
            return plan->turns[i].actor;
    return in_order(turns, from);
}

static void note(struct adi_turns *turns, int from, int went) {
    if (turns->points > ADI_TURNS_NOTED) return;
    unsigned could = 0;
    for (int i = 0; i < turns->n; i++) could |= can_go(turns, i) ? 1U << i : 0;
    turns->noted[turns->points - 1] =
        (struct adi_turns_point){(unsigned char)from, (unsigned char)went, (unsigned char)could};
}

static void wake_all(struct adi_turns *turns) {
    for (int i = 0; i < ADI_TURNS_ACTORS; i++) pthread_cond_signal(&turns->goes[i]);
    pthread_cond_broadcast(&turns->changed);
}

/* Who may look again; who waited for nobody else to go on goes. -1: there is none. */
static int idle_one(struct adi_turns *turns) {
    int one = 0;
    while (one < turns->n && (turns->has_ended[one] || turns->idles[one] != ADI_TURNS_AWAITS))
        one++;
    if (one == turns->n) return -1;
    turns->idles[one] = ADI_TURNS_IDLE;
    return one;
}

static void pass_on(struct adi_turns *turns, int from) {
    turns->points++;
    turns->current = planned(turns, from);
    note(turns, from, turns->current);
    if (turns->current < 0) turns->current = idle_one(turns);
    if (turns->current < 0) turns->is_free = true; /* all wait, or have ended */
    if (turns->is_free)
        wake_all(turns);
    else if (turns->current != from)
        pthread_cond_signal(&turns->goes[turns->current]);
}

/* -1: there is no room. A thread may take part in one schedule after the other. */
static int number_of(struct adi_turns *turns) {
    if (self.epoch == turns->epoch) return self.number;
    if (turns->n == ADI_TURNS_ACTORS) return -1;
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
    struct adi_grace_period grace = adi_grace_period(LOST_MS);
    int points = turns->points;
    while (turns->current != number && !turns->is_free) {
        bool goes_on = adi_grace_period_await(&grace, &turns->goes[number], &turns->lock);
        if (turns->points != points) {
            grace = adi_grace_period(LOST_MS);
            points = turns->points;
        } else if (!goes_on) {
            turns->is_free = turns->is_lost = true;
            wake_all(turns);
        }
    }
}

/* Who has waited may look again. */
static void wait_no_more(struct adi_turns *turns) {
    for (int i = 0; i < turns->n; i++) turns->waits[i] = false;
}

static void take_turn(struct adi_turns *turns, int number, bool waits) {
    if (waits)
        turns->waits[number] = true;
    else
        wait_no_more(turns);
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
    if (--turns->inside == 0) pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
    if (number < 0) idle(turns, waits);
}

void adi_turns_join(struct adi_turns *turns) {
    come_to_point(turns, true, false);
}

void adi_turns_point(struct adi_turns *turns, bool waits) {
    come_to_point(turns, false, waits);
}

bool adi_turns_await_idle(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    bool takes_part = self.epoch == turns->epoch && !turns->is_free && !turns->has_delays;
    if (takes_part) turns->idles[self.number] = ADI_TURNS_AWAITS;
    pthread_mutex_unlock(&turns->lock);
    if (!takes_part) return true;
    come_to_point(turns, false, true);
    pthread_mutex_lock(&turns->lock);
    bool is_idle = turns->is_free || turns->idles[self.number] == ADI_TURNS_IDLE;
    turns->idles[self.number] = ADI_TURNS_GOES;
    pthread_mutex_unlock(&turns->lock);
    return is_idle;
}

void adi_turns_changed(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    if (self.epoch == turns->epoch) wait_no_more(turns);
    pthread_mutex_unlock(&turns->lock);
}

static void point(struct adi_async_schedule *schedule, enum adi_async_point at, const char *what) {
    struct offer *offer = (struct offer *)(void *)schedule;
    struct adi_turns *turns = offer->turns;
    bool waits = at == ADI_ASYNC_WAITS;
    (void)what;
    pthread_mutex_lock(&turns->lock);
    bool is_late = offer->epoch != turns->epoch;
    pthread_mutex_unlock(&turns->lock);
    if (is_late)
        usleep(waits ? IDLE_US : 0);
    else if (at == ADI_ASYNC_AFTER_UNLOCK || at == ADI_ASYNC_AFTER_CALLBACK)
        adi_turns_changed(turns);
    else
        come_to_point(turns, true, waits);
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
    for (int i = 0; i < ADI_TURNS_ACTORS; i++) {
        turns->has_ended[i] = turns->waits[i] = false;
        turns->idles[i] = ADI_TURNS_GOES;
    }
    for (int i = 0; i < ADI_TURNS_CHANGES; i++)
        turns->changes[i] = 1 + (int)(draw(&turns->random) % (uint64_t)(plan->points + 1));
    turns->priorities[0] = draw(&turns->random) | 1 << 8;
    self.epoch = turns->epoch;
    self.number = 0;
}

void adi_turns_begin(struct adi_turns *out, const struct adi_turns_plan *plan) {
    if (out->epoch == 0) {
        pthread_mutex_init(&out->lock, NULL);
        pthread_cond_init(&out->changed, NULL);
        for (int i = 0; i < ADI_TURNS_ACTORS; i++) pthread_cond_init(&out->goes[i], NULL);
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
    struct offer *offer = &offers[turns->epoch % OFFERS];
    turns->is_asked = true;
    offer->schedule = (struct adi_async_schedule){point, true};
    offer->turns = turns;
    offer->epoch = turns->epoch;
    pthread_mutex_unlock(&turns->lock);
    return &offer->schedule;
}

bool adi_turns_await(struct adi_turns *turns, int n, int ms) {
    struct adi_grace_period grace = adi_grace_period(ms);
    pthread_mutex_lock(&turns->lock);
    while (turns->n < n && adi_grace_period_await(&grace, &turns->changed, &turns->lock)) continue;
    bool are_there = turns->n >= n;
    pthread_mutex_unlock(&turns->lock);
    return are_there;
}

void adi_turns_leave(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    int number = self.epoch == turns->epoch ? self.number : -1;
    if (number >= 0) {
        turns->has_ended[number] = true;
        wait_no_more(turns);
        if (turns->current == number) pass_on(turns, number);
    }
    pthread_mutex_unlock(&turns->lock);
}

void adi_turns_let(struct adi_turns *turns) {
    pthread_mutex_lock(&turns->lock);
    turns->is_free = true;
    wake_all(turns);
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
