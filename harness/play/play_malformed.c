/* SPDX-License-Identifier: Apache-2.0
 *
 * Malformed input for consumers. No document binds anybody here, so nothing is judged but a crash
 * and a hang, and these are notes.
 */

#include "flaws.h"
#include "move.h"
#include "play.h"

#define WORDS 4096 /* as many values as any sample needs, whatever their width */

static int32_t decreasing[WORDS], increasing[WORDS], huge[WORDS], minus_one[WORDS], zeros[WORDS];

static void fill_words(void) {
    for (int32_t i = 0; i < WORDS; i++) {
        decreasing[i] = WORDS - i;
        increasing[i] = i * 100000;
        huge[i] = INT32_MAX;
        minus_one[i] = -1;
    }
}

#define FLAW(name, type, what, mutation) {#name, type, what},
static const struct adi_flaw flaws[] = {
#include "flaws.def"
};

const struct adi_flaw *adi_flaw(int64_t index) {
    return index >= 0 && (size_t)index < sizeof flaws / sizeof flaws[0] ? &flaws[index] : NULL;
}

static void make_flaw(int64_t index, struct ArrowSchema *s, struct ArrowDeviceArray *a) {
    int64_t row = 0;
#define FLAW(name, type, what, mutation)                                                           \
    if (row++ == index) {                                                                          \
        mutation;                                                                                  \
        return;                                                                                    \
    }
#include "flaws.def"
}

void adi_play_malformed(struct adi_trial *trial) {
    struct adi_goods goods;
    struct adi_stage stage;
    struct adi_staged staged;
    struct adi_inputs inputs;
    struct ArrowSchema schema_out = {0};
    struct ArrowArray host_out = {0};
    const int64_t index = trial->now->scenario->parameter;
    if (!adi_play_stage(trial, &goods, &stage, 0, &staged, &inputs)) return;
    fill_words();
    make_flaw(index, staged.schema, staged.array);
    adi_play_step(trial, "break", "%s", adi_flaw(index)->what);
    adi_play_closer(trial, "array/malformed-input-crashes");
    bool muted = trial->muted;
    trial->muted = true; /* whatever else it does with this, it was not asked for */
    trial->judged = true;
    adi_guard_ignore(true);
    if (adi_call_consume(trial, &staged, &schema_out, &host_out) == 0) {
        adi_schema_release(&schema_out);
        adi_array_release(&host_out);
    }
    adi_schema_release(staged.schema);
    adi_device_array_release(staged.array);
    adi_guard_ignore(false);
    adi_stage_close(&stage);
    trial->muted = muted;
    adi_play_closer(trial, NULL);
    adi_goods_free(&goods);
}
