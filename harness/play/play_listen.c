/* SPDX-License-Identifier: Apache-2.0
 *
 * While an implementation is judged: what the interceptor of the runtime says of it, and what it
 * leaves current on a thread.
 */
#include "attribution.h"
#include "charge.h"
#include "play.h"

/* ---- what the interceptor of the runtime says ---- */

static struct adi_trial *at_hand; /* NULL: no implementation is judged */

/* Nobody is charged with what no rule says, and nothing can be said of the case. */
static void tell_unmapped(struct adi_trial *trial, const char *text) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    bool mends = interceptor != NULL && offsetof(struct adi_interceptor, mend) < interceptor->size;
    const char *mend = mends && interceptor->mend != NULL ? interceptor->mend() : NULL;
    if (!trial->muted)
        adi_log_write(trial->log, ADI_LOG_ERROR, 0, trial->party, 0, mend,
                      "the runtime of the device says what no rule is mapped to", text, NULL);
}

static void on_finding(void *trial_at, enum adi_misuse misuse, bool is_event, const char *text) {
    struct adi_trial *trial = trial_at;
    bool consumes = trial->now->scenario->role != ADI_PRODUCES;
    if ((size_t)misuse < ADI_MISUSE_UNMAPPED)
        adi_charge(&trial->sink, adi_charge_of_misuse(misuse, is_event, consumes), consumes,
                   trial->party, text, NULL);
    else
        tell_unmapped(trial, text);
}

void adi_queue_subscribe(struct adi_trial *trial) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    at_hand = trial;
    if (interceptor != NULL) interceptor->subscribe(on_finding, trial);
}

void adi_queue_end(void) {
    at_hand = NULL;
}

/* ---- what is current on a thread ---- */

static void *before;

static bool has_context(void) {
    return at_hand != NULL && ADI_DEVICE_HAS(at_hand->device->ops, restore_context);
}

void adi_queue_push_context(void) {
    if (has_context()) at_hand->device->ops->push_context(at_hand->device, &before);
}

void adi_queue_restore_context(void) {
    if (has_context() && !at_hand->device->ops->restore_context(at_hand->device, before))
        adi_charge(&at_hand->sink, ADI_CHARGE_CONTEXT, false, at_hand->party,
                   "another current context, or one more", NULL);
}
