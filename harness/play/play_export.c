/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which the harness is the consumer of what a producer under test exports.
 */
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "move.h"
#include "node.h"
#include "play.h"
#include "tree.h"

/* One export from hand-over to end. */
struct show {
    struct adi_goods goods;
    struct adi_inputs inputs;
    struct adi_exported out;
    bool sound;  /* the export can be worked with */
    bool untold; /* it was released before anybody looked at what is in it */
    bool refused;
};

/* DV-002: device type and id together say where the buffers are. */
static void judge_device(struct adi_trial *trial, const struct ArrowDeviceArray *out) {
    const struct adi_device_ops *ops = trial->device->ops;
    const struct adi_device_type *type = adi_device_type_find(ops->type);
    if (out->device_type != ops->type)
        adi_report(&trial->sink, "device/type-differs", ADI_PRODUCER, NULL, NULL,
                   "device_type is %d where an array on type %d was asked for", out->device_type,
                   ops->type);
    else if (type != NULL && type->ids == ADI_IDS_EXACT && out->device_id != trial->device->id)
        adi_report(&trial->sink, "device/id-differs", ADI_PRODUCER, NULL, NULL,
                   "device_id is %lld where device %lld was asked for", (long long)out->device_id,
                   (long long)trial->device->id);
}

/* Hands a sample over, with `more` others of this one's live. false: nothing came out. How many
 * there may be at once is the producer's to say, beyond two. */
static bool produce(struct adi_trial *trial, uint64_t more, struct show *show) {
    memset(show, 0, sizeof *show);
    if (!adi_goods_make(trial, more, &show->goods)) return false;
    if (!adi_exported_prepare(trial, &show->out)) return false;
    if (!adi_inputs_watch(trial, &show->goods, &show->inputs)) return false;
    int code = adi_call_produce(trial, &show->goods, &show->out);
    adi_inputs_judge(trial, &show->inputs, code);
    if (code == 0) return true;
    show->refused = true;
    if (more <= 1) adi_play_refused(trial, code);
    adi_exported_untouched(trial, &show->out);
    return false;
}

/* The same. false, too: it cannot be looked at. */
static bool hand_over(struct adi_trial *trial, uint64_t more, struct show *show) {
    if (!produce(trial, more, show)) return false;
    show->untold = !adi_exported_is_told(trial, &show->out);
    return !show->untold;
}

/* Looks at what came out. false: nothing to go on with. */
static bool look_at(struct adi_trial *trial, struct show *show) {
    show->sound = adi_queue_judge(trial, &show->out) && adi_exported_check(trial, &show->out);
    if (show->sound) judge_device(trial, show->out.array);
    return show->sound;
}

static bool open_show(struct adi_trial *trial, uint64_t more, struct show *show) {
    return hand_over(trial, more, show) && look_at(trial, show);
}

static void close_show(struct adi_trial *trial, struct show *show) {
    if (show->out.schema != NULL) adi_exported_free(trial, &show->out);
    if (show->sound || show->untold || show->refused) adi_inputs_end(trial, &show->inputs);
    adi_goods_free(&show->goods);
}

static bool compare_and_keep(struct adi_trial *trial, struct show *show, const char *rule,
                             struct ArrowArray *copy) {
    adi_play_step(trial, "read", "compared with what was handed over");
    return adi_exported_compare(trial, show->out.schema, show->out.array,
                                &show->goods.wanted_schema, &show->goods.wanted, rule, copy);
}

static bool compare(struct adi_trial *trial, struct show *show, const char *rule) {
    return compare_and_keep(trial, show, rule, NULL);
}

void adi_play_export(struct adi_trial *trial) {
    struct show show;
    struct ArrowArray copy = {.release = NULL};
    if (open_show(trial, 0, &show)) {
        if (compare_and_keep(trial, &show, "array/data-differs", &copy))
            adi_exported_sums(trial, &show.out, &copy);
        adi_array_release(&copy);
        adi_exported_fields(trial, show.out.schema, &show.goods.wanted_schema);
        adi_play_step(trial, "release", "schema and array");
    }
    close_show(trial, &show);
}

void adi_play_export_released(struct adi_trial *trial) {
    struct show show;
    if (produce(trial, 0, &show)) {
        adi_play_step(trial, "release", "schema and array, before anybody waited");
        trial->judged = show.untold = true;
        adi_call_release_schema(show.out.schema);
        adi_call_release_array(&show.out.array->array);
    }
    close_show(trial, &show);
}

/* CD-087, DV-032: a consumer may move a structure by copying its bytes. */
/* CD-083, CD-093: a structure works at any address, and so does its release callback. */
/* CD-082, CD-095, CD-096: a producer finds its bookkeeping by private_data alone. */
/* Moves the base structure to fresh memory and spoils the old. */
static void move_away(struct adi_trial *trial, struct adi_exported *out) {
    struct ArrowDeviceArray *moved = malloc(sizeof *moved);
    if (moved == NULL) return;
    adi_play_step(trial, "move", "bitwise, to a new address; the old one is overwritten and freed");
    adi_device_array_move(out->array, moved);
    adi_watch_moved(out->array_watch, &out->array->array, &moved->array);
    memset(out->array, ADI_POISON_BYTE, sizeof *out->array);
    free(out->array);
    out->array = moved;
}

