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
struct fixture {
    struct adi_input input;
    struct adi_input_watch inputs;
    struct adi_exported out;
    bool sound;        /* the export can be worked with */
    bool unidentified; /* it was released before anybody looked at what is in it */
    bool refused;
};

/* DV-002: device type and id together say where the buffers are. */
static void judge_device(struct adi_test *test, const struct adi_exported *exported) {
    const struct ArrowDeviceArray *out = exported->array;
    const struct adi_device_ops *ops = test->device->ops;
    const struct adi_device_type *type = adi_device_type_find(ops->type);
    if (adi_exported_is_empty_on_cpu(exported)) return;
    if (out->device_type != ops->type)
        adi_report(&test->sink, "device/type-differs", ADI_PRODUCER, NULL, NULL,
                   "device_type is %d where an array on type %d was asked for", out->device_type,
                   ops->type);
    else if (type != NULL && type->ids == ADI_IDS_EXACT && out->device_id != test->device->id)
        adi_report(&test->sink, "device/id-differs", ADI_PRODUCER, NULL, NULL,
                   "device_id is %lld where device %lld was asked for", (long long)out->device_id,
                   (long long)test->device->id);
}

/* Hands a sample over, with `more` others of this one's live. false: nothing came out. How many
 * there may be at once is the producer's to say, beyond two. */
static bool produce(struct adi_test *test, uint64_t more, struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    if (!adi_input_make(test, more, &fixture->input)) return false;
    if (!adi_exported_prepare(test, &fixture->out)) return false;
    fixture->out.wanted_schema = &fixture->input.wanted_schema;
    fixture->out.wanted = &fixture->input.wanted;
    if (!adi_input_watch_open(test, &fixture->input, &fixture->inputs)) return false;
    int code = adi_call_produce(test, &fixture->input, &fixture->out);
    adi_input_watch_judge(test, &fixture->inputs, code);
    if (code == 0) return true;
    fixture->refused = true;
    if (more <= 1) adi_play_refused(test, code);
    adi_exported_untouched(test, &fixture->out);
    return false;
}

/* The same. false, too: it cannot be looked at. */
static bool hand_over(struct adi_test *test, uint64_t more, struct fixture *fixture) {
    if (!produce(test, more, fixture)) return false;
    fixture->unidentified = !adi_exported_is_identified(test, &fixture->out);
    return !fixture->unidentified;
}

/* Looks at what came out. false: nothing to go on with. */
static bool look_at(struct adi_test *test, struct fixture *fixture) {
    fixture->sound =
        adi_queue_judge(test, &fixture->out) && adi_exported_check(test, &fixture->out);
    if (fixture->sound) judge_device(test, &fixture->out);
    return fixture->sound;
}

static bool set_up(struct adi_test *test, uint64_t more, struct fixture *fixture) {
    return hand_over(test, more, fixture) && look_at(test, fixture);
}

static void tear_down(struct adi_test *test, struct fixture *fixture) {
    if (fixture->out.schema != NULL) adi_exported_free(test, &fixture->out);
    if (fixture->sound || fixture->unidentified || fixture->refused)
        adi_input_watch_end(test, &fixture->inputs);
    adi_input_free(&fixture->input);
}

static bool compare_and_keep(struct adi_test *test, struct fixture *fixture, const char *rule,
                             struct ArrowArray *copy) {
    adi_play_step(test, "read", "compared with what was handed over");
    return adi_exported_compare(test, fixture->out.schema, fixture->out.array,
                                &fixture->input.wanted_schema, &fixture->input.wanted, rule, copy);
}

static bool compare(struct adi_test *test, struct fixture *fixture, const char *rule) {
    return compare_and_keep(test, fixture, rule, NULL);
}

void adi_play_export(struct adi_test *test) {
    struct fixture fixture;
    struct ArrowArray copy = {.release = NULL};
    if (set_up(test, 0, &fixture)) {
        if (compare_and_keep(test, &fixture, "array/data-differs", &copy))
            adi_exported_sums(test, &fixture.out, &copy);
        adi_array_release(&copy);
        adi_exported_fields(test, fixture.out.schema, &fixture.input.wanted_schema);
        adi_play_step(test, "release", "schema and array");
    }
    tear_down(test, &fixture);
}

void adi_play_export_released(struct adi_test *test) {
    struct fixture fixture;
    if (produce(test, 0, &fixture)) {
        adi_play_step(test, "release", "schema and array, before anybody waited");
        test->judged = fixture.unidentified = true;
        adi_call_release_schema(fixture.out.schema);
        adi_call_release_array(&fixture.out.array->array);
    }
    tear_down(test, &fixture);
}

/* CD-087, DV-032: a consumer may move a structure by copying its bytes. */
/* CD-083, CD-093: a structure works at any address, and so does its release callback. */
/* CD-082, CD-095, CD-096: a producer finds its bookkeeping by private_data alone. */
/* Moves the base structure to fresh memory and spoils the old. */
static void move_away(struct adi_test *test, struct adi_exported *out) {
    struct ArrowDeviceArray *moved = malloc(sizeof *moved);
    if (moved == NULL) return;
    adi_play_step(test, "move", "bitwise, to a new address; the old one is overwritten and freed");
    adi_device_array_move(out->array, moved);
    adi_watch_moved(out->array_watch, &out->array->array, &moved->array);
    memset(out->array, ADI_POISON_BYTE, sizeof *out->array);
    free(out->array);
    out->array = moved;
}

