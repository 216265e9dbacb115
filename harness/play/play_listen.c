/* SPDX-License-Identifier: Apache-2.0
 *
 * While an implementation is judged: what the interceptor of the runtime says of it, and what it
 * leaves current on a thread.
 */
#include "attribution.h"
#include "charge.h"
#include "play.h"

/* ---- what the interceptor of the runtime says ---- */

static struct adi_test *at_hand; /* NULL: no implementation is judged */

/* Nobody is charged with what no rule says, and nothing can be said of the case. */
static void tell_unmapped(struct adi_test *test, const char *text) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    bool mends = interceptor != NULL && offsetof(struct adi_interceptor, mend) < interceptor->size;
    const char *mend = mends && interceptor->mend != NULL ? interceptor->mend() : NULL;
    if (!test->muted)
        adi_log_write(test->log, ADI_LOG_ERROR, 0, test->party, 0, mend,
                      "the runtime of the device says what no rule is mapped to", text, NULL);
}

static void on_finding(void *test_at, enum adi_misuse misuse, bool is_event, const char *text) {
    struct adi_test *test = test_at;
    bool consumes = adi_role_imports(test->now->scenario->role);
    if ((size_t)misuse < ADI_MISUSE_UNMAPPED || misuse == ADI_MISUSE_ADDRESS)
        adi_charge(&test->sink, adi_charge_of_misuse(misuse, is_event, consumes), consumes,
                   test->party, text, NULL);
    else
        tell_unmapped(test, text);
}

void adi_queue_subscribe(struct adi_test *test) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    at_hand = test;
    if (interceptor != NULL) interceptor->subscribe(on_finding, test);
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
