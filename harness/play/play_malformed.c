/* SPDX-License-Identifier: Apache-2.0
 *
 * Malformed input for consumers. No document binds anybody here, so nothing is judged but a crash
 * and a hang, and these are notes.
 */

#include "malformations.h"
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

#define MALFORMATION(name, type, what, mutation) {#name, type, what},
static const struct adi_malformation malformations[] = {
#include "malformations.def"
};

const struct adi_malformation *adi_malformation(int64_t index) {
    return index >= 0 && (size_t)index < sizeof malformations / sizeof malformations[0]
               ? &malformations[index]
               : NULL;
}

static void make_malformation(int64_t index, struct ArrowSchema *s, struct ArrowDeviceArray *a) {
    int64_t row = 0;
#define MALFORMATION(name, type, what, mutation)                                                   \
    if (row++ == index) {                                                                          \
        mutation;                                                                                  \
        return;                                                                                    \
    }
#include "malformations.def"
}

void adi_play_malformed(struct adi_test *test) {
    struct adi_input input;
    struct adi_guarded guarded;
    struct adi_guarded_pair pair;
    struct adi_input_watch inputs;
    struct ArrowSchema schema_out = {0};
    struct ArrowArray host_out = {0};
    const int64_t index = test->now->scenario->parameter;
    if (!adi_play_guard_input(test, &input, &guarded, 0, &pair, &inputs)) return;
    fill_words();
    make_malformation(index, pair.schema, pair.array);
    adi_play_step(test, "break", "%s", adi_malformation(index)->what);
    adi_play_crash_rule(test, "array/malformed-input-crashes");
    bool muted = test->muted;
    test->muted = true; /* whatever else it does with this, it was not asked for */
    test->judged = true;
    adi_guard_ignore(true);
    if (adi_call_consume(test, &pair, &schema_out, &host_out) == 0) {
        adi_schema_release(&schema_out);
        adi_array_release(&host_out);
    }
    adi_schema_release(pair.schema);
    adi_device_array_release(pair.array);
    adi_guard_ignore(false);
    adi_guarded_close(&guarded);
    test->muted = muted;
    adi_play_crash_rule(test, NULL);
    adi_input_free(&input);
}