void adi_play_export_moved(struct adi_trial *trial) {
    struct show show;
    /* Once without a move: what breaks there is not about moving. */
    adi_play_export(trial);
    adi_play_skip_ended(trial);
    if (trial->broken == 0 && !trial->refused && !trial->skipped && open_show(trial, 0, &show)) {
        move_away(trial, &show.out);
        adi_play_closer(trial, "life/depends-on-address");
        if (compare(trial, &show, "life/depends-on-address")) {
            adi_play_step(trial, "release", "at the new address");
            adi_call_release_array(&show.out.array->array);
            if (trial->broken > 0)
                adi_report(&trial->sink, "life/depends-on-address", ADI_PRODUCER, NULL, NULL,
                           "the release callback does not work at the new address");
        }
        adi_play_closer(trial, NULL);
        close_show(trial, &show);
    }
}

/* What the parent's release gave back, the next export may be laid out in. */
static void open_another(struct adi_trial *trial, struct show *another) {
    adi_play_closer(trial, NULL);
    adi_play_step(trial, "produce", "another array, with other values");
    open_show(trial, ADI_SEVERAL, another);
}

static void close_another(struct adi_trial *trial, struct show *another) {
    bool nested = trial->nested;
    trial->nested = true;
    close_show(trial, another);
    trial->nested = nested;
}

/* CD-091: a consumer may move children out, which outlive their parent. */
/* Moves a child (or the dictionary, index -1) out, releases the parent, has another array exported,
 * reads and releases the child. */
static void outlive(struct adi_trial *trial, struct show *show, int64_t index) {
    struct ArrowDeviceArray part = *show->out.array;
    struct ArrowArray *parent = &show->out.array->array;
    const struct ArrowSchema *schema = show->out.schema, *wanted = &show->goods.wanted_schema;
    bool dictionary = index < 0;
    const void *from = dictionary ? parent->dictionary : parent->children[index];
    struct show another;
    if (dictionary)
        adi_array_move_dictionary(parent, &part.array);
    else
        adi_array_move_child(parent, index, &part.array);
    adi_watch_moved(show->out.array_watch, from, &part.array);
    adi_play_step(trial, "move", dictionary ? "the dictionary out" : "child %lld out",
                  (long long)index);
    /* The event is the parent's: it is waited on while there is a parent. */
    trial->device->ops->wait_host(trial->device, part.sync_event, NULL);
    part.sync_event = NULL;
    adi_play_step(trial, "release", "the parent");
    adi_play_closer(trial, "life/moved-child-released");
    adi_call_release_array(parent);
    open_another(trial, &another);
    adi_play_step(trial, "read", "what was moved out");
    adi_play_closer(trial, "life/child-depends-on-parent");
    adi_exported_compare(trial, dictionary ? schema->dictionary : schema->children[index], &part,
                         dictionary ? wanted->dictionary : wanted->children[index],
                         dictionary ? show->goods.wanted.dictionary
                                    : show->goods.wanted.children[index],
                         "life/child-depends-on-parent", NULL);
    /* Whatever it reads as, it is the consumer's to release. */
    if (part.array.release != NULL) {
        adi_play_step(trial, "release", "what was moved out");
        adi_call_release_array(&part.array);
    }
    adi_play_closer(trial, NULL);
    close_another(trial, &another);
}

/* Once as it comes: what dies there is not about what the case does else. false: there is nothing
 * to go on with. */
static bool export_plainly(struct adi_trial *trial) {
    struct show show;
    if (open_show(trial, 0, &show)) adi_play_step(trial, "release", "schema and array");
    close_another(trial, &show);
    return !trial->refused && !trial->skipped;
}

void adi_play_export_children_moved(struct adi_trial *trial) {
    int64_t n = export_plainly(trial) ? 1 : 0;
    const size_t broken = trial->broken;
    for (int64_t i = 0;
         i < n && i < 3 && trial->broken == broken && !trial->refused && !trial->closed; i++) {
        struct show show;
        if (open_show(trial, 0, &show)) {
            n = show.out.array->array.n_children;
            if (n > 0) outlive(trial, &show, i);
        }
        close_show(trial, &show);
    }
}

void adi_play_export_dictionary_moved(struct adi_trial *trial) {
    struct show show;
    if (!export_plainly(trial)) return;
    if (open_show(trial, 0, &show) && show.out.array->array.dictionary != NULL)
        outlive(trial, &show, -1);
    close_show(trial, &show);
}

void adi_play_export_thread(struct adi_trial *trial) {
    struct show show;
    if (!export_plainly(trial)) return;
    if (open_show(trial, 0, &show)) {
        trial->judged = true;
        adi_play_step(trial, "release", "on another thread");
        adi_play_closer(trial, "life/release-on-other-thread");
        adi_call_release_elsewhere(&show.out.array->array);
        adi_play_closer(trial, NULL);
    }
    close_show(trial, &show);
}

