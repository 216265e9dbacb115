/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios on a device whose queues are paused, so that what has not been waited for has not
 * happened either, every time.
 */
#include <string.h>

#include "attribution.h"
#include "play.h"

/* ---- holding ---- */

static bool has_expired(const struct adi_interceptor *interceptor) {
    return ADI_INTERCEPTOR_HAS(interceptor, expired) && interceptor->expired();
}

bool adi_queue_may_hold(struct adi_test *test) {
    if (adi_interceptor_current() != NULL) return true;
    adi_play_skip(test, "nothing sees this device's calls, so its queues cannot be held");
    return false;
}

void adi_queue_hold(struct adi_test *test, bool implementation, bool again) {
    if (again) adi_interceptor_resume();
    adi_play_step(test, "hold", "the queues of the %s",
                  implementation ? "implementation" : "harness");
    adi_interceptor_pause(implementation);
}

void adi_queue_let_run(struct adi_test *test) {
    if (has_expired(adi_interceptor_current()) && test->n_findings == 0 && !test->skipped &&
        !test->refused)
        adi_play_skip(test, "not judged: the implementation took longer than its queues, or those "
                            "of the harness, can be held; try it on a machine that is less busy");
    adi_interceptor_resume();
}

/* Plays a scenario while the queues of one side are paused. */
static void play_paused(struct adi_test *test, bool implementation,
                        void (*play)(struct adi_test *)) {
    if (!adi_queue_may_hold(test)) return;
    adi_queue_hold(test, implementation, false);
    play(test);
    adi_queue_let_run(test);
}

void adi_play_export_held(struct adi_test *test) {
    play_paused(test, true, adi_play_export);
}

/* With so many and with one more: what two queues or places have in turn comes out even with one of
 * them. */
void adi_play_export_both_held(struct adi_test *test) {
    for (test->pending = 2; test->pending <= ADI_SEVERAL; test->pending++) {
        play_paused(test, true, adi_play_export_both);
        if (test->n_findings > 0 || test->refused || test->skipped || test->closed) break;
    }
    if (test->pending < ADI_SEVERAL) adi_play_skip_ended(test);
}

void adi_play_export_unread(struct adi_test *test) {
    play_paused(test, true, adi_play_export_released);
}

void adi_play_consume_pending(struct adi_test *test) {
    play_paused(test, false, adi_play_consume);
}

void adi_play_consume_held(struct adi_test *test) {
    play_paused(test, true, adi_play_consume);
}

void adi_play_relay_pending(struct adi_test *test) {
    play_paused(test, false, adi_play_relay);
}

/* ---- an event that was recorded anew ---- */

/* Two arrays, one after the other, and one event, as from a producer that keeps its events: that it
 * was waited for once says nothing of the second time. */
static struct {
    struct adi_device_ops ops; /* the device's, but for the event */
    const struct adi_device_ops *under;
    void *event; /* NULL: not made yet */
} again;

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (again.event != NULL) ADI_TRY(again.under->record_again(device, again.event, error));
    if (again.event == NULL) ADI_TRY(again.under->event(device, &again.event, error));
    *sync_event = again.event;
    return 0;
}

static void keep(struct adi_device *device, void *sync_event) {
    (void)device;
    (void)sync_event;
}

static int wait_for_all(struct adi_device *device, struct adi_error *error) {
    void *end;
    ADI_TRY(device->ops->event(device, &end, error));
    int code = device->ops->wait_host(device, end, error);
    device->ops->event_free(device, end);
    return code;
}

void adi_play_consume_pending_again(struct adi_test *test) {
    struct adi_device *device = test->device, keeping = *device;
    struct adi_error error = {""};
    if (!ADI_DEVICE_HAS(device->ops, record_again)) {
        adi_play_skip(test, "an event of this device cannot be recorded anew");
        return;
    }
    again.under = device->ops;
    memcpy(&again.ops, device->ops,
           device->ops->size < sizeof again.ops ? device->ops->size : sizeof again.ops);
    again.ops.event = event;
    again.ops.event_free = keep;
    again.event = NULL;
    keeping.ops = &again.ops;
    test->device = &keeping;
    adi_play_consume_pending(test);
    if (test->n_findings == 0 && !test->refused && !test->skipped && again.event != NULL) {
        adi_play_step(test, "export", "another array, with the event of the first, recorded anew");
        if (wait_for_all(device, &error) == 0)
            adi_play_consume_pending(test);
        else
            adi_play_error(test, "what came before did not end", &error);
    }
    test->device = device;
    if (again.event != NULL) again.under->event_free(device, again.event);
}

bool adi_queue_may_overlap(struct adi_test *test) {
    const struct adi_device_ops *ops = test->device->ops;
    unsigned unobservable =
        ADI_DEVICE_HAS(ops, unobservable) ? ops->unobservable(test->device->id) : 0;
    if ((unobservable & ADI_UNOBSERVABLE_THREADS) == 0) return true;
    adi_play_skip(test,
                  "not judged: programs in which the stream's thread writes while arrays of it "
                  "are read: both share a queue there, which one thread at a time may use");
    return false;
}
