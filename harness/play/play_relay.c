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
    struct adi_input input;
    struct adi_guarded guarded;
    struct adi_guarded_pair pair;
    struct adi_input_watch inputs;
    struct adi_exported out[CHAIN];
    int n; /* exports that came out */
    bool sound;
    bool unidentified; /* what came out was released, since nobody can say what is in it */
};

/* DV-010: an array that is handed on without a copy keeps its device id. */
static void judge_identity(struct adi_test *test, const struct adi_exported *exported,
                           ArrowDeviceType type, int64_t id) {
    const struct ArrowDeviceArray *out = exported->array;
    bool same = out->device_type == type && out->device_id == id;
    if (!same && !adi_exported_is_empty_on_cpu(exported))
        adi_report(&test->sink, "device/relay-changes-device", ADI_PRODUCER, NULL, NULL,
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
    struct adi_words at = adi_words("all");
    bool released =
        adi_guard_is_retired(out->array.buffers) || adi_guard_is_retired(out->array.children);
    struct adi_node *tree = released ? NULL : adi_tree_copy(schema, out, NULL);
    released = released || adi_buffer_find(tree, stands_on_released, &at) != NULL;
    adi_tree_free(tree);
    if (released)
        adi_report(sink, "life/released-at-move", ADI_CONSUMER, "a released input",
                   "an input that lives as long as what stands on it",
                   "%s of what came out is one of the input, which was released", at.text);
    return !released;
}

/* Stages an array and relays it `links` times. false: nothing to go on with. */
static bool open_chain(struct adi_test *test, int links, struct chain *chain) {
    memset(chain, 0, sizeof *chain);
    if (!adi_play_guard_input(test, &chain->input, &chain->guarded, 0, &chain->pair,
                              &chain->inputs))
        return false;
    struct ArrowSchema *schema = chain->pair.schema;
    struct ArrowDeviceArray *in = chain->pair.array;
    const int64_t id = in->device_id;
    const ArrowDeviceType type = in->device_type;
    for (; chain->n < links; chain->n++) {
        struct adi_exported *out = &chain->out[chain->n];
        if (!adi_exported_prepare(test, out)) return false;
        out->wanted_schema = &chain->input.wanted_schema;
        out->wanted = &chain->input.wanted;
        int code = adi_call_relay(test, schema, in, out);
        if (chain->n == 0) adi_input_watch_judge(test, &chain->inputs, code);
        if (code != 0) {
            adi_play_refused(test, code);
            adi_exported_untouched(test, out);
            adi_exported_free(test, out);
            return false;
        }
        chain->unidentified = !adi_exported_is_identified(test, out);
        if (chain->unidentified) {
            adi_exported_free(test, out);
            return false;
        }
        adi_queue_judge(test, out);
        chain->sound = adi_play_judge_move(&test->sink, out->schema, out->array) &&
                       adi_exported_check(test, out);
        judge_identity(test, out, type, id);
        if (!chain->sound) return false;
        schema = out->schema;
        in = out->array;
    }
    return true;
}

/* An export that is not sound is not released, and nobody is to blame for what that keeps. */
static void close_chain(struct adi_test *test, struct chain *chain) {
    const bool muted = test->muted;
    test->muted = muted || !(chain->sound || chain->unidentified || test->refused);
    while (chain->n > 0) adi_exported_free(test, &chain->out[--chain->n]);
    adi_input_watch_end(test, &chain->inputs);
    adi_guarded_close(&chain->guarded);
    test->muted = muted;
    adi_input_free(&chain->input);
}

static void relay(struct adi_test *test, int links, bool elsewhere) {
    struct chain chain;
    if (open_chain(test, links, &chain)) {
        struct adi_exported *out = &chain.out[links - 1];
        adi_play_step(test, "read", "compared with what was staged");
        adi_exported_compare(test, out->schema, out->array, &chain.input.wanted_schema,
                             &chain.input.wanted, "array/data-differs", NULL);
        adi_exported_fields(test, out->schema, &chain.input.wanted_schema);
        if (elsewhere) {
            adi_play_step(test, "release", "on another thread");
            adi_play_crash_rule(test, "life/release-on-other-thread");
            adi_call_release_elsewhere(&out->array->array);
            adi_play_crash_rule(test, NULL);
        }
        adi_play_step(test, "release", links == 1 ? "schema and array" : "what came out last");
    }
    if (chain.guarded.arrays != NULL) close_chain(test, &chain);
}

void adi_play_relay(struct adi_test *test) {
    relay(test, 1, false);
}

void adi_play_relay_chain(struct adi_test *test) {
    relay(test, CHAIN, false);
}

void adi_play_relay_thread(struct adi_test *test) {
    relay(test, 1, true);
}