void adi_play_export_moved(struct adi_test *test) {
    struct fixture fixture;
    /* Once without a move: what breaks there is not about moving. */
    adi_play_export(test);
    adi_play_skip_ended(test);
    if (test->n_findings == 0 && !test->refused && !test->skipped && set_up(test, 0, &fixture)) {
        move_away(test, &fixture.out);
        adi_play_crash_rule(test, "life/depends-on-address");
        if (compare(test, &fixture, "life/depends-on-address")) {
            /* What chance has put into a member before is nothing of the move's. */
            const size_t before = test->n_findings;
            adi_play_step(test, "release", "at the new address");
            adi_call_release_array(&fixture.out.array->array);
            if (test->n_findings > before)
                adi_report(&test->sink, "life/depends-on-address", ADI_PRODUCER, NULL, NULL,
                           "the release callback does not work at the new address");
        }
        adi_play_crash_rule(test, NULL);
        tear_down(test, &fixture);
    }
}

/* What the parent's release gave back, the next export may be laid out in. */
static void open_another(struct adi_test *test, struct fixture *another) {
    adi_play_crash_rule(test, NULL);
    adi_play_step(test, "produce", "another array, with other values");
    test->is_told = true;
    set_up(test, ADI_SEVERAL, another);
    test->is_told = false;
}

static void close_another(struct adi_test *test, struct fixture *another) {
    bool nested = test->nested;
    test->nested = true;
    tear_down(test, another);
    test->nested = nested;
}

/* CD-091: a consumer may move children out, which outlive their parent. */
/* Moves a child (or the dictionary, index -1) out, releases the parent, has another array exported,
 * reads and releases the child, which is to hold what it held in its parent, of which `before` is
 * the copy: it may be longer than that needs, begin elsewhere or be in another order than what was
 * handed over. */
static void outlive(struct adi_test *test, struct fixture *fixture, int64_t index,
                    const struct ArrowArray *before) {
    struct ArrowDeviceArray part = *fixture->out.array;
    struct ArrowArray *parent = &fixture->out.array->array;
    bool dictionary = index < 0;
    const struct ArrowSchema *schema = fixture->out.schema;
    const struct ArrowSchema *part_schema =
        dictionary ? schema->dictionary : schema->children[index];
    const void *from = dictionary ? parent->dictionary : parent->children[index];
    struct fixture another;
    if (dictionary)
        adi_array_move_dictionary(parent, &part.array);
    else
        adi_array_move_child(parent, index, &part.array);
    adi_watch_moved(fixture->out.array_watch, from, &part.array);
    adi_play_step(test, "move", dictionary ? "the dictionary out" : "child %lld out",
                  (long long)index);
    /* The event is the parent's: it is waited on while there is a parent. */
    test->device->ops->wait_host(test->device, part.sync_event, NULL);
    part.sync_event = NULL;
    adi_play_step(test, "release", "the parent");
    adi_play_crash_rule(test, "life/moved-child-released");
    adi_call_release_array(parent);
    open_another(test, &another);
    adi_play_step(test, "read", "what was moved out");
    adi_play_crash_rule(test, "life/child-depends-on-parent");
    adi_exported_compare(test, part_schema, &part, part_schema,
                         dictionary ? before->dictionary : before->children[index],
                         "life/child-depends-on-parent", NULL);
    /* Whatever it reads as, it is the consumer's to release. */
    if (part.array.release != NULL) {
        adi_play_step(test, "release", "what was moved out");
        adi_call_release_array(&part.array);
    }
    adi_play_crash_rule(test, NULL);
    close_another(test, &another);
}

/* Once as it comes: what dies there is not about what the case does else. false: there is nothing
 * to go on with. */
static bool export_plainly(struct adi_test *test) {
    struct fixture fixture;
    test->is_told = true;
    if (set_up(test, 0, &fixture)) adi_play_step(test, "release", "schema and array");
    close_another(test, &fixture);
    test->is_told = false;
    return !test->refused && !test->skipped;
}

/* `*before` is a copy of what came out. */
static bool set_up_and_read(struct adi_test *test, struct fixture *fixture,
                            struct ArrowArray *before) {
    before->release = NULL;
    return set_up(test, 0, fixture) &&
           compare_and_keep(test, fixture, "array/data-differs", before);
}

void adi_play_export_children_moved(struct adi_test *test) {
    int64_t n = export_plainly(test) ? 1 : 0;
    const size_t broken = test->n_findings;
    for (int64_t i = 0;
         i < n && i < 3 && test->n_findings == broken && !test->refused && !test->closed; i++) {
        struct fixture fixture;
        struct ArrowArray before;
        if (set_up_and_read(test, &fixture, &before)) {
            n = fixture.out.array->array.n_children;
            if (n > 0) outlive(test, &fixture, i, &before);
        }
        adi_array_release(&before);
        tear_down(test, &fixture);
    }
}

