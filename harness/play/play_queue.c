/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios on a device whose queues are held, so that what has not been waited for has not
 * happened either, every time.
 */

#include "play.h"
#include "whose.h"

/* ---- holding ---- */

static bool has_expired(const struct adi_witness *witness) {
    return ADI_WITNESS_HAS(witness, expired) && witness->expired();
}

/* Plays a scenario while the queues of one side are held. */
static void play_held(struct adi_trial *trial, bool implementation,
                      void (*play)(struct adi_trial *)) {
    const struct adi_witness *witness = adi_whose_witness();
    if (witness == NULL) {
        adi_play_skip(trial, "nothing sees this device's calls, so its queues cannot be held");
        return;
    }
    adi_play_step(trial, "hold", "the queues of the %s",
                  implementation ? "implementation" : "harness");
    adi_whose_hold(implementation);
    play(trial);
    if (has_expired(witness) && trial->broken == 0 && !trial->skipped && !trial->refused)
        adi_play_skip(trial, "not judged: the implementation took longer than its queues, or those "
                             "of the harness, can be held; try it on a machine that is less busy");
    adi_whose_let();
}

void adi_play_export_held(struct adi_trial *trial) {
    play_held(trial, true, adi_play_export);
}

/* With so many and with one more: what two queues or places have in turn comes out even with one of
 * them. */
void adi_play_export_both_held(struct adi_trial *trial) {
    for (trial->pending = 2; trial->pending <= ADI_SEVERAL; trial->pending++) {
        play_held(trial, true, adi_play_export_both);
        if (trial->broken > 0 || trial->refused || trial->skipped || trial->closed) break;
    }
    if (trial->pending < ADI_SEVERAL) adi_play_skip_ended(trial);
}

void adi_play_export_unread(struct adi_trial *trial) {
    play_held(trial, true, adi_play_export_released);
}

void adi_play_consume_pending(struct adi_trial *trial) {
    play_held(trial, false, adi_play_consume);
}

void adi_play_consume_held(struct adi_trial *trial) {
    play_held(trial, true, adi_play_consume);
}

void adi_play_relay_pending(struct adi_trial *trial) {
    play_held(trial, false, adi_play_relay);
}
