/* SPDX-License-Identifier: Apache-2.0 */
#include "async_turns.h"

#include <stddef.h>

static _Thread_local int self = -1;

int turns_self(void) {
    return self;
}

/* Within the lock: the next one after `from` who has not ended; -1: none. */
static int somebody(const struct turns *turns, int from) {
    for (int i = 1; i <= TURNS_ACTORS; i++)
        if (!turns->has_ended[(from + i) % TURNS_ACTORS]) return (from + i) % TURNS_ACTORS;
    return -1;
}

static int random_one(struct turns *turns) {
    turns->random ^= turns->random << 13;
    turns->random ^= turns->random >> 7;
    turns->random ^= turns->random << 17;
    return turns->random % 4 != 0 ? self : (int)(turns->random / 4 % TURNS_ACTORS);
}

static int who_goes_on(struct turns *turns, bool waits) {
    if (waits) {
        if (++turns->idle > 2 * TURNS_ACTORS) turns->is_stuck = true;
        return somebody(turns, self);
    }
    turns->idle = 0;
    turns->points++;
    int next = turns->random != 0 ? random_one(turns) : self;
    for (int i = 0; i < TURNS_MOST; i++)
        if (turns->preemptions[i].at == turns->points) next = turns->preemptions[i].actor;
    return turns->has_ended[next] ? self : next;
}

static void point(struct adi_async_schedule *schedule, enum adi_async_point at, const char *what) {
    struct turns *turns = (void *)schedule;
    (void)what;
    if (self < 0) return;
    pthread_mutex_lock(&turns->lock);
    turns->current = who_goes_on(turns, at == ADI_ASYNC_WAITS);
    pthread_cond_broadcast(&turns->changed);
    while (turns->current != self || turns->is_stuck)
        pthread_cond_wait(&turns->changed, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

void turns_open(struct turns *out) {
    *out = (struct turns){.schedule = {point, true}};
    pthread_mutex_init(&out->lock, NULL);
    pthread_cond_init(&out->changed, NULL);
}

struct start {
    struct turns *turns;
    int actor;
    struct turns_actor what;
};

static void *play(void *start_at) {
    struct start *start = start_at;
    struct turns *turns = start->turns;
    self = start->actor;
    pthread_mutex_lock(&turns->lock);
    while (turns->current != self) pthread_cond_wait(&turns->changed, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
    start->what.act(start->what.state);
    pthread_mutex_lock(&turns->lock);
    turns->has_ended[self] = true;
    turns->idle = 0;
    turns->current = somebody(turns, self);
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
    return NULL;
}

bool turns_play(struct turns *turns, const struct turns_actor actors[TURNS_ACTORS]) {
    static struct start starts[TURNS_ACTORS];
    pthread_t threads[TURNS_ACTORS];
    for (int i = 0; i < TURNS_ACTORS; i++) {
        starts[i] = (struct start){turns, i, actors[i]};
        if (pthread_create(&threads[i], NULL, play, &starts[i]) != 0) return false;
    }
    pthread_mutex_lock(&turns->lock);
    while (turns->current != -1 && !turns->is_stuck)
        pthread_cond_wait(&turns->changed, &turns->lock);
    bool is_stuck = turns->is_stuck;
    pthread_mutex_unlock(&turns->lock);
    if (is_stuck) return false;
    for (int i = 0; i < TURNS_ACTORS; i++) pthread_join(threads[i], NULL);
    return true;
}
