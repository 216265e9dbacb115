/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which an implementation imports and exports again without copying: it is
 * consumer and producer at once, and what it gives out may stand on what it was given.
 */
#include <string.h>

#include "attribution.h"
#include "node.h"
#include "play.h"
#include "tree.h"

#define CHAIN 3 /* how often an array is handed on */

struct chain {
    struct adi_goods goods;
    struct adi_stage stage;
    struct adi_staged staged;
    struct adi_inputs inputs;
    struct adi_exported out[CHAIN];
    int n; /* exports that came out */
    bool sound;
    bool untold; /* what came out was released, since nobody can say what is in it */
};

/* DV-010: an array that is handed on without a copy keeps its device id. */
static void judge_identity(struct adi_trial *trial, const struct ArrowDeviceArray *out,
                           ArrowDeviceType type, int64_t id) {
    if (out->device_type != type || out->device_id != id)
        adi_report(&trial->sink, "device/relay-changes-device", ADI_PRODUCER, NULL, NULL,
                   "device {%d, %lld} came out as {%d, %lld}", type, (long long)id,
                   out->device_type, (long long)out->device_id);
}

/* A buffer of something released; where it is, is said. */
static bool stands_on_released(const struct adi_node *node, const struct adi_bytes *bytes,
                               void *at) {
    if (!adi_guard_is_retired(bytes->buffer) && !adi_interceptor_given_up(bytes->buffer))
        return false;
    *(struct adi_words *)at = adi_at(node, "buffers[%td]", bytes - node->buffers);
    return true;
}

/* CD-089, DV-034: who moves a structure does not call its release callback. */
bool adi_play_judge_move(struct adi_sink *sink, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *out) {
    struct adi_node *tree = adi_tree_copy(schema, out, NULL);
    struct adi_words at;
    bool released = adi_buffer_find(tree, stands_on_released, &at) != NULL;
    adi_tree_free(tree);
    if (released)
        adi_report(sink, "life/released-at-move", ADI_CONSUMER, "a released input",
                   "an input that lives as long as what stands on it",
                   "%s of what came out is one of the input, which was released", at.text);
    return !released;
}

/* Stages an array and relays it `links` times. false: nothing to go on with. */
static bool open_chain(struct adi_trial *trial, int links, struct chain *chain) {
    memset(chain, 0, sizeof *chain);
    if (!adi_play_stage(trial, &chain->goods, &chain->stage, 0, &chain->staged, &chain->inputs))
        return false;
    struct ArrowSchema *schema = chain->staged.schema;
    struct ArrowDeviceArray *in = chain->staged.array;
    const int64_t id = in->device_id;
    const ArrowDeviceType type = in->device_type;
    for (; chain->n < links; chain->n++) {
        struct adi_exported *out = &chain->out[chain->n];
        if (!adi_exported_prepare(trial, out)) return false;
        int code = adi_call_relay(trial, schema, in, out);
        if (chain->n == 0) adi_inputs_judge(trial, &chain->inputs, code);
        if (code != 0) {
            adi_play_refused(trial, code);
            adi_exported_untouched(trial, out);
            adi_exported_free(trial, out);
            return false;
        }
        chain->untold = !adi_exported_is_told(trial, out);
        if (chain->untold) {
            adi_exported_free(trial, out);
            return false;
        }
        adi_queue_judge(trial, out);
        chain->sound = adi_play_judge_move(&trial->sink, out->schema, out->array) &&
                       adi_exported_check(trial, out);
        judge_identity(trial, out->array, type, id);
        if (!chain->sound) return false;
        schema = out->schema;
        in = out->array;
    }
    return true;
}

/* An export that is not sound is not released, and nobody is to blame for what that keeps. */
static void close_chain(struct adi_trial *trial, struct chain *chain) {
    const bool muted = trial->muted;
    trial->muted = muted || !(chain->sound || chain->untold || trial->refused);
    while (chain->n > 0) adi_exported_free(trial, &chain->out[--chain->n]);
    adi_inputs_end(trial, &chain->inputs);
    adi_stage_close(&chain->stage);
    trial->muted = muted;
    adi_goods_free(&chain->goods);
}

static void relay(struct adi_trial *trial, int links, bool elsewhere) {
    struct chain chain;
    if (open_chain(trial, links, &chain)) {
        struct adi_exported *out = &chain.out[links - 1];
        adi_play_step(trial, "read", "compared with what was staged");
        adi_exported_compare(trial, out->schema, out->array, &chain.goods.wanted_schema,
                             &chain.goods.wanted, "array/data-differs", NULL);
        adi_exported_fields(trial, out->schema, &chain.goods.wanted_schema);
        if (elsewhere) {
            adi_play_step(trial, "release", "on another thread");
            adi_play_closer(trial, "life/release-on-other-thread");
            adi_call_release_elsewhere(&out->array->array);
            adi_play_closer(trial, NULL);
        }
    }
    if (chain.stage.arrays != NULL) close_chain(trial, &chain);
}

void adi_play_relay(struct adi_trial *trial) {
    relay(trial, 1, false);
}

void adi_play_relay_chain(struct adi_trial *trial) {
    relay(trial, CHAIN, false);
}

void adi_play_relay_thread(struct adi_trial *trial) {
    relay(trial, 1, true);
}
