/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_list.h"

#include <sched.h>

/* A release callback has only the structure to go by. */
static struct adi_guarded *opened;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static _Atomic size_t releasing; /* callbacks that run */

void adi_guarded_callback(bool begins) {
    if (begins)
        atomic_fetch_add(&releasing, 1);
    else
        atomic_fetch_sub(&releasing, 1);
}

static struct adi_guarded *look_up(const struct adi_kind *kind, const void *self, const char *key,
                                   long *index) {
    for (struct adi_guarded *input = opened; input != NULL; input = input->next)
        /* One that is being made, while another thread releases, has nothing yet. */
        if (input->private_data != NULL && key >= input->private_data &&
            key < input->private_data + input->n * ADI_GUARDED_KEY) {
            *index = (key - input->private_data) / ADI_GUARDED_KEY;
            return input;
        }
    if (adi_guard_has_ended(key)) return NULL;
    struct adi_guarded *best = NULL;
    int likeliest = 0;
    for (struct adi_guarded *input = opened; input != NULL; input = input->next) {
        int likeness;
        long found = adi_monitor_find(&input->monitor, kind, self, &likeness);
        if (likeness <= likeliest) continue;
        best = input;
        *index = found;
        likeliest = likeness;
    }
    return best;
}

struct adi_guarded *adi_guarded_find(const struct adi_kind *kind, const void *self, long *index) {
    pthread_mutex_lock(&list);
    struct adi_guarded *input =
        look_up(kind, self, adi_kind_pointer(self, kind->private_data), index);
    pthread_mutex_unlock(&list);
    return input;
}

void adi_guarded_stray(const struct adi_kind *kind, void *self) {
    pthread_mutex_lock(&list);
    if (opened != NULL && !adi_guard_has_ended(adi_kind_pointer(self, kind->private_data)))
        adi_report(opened->monitor.sink, "life/private-data-touched", ADI_CONSUMER, "another value",
                   "the producer's value", "a released %s has another private_data", kind->name);
    pthread_mutex_unlock(&list);
    adi_kind_set_release(kind, self, NULL);
}

bool adi_guarded_is_alone(const struct adi_guarded *input) {
    bool is_alone = true;
    pthread_mutex_lock(&list);
    for (const struct adi_guarded *other = opened; other != NULL; other = other->next)
        is_alone = is_alone && (other == input || atomic_load(&other->live_arrays) == 0);
    pthread_mutex_unlock(&list);
    return is_alone;
}

bool adi_guarded_any(void) {
    return opened != NULL;
}

void adi_guarded_list(struct adi_guarded *input) {
    pthread_mutex_lock(&list);
    input->next = opened;
    opened = input;
    pthread_mutex_unlock(&list);
}

void adi_guarded_unlist(struct adi_guarded *input) {
    struct adi_guarded **at = &opened;
    pthread_mutex_lock(&list);
    while (atomic_load(&releasing) > 0) {
        pthread_mutex_unlock(&list);
        sched_yield();
        pthread_mutex_lock(&list);
    }
    if (input->private_data != NULL) adi_guard_end(input->private_data - ADI_GUARDED_KEY);
    while (*at != input) at = &(*at)->next;
    *at = input->next;
    pthread_mutex_unlock(&list);
}