/* CD-073, DV-027: what an exported structure points to is the producer's own memory. */
void adi_play_export_scribbled(struct adi_trial *trial) {
    struct show show;
    if (open_show(trial, 0, &show) && compare(trial, &show, "array/data-differs")) {
        adi_play_step(trial, "scribble", "over the stack below the call and the input structures");
        adi_play_closer(trial, "array/not-owned-by-producer");
        adi_play_scribble_stack();
        memset(&show.goods.schema, ADI_POISON_BYTE, sizeof show.goods.schema);
        memset(&show.goods.host, ADI_POISON_BYTE, sizeof show.goods.host);
        compare(trial, &show, "array/not-owned-by-producer");
        adi_play_closer(trial, NULL);
        show.goods.schema.release = NULL;
        show.goods.host.release = NULL;
    }
    close_show(trial, &show);
}

/* ---- several at once ---- */

static void release(struct adi_trial *trial, struct show *show) {
    adi_play_step(trial, "release", "one, while others are live");
    adi_call_release_array(&show->out.array->array);
}

/* CD-098, DV-038: a producer does not write data that it has exported. */
/* Reads all that are live again, up to the first that is not what it was. */
static bool are_kept(struct adi_trial *trial, struct show *shows, size_t n) {
    bool kept = true;
    for (size_t i = 0; i < n && kept; i++) {
        bool lives = shows[i].sound && shows[i].out.array->array.release != NULL;
        kept = !lives || compare(trial, &shows[i], "array/rewritten-after-export");
    }
    return kept;
}

static void release_some(struct adi_trial *trial, struct show *shows, size_t n, size_t from) {
    for (size_t i = from; i < n; i += 2)
        if (shows[i].sound) release(trial, &shows[i]);
}

static void close_all(struct adi_trial *trial, struct show *shows, size_t n) {
    while (n > 0) {
        trial->nested = n > 1;
        close_show(trial, &shows[--n]);
    }
}

/* Each has memory of its own, which neither a further export nor another's release takes away. */
void adi_play_export_twice(struct adi_trial *trial) {
    struct show shows[ADI_SEVERAL];
    size_t n = 0;
    bool goes_on = true;
    while (goes_on && n < ADI_SEVERAL) {
        if (n > 0) adi_play_step(trial, "produce", "another array: %zu are live", n);
        goes_on = open_show(trial, n, &shows[n]) && compare(trial, &shows[n], "array/data-differs");
        n++;
    }
    bool kept = n > 1 && are_kept(trial, shows, n);
    release_some(trial, shows, n, 1);
    kept = kept && are_kept(trial, shows, n);
    release_some(trial, shows, n, 2);
    if (kept) are_kept(trial, shows, n);
    close_all(trial, shows, n);
}

/* ---- and pending ---- */

/* Bitmaps (buffer 0 of what is exported here) may be shared. */
static bool has_values(const struct adi_node *node, const struct adi_bytes *bytes) {
    return bytes != node->buffers && bytes->size != 0;
}

static bool is_at(const struct adi_node *node, const struct adi_bytes *bytes, void *other) {
    return has_values(node, bytes) && bytes->buffer == ((struct adi_bytes *)other)->buffer;
}

static bool is_shared(const struct adi_node *node, const struct adi_bytes *bytes, void *other) {
    struct adi_bytes wanted = *bytes;
    return has_values(node, bytes) && adi_buffer_find(other, is_at, &wanted) != NULL;
}

/* Does a later export lie where this one does? */
static bool is_overlaid(const struct show *show, const struct show *end) {
    struct adi_node *one = adi_tree_copy(show->out.schema, show->out.array, NULL);
    bool found = false;
    for (const struct show *later = show + 1; later < end && !found; later++) {
        struct adi_node *other = adi_tree_copy(later->out.schema, later->out.array, NULL);
        found = adi_buffer_find(one, is_shared, other) != NULL;
        adi_tree_free(other);
    }
    adi_tree_free(one);
    return found;
}

/* DV-016: an event stands for its own array's data, whatever is exported after it. */
/* Nobody has waited for any of them: what says that one is complete must go on saying that when
 * others come, and when others go. */
void adi_play_export_both(struct adi_trial *trial) {
    struct show shows[ADI_SEVERAL];
    size_t n = 0;
    bool goes_on = true, kept = true;
    while (n < trial->pending && goes_on) {
        if (n > 0) adi_play_step(trial, "produce", "another array: %zu are pending", n);
        goes_on = hand_over(trial, n, &shows[n]);
        n++;
    }
    size_t made = goes_on ? n : n - 1;
    for (size_t i = 0; i < made && kept; i++) {
        bool overlaid = is_overlaid(&shows[i], shows + made);
        adi_play_step(trial, "read", "number %zu", i + 1);
        adi_play_tell_as(trial, overlaid ? "sync/overwritten-while-pending" : NULL);
        kept = look_at(trial, &shows[i]) && compare(trial, &shows[i], "array/data-differs");
        if (kept && i + 1 < made) release(trial, &shows[i]);
    }
    adi_play_tell_as(trial, NULL);
    close_all(trial, shows, n);
}
