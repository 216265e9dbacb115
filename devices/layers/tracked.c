/* SPDX-License-Identifier: Apache-2.0 */
#include "layers/tracked.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST (TRACKED_RECORDS / 2)

struct tracked_store tracked_store;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t used, held;

void objects_lock(void) {
    pthread_mutex_lock(&lock);
}

void objects_unlock(void) {
    pthread_mutex_unlock(&lock);
}

UNDER_LOCK(size_t, objects_references, (void), held)

/* ---- references ---- */

void tracked_retain(struct tracked *tracked) {
    tracked->references[adi_caller_party()]++;
    held += (size_t)adi_caller_party();
}

bool tracked_release(struct tracked *tracked) {
    int party = adi_caller_party();
    if (tracked->dead || tracked->references[party] == 0) return false;
    tracked->references[party]--;
    held -= (size_t)party;
    tracked->dead = tracked->references[0] + tracked->references[1] == 0;
    return true;
}

void tracked_die(struct tracked *tracked) {
    held -= tracked->references[1];
    memset(tracked->references, 0, sizeof tracked->references);
    tracked->dead = true;
}

/* ---- records ---- */

static struct tracked *at(size_t slot) {
    return (void *)((char *)tracked_store.records + slot % TRACKED_RECORDS * tracked_store.bytes);
}

bool objects_newest_held(const char *const *kinds, char out[ADI_INTERCEPTOR_HELD]) {
    const struct tracked *newest = NULL;
    objects_lock();
    for (size_t i = 0; i < TRACKED_RECORDS; i++)
        if (at(i)->references[1] > 0 && (newest == NULL || at(i)->serial > newest->serial))
            newest = at(i);
    if (newest != NULL)
        snprintf(out, ADI_INTERCEPTOR_HELD, "%s of %s", kinds[newest->kind], newest->made_by);
    objects_unlock();
    return newest != NULL;
}

static size_t home_of(uint64_t handle, unsigned kind) {
    uint64_t key = (handle ^ handle >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (size_t)(key + (tracked_store.by_kind ? kind : 0)) % TRACKED_RECORDS;
}

/* Its record, or the free one where it would be. */
static struct tracked *record_of(uint64_t handle, unsigned kind) {
    size_t slot = home_of(handle, kind);
    while (at(slot)->handle != 0 &&
           (at(slot)->handle != handle || (tracked_store.by_kind && at(slot)->kind != kind)))
        slot++;
    return at(slot);
}

struct object *tracked_find(uint64_t handle, unsigned kind) {
    struct tracked *tracked = handle == 0 ? NULL : record_of(handle, kind);
    return tracked == NULL || tracked->handle == 0 ? NULL : (struct object *)tracked;
}

bool tracked_is_address(uint64_t handle, unsigned kind) {
    uint64_t inner; /* a VkEvent has as many bits everywhere; so has a pointer where this runs */
    struct iovec here = {&inner, sizeof inner}, there = {(void *)(uintptr_t)handle, sizeof inner};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)sizeof inner) return false;
    const struct tracked *tracked = (const struct tracked *)tracked_find(inner, kind);
    return tracked != NULL && !tracked->dead && tracked->kind == kind;
}

/* Those behind it that would not be found across the gap go on to it. */
static void take_out(size_t gap) {
    for (size_t i = gap + 1; at(i)->handle != 0; i++) {
        size_t way = (i - home_of(at(i)->handle, at(i)->kind)) % TRACKED_RECORDS;
        if (way < i - gap) continue;
        memcpy(at(gap), at(i), tracked_store.bytes);
        gap = i;
    }
    memset(at(gap), 0, tracked_store.bytes);
    used--;
}

/* A handle that was given back may never come again: what is dead goes when the room does. */
static void forget_the_dead(void) {
    for (size_t i = 0; i < TRACKED_RECORDS; i++)
        while (at(i)->dead) take_out(i);
}

bool tracked_is_full(void) {
    return used == MOST;
}

struct object *tracked_add(uint64_t handle, unsigned kind, const char *made_by) {
    static uint64_t serial;
    if (handle == 0) return NULL;
    if (used == MOST) forget_the_dead();
    struct tracked *tracked = record_of(handle, kind);
    if (tracked->handle == 0 && used == MOST) return NULL;
    used += tracked->handle == 0;
    held -= tracked->references[1];
    memset(tracked, 0, tracked_store.bytes);
    tracked->handle = handle;
    tracked->kind = kind;
    tracked->made_by = made_by;
    tracked->party = adi_caller_party();
    tracked->serial = ++serial;
    return (struct object *)tracked;
}