void adi_play_export_dictionary_moved(struct adi_test *test) {
    struct fixture fixture;
    struct ArrowArray before;
    if (!export_plainly(test)) return;
    if (set_up_and_read(test, &fixture, &before) && before.dictionary != NULL)
        outlive(test, &fixture, -1, &before);
    adi_array_release(&before);
    tear_down(test, &fixture);
}

void adi_play_export_thread(struct adi_test *test) {
    struct fixture fixture;
    if (!export_plainly(test)) return;
    if (set_up(test, 0, &fixture)) {
        test->judged = true;
        adi_play_step(test, "release", "on another thread");
        adi_play_crash_rule(test, "life/release-on-other-thread");
        adi_call_release_elsewhere(&fixture.out.array->array);
        adi_play_crash_rule(test, NULL);
    }
    tear_down(test, &fixture);
}

/* CD-073, DV-027: what an exported structure points to is the producer's own memory. */
void adi_play_export_scribbled(struct adi_test *test) {
    struct fixture fixture;
    if (set_up(test, 0, &fixture) && compare(test, &fixture, "array/data-differs")) {
        adi_play_step(test, "scribble", "over the stack below the call and the input structures");
        adi_play_crash_rule(test, "array/not-owned-by-producer");
        adi_play_scribble_stack();
        memset(&fixture.input.schema, ADI_POISON_BYTE, sizeof fixture.input.schema);
        memset(&fixture.input.host, ADI_POISON_BYTE, sizeof fixture.input.host);
        compare(test, &fixture, "array/not-owned-by-producer");
        adi_play_crash_rule(test, NULL);
        fixture.input.schema.release = NULL;
        fixture.input.host.release = NULL;
    }
    tear_down(test, &fixture);
}

/* ---- several at once ---- */

static void release(struct adi_test *test, struct fixture *fixture) {
    adi_play_step(test, "release", "one, while others are live");
    adi_call_release_array(&fixture->out.array->array);
}

/* CD-098, DV-038: a producer does not write data that it has exported. */
/* Reads all that are live again, up to the first that is not what it was. */
static bool are_kept(struct adi_test *test, struct fixture *fixtures, size_t n) {
    bool kept = true;
    for (size_t i = 0; i < n && kept; i++) {
        bool lives = fixtures[i].sound && fixtures[i].out.array->array.release != NULL;
        kept = !lives || compare(test, &fixtures[i], "array/rewritten-after-export");
    }
    return kept;
}

static void release_some(struct adi_test *test, struct fixture *fixtures, size_t n, size_t from) {
    for (size_t i = from; i < n; i += 2)
        if (fixtures[i].sound) release(test, &fixtures[i]);
}

static void close_all(struct adi_test *test, struct fixture *fixtures, size_t n) {
    while (n > 0) {
        test->nested = n > 1;
        tear_down(test, &fixtures[--n]);
    }
}

/* Each has memory of its own, which neither a further export nor another's release takes away. */
void adi_play_export_twice(struct adi_test *test) {
    struct fixture fixtures[ADI_SEVERAL];
    size_t n = 0;
    bool goes_on = true;
    while (goes_on && n < ADI_SEVERAL) {
        if (n > 0) adi_play_step(test, "produce", "another array: %zu are live", n);
        goes_on =
            set_up(test, n, &fixtures[n]) && compare(test, &fixtures[n], "array/data-differs");
        n++;
    }
    bool kept = n > 1 && are_kept(test, fixtures, n);
    release_some(test, fixtures, n, 1);
    kept = kept && are_kept(test, fixtures, n);
    release_some(test, fixtures, n, 2);
    if (kept) are_kept(test, fixtures, n);
    close_all(test, fixtures, n);
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
static bool is_overlaid(const struct fixture *fixture, const struct fixture *end) {
    struct adi_node *one = adi_tree_copy(fixture->out.schema, fixture->out.array, NULL);
    bool found = false;
    for (const struct fixture *later = fixture + 1; later < end && !found; later++) {
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
void adi_play_export_both(struct adi_test *test) {
    struct fixture fixtures[ADI_SEVERAL];
    size_t n = 0;
    bool goes_on = true, kept = true;
    while (n < test->pending && goes_on) {
        if (n > 0) adi_play_step(test, "produce", "another array: %zu are pending", n);
        goes_on = hand_over(test, n, &fixtures[n]);
        n++;
    }
    size_t made = goes_on ? n : n - 1;
    for (size_t i = 0; i < made && kept; i++) {
        bool overlaid = is_overlaid(&fixtures[i], fixtures + made);
        adi_play_step(test, "read", "number %zu", i + 1);
        adi_play_tell_as(test, overlaid ? "sync/overwritten-while-pending" : NULL);
        kept = look_at(test, &fixtures[i]) && compare(test, &fixtures[i], "array/data-differs");
        if (kept && i + 1 < made) release(test, &fixtures[i]);
    }
    adi_play_tell_as(test, NULL);
    close_all(test, fixtures, n);
}
