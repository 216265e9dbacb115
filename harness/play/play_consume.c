/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which the harness is the producer for a consumer under test.
 */
#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "node.h"
#include "play.h"

/* ---- handles that were followed ---- */

/* What lies where the handles of an array's buffers point to, where the CPU can read it. */
#define HANDLES 256
struct handles {
    size_t n;
    struct handle {
        bool known;
        unsigned char at[8]; /* as much as has to be the same */
    } list[HANDLES];
};

/* Where a buffer value is a handle, and the handle an address that the CPU can read, whoever
 * follows it reads what the runtime keeps there, without a fault. A copy that begins with those
 * bytes is made of them. */
static void note(struct handles *handles, const struct adi_node *node) {
    if (node == NULL) return;
    for (int64_t i = 0; i < node->n_buffers && handles->n < HANDLES; i++) {
        struct handle *handle = &handles->list[handles->n++];
        handle->known = node->buffers[i].buffer != NULL &&
                        adi_safe_read(handle->at, node->buffers[i].buffer, sizeof handle->at) == 0;
    }
    for (int64_t i = 0; i < node->n_children; i++) note(handles, node->children[i]);
    note(handles, node->dictionary);
}

static void handles_note(struct handles *handles, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *array) {
    handles->n = 0;
    if (adi_device_type_of(array->device_type)->buffer != ADI_BUFFER_IS_HANDLE) return;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    note(handles, tree);
    adi_tree_free(tree);
}

static bool begins_with(const struct adi_bytes *bytes, const struct handle *handle) {
    return bytes->data != NULL && bytes->size >= (int64_t)sizeof handle->at &&
           memcmp(bytes->data, handle->at, sizeof handle->at) == 0;
}

/* In the order in which they were noted; `*i` is the next of them. */
static bool any_followed(const struct handles *handles, const struct adi_node *copy,
                         const struct adi_node *wanted, size_t *i) {
    bool found = false;
    if (copy == NULL || wanted == NULL || copy->n_buffers != wanted->n_buffers ||
        copy->n_children != wanted->n_children)
        return false;
    for (int64_t b = 0; b < copy->n_buffers && *i < handles->n; b++) {
        const struct handle *handle = &handles->list[(*i)++];
        found = found || (handle->known && begins_with(&copy->buffers[b], handle) &&
                          !begins_with(&wanted->buffers[b], handle));
    }
    for (int64_t c = 0; c < copy->n_children && !found; c++)
        found = any_followed(handles, copy->children[c], wanted->children[c], i);
    return found || any_followed(handles, copy->dictionary, wanted->dictionary, i);
}

/* Is a buffer of the copy made of that, and not of what was wanted? Nothing is trusted but `schema`
 * and `wanted`. */
static bool handles_followed(const struct handles *handles, const struct ArrowSchema *schema,
                             const struct ArrowArray *copy, const struct ArrowArray *wanted) {
    size_t i = 0;
    if (handles->n == 0) return false;
    struct adi_node *is = adi_tree_copy_cpu(schema, copy),
                    *should = adi_tree_copy_cpu(schema, wanted);
    bool followed = any_followed(handles, is, should, &i);
    adi_tree_free(is);
    adi_tree_free(should);
    return followed;
}

/* ---- a call, and what is around it ---- */

/* A guarded array on its way through `consume`. */
struct fixture {
    struct adi_input input;
    struct adi_guarded guarded;
    struct adi_guarded_pair pair;
    struct adi_input_watch inputs;
    struct ArrowSchema schema_out;
    struct ArrowArray host_out;
    struct handles handles; /* of what it was given */
    const char *told_as; /* what everything breaks that happens in the call; NULL: what it does */
    bool unsound;        /* what came out is not to be trusted, nor released */
};

bool adi_play_guard_input(struct adi_test *test, struct adi_input *input,
                          struct adi_guarded *guarded, unsigned oddities,
                          struct adi_guarded_pair *pair, struct adi_input_watch *inputs) {
    struct adi_error error = {""};
    if (!adi_input_make(test, 0, input)) return false;
    if (test->now->shape->traits & ADI_SHAPE_UNALIGNED) oddities |= ADI_GUARDED_UNALIGNED;
    adi_guarded_open(guarded, test->device, &test->sink);
    if (adi_guarded_put(guarded, &input->schema, &input->host, oddities, pair, &error) != 0) {
        adi_play_error(test, "no array to hand over", &error);
        adi_guarded_close(guarded);
        *guarded = (struct adi_guarded){0};
        adi_input_free(input);
        return false;
    }
    *inputs = (struct adi_input_watch){
        .schema = pair->schema, .array = &pair->array->array, .guarded = &guarded->monitor};
    return true;
}

static bool set_up(struct adi_test *test, unsigned oddities, struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    memset(&fixture->schema_out, ADI_POISON_BYTE, sizeof fixture->schema_out);
    memset(&fixture->host_out, ADI_POISON_BYTE, sizeof fixture->host_out);
    return adi_play_guard_input(test, &fixture->input, &fixture->guarded, oddities, &fixture->pair,
                                &fixture->inputs);
}

static void judge_copy(struct adi_test *test, struct fixture *fixture) {
    struct adi_error why = {""};
    adi_play_step(test, "compare", "the host copy with what was exported");
    test->judged = true;
    if (test->leaves_values) return;
    /* Who read too early may have what an object of the runtime left in that memory. */
    fixture->unsound =
        test->n_findings == 0 && handles_followed(&fixture->handles, &fixture->input.wanted_schema,
                                                  &fixture->host_out, &fixture->input.wanted);
    if (fixture->unsound) {
        adi_report(&test->sink, "device/buffers-dereferenced", ADI_CONSUMER,
                   "the bytes that lie where the handle points to", "a read by way of the device",
                   "a buffer of the host copy holds what the runtime keeps behind the handle: it "
                   "was followed as a pointer");
        fixture->host_out.release = NULL;
        return;
    }
    int code = adi_play_judge_copy(&test->sink, adi_play_exports_on_cpu(test->adapter),
                                   &fixture->schema_out, &fixture->host_out,
                                   &fixture->input.wanted_schema, &fixture->input.wanted, &why);
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why); /* ours */
    /* What is unsound is not to be trusted any further. */
    fixture->unsound = code == EINVAL || code == EBADMSG;
    if (code == EINVAL) fixture->schema_out.release = NULL;
    if (fixture->unsound) fixture->host_out.release = NULL;
}

/* The copy may stand on the array that was handed over, so it goes first. Nobody is to blame for
 * what one that is not released keeps. */
static void tear_down(struct adi_test *test, struct fixture *fixture) {
    const bool muted = test->muted;
    test->muted = muted || fixture->unsound;
    if (fixture->schema_out.release != NULL) adi_call_release_schema(&fixture->schema_out);
    if (fixture->host_out.release != NULL) adi_call_release_array(&fixture->host_out);
    adi_input_watch_end(test, &fixture->inputs);
    adi_guarded_close(&fixture->guarded);
    test->muted = muted;
    adi_input_free(&fixture->input);
}

/* Hands over what is on the table, and judges what a refusal leaves behind. Returns the
 * implementation's answer. */
static int call_and_check(struct adi_test *test, struct fixture *fixture) {
    struct adi_exported outputs = {.schema = &fixture->schema_out};
    struct ArrowDeviceArray host = {0};
    handles_note(&fixture->handles, &fixture->input.wanted_schema, fixture->pair.array);
    if (fixture->told_as != NULL) {
        adi_play_tell_as(test, fixture->told_as);
        adi_play_crash_rule(test, "life/crash"); /* of what it comes is not known */
    }
    int code = adi_call_consume(test, &fixture->pair, &fixture->schema_out, &fixture->host_out);
    if (fixture->told_as != NULL) adi_play_tell_as(test, NULL);
    adi_input_watch_judge(test, &fixture->inputs, code);
    if (code == 0) return 0;
    host.array = fixture->host_out;
    outputs.array = &host;
    adi_exported_untouched(test, &outputs);
    fixture->schema_out.release = NULL;
    fixture->host_out.release = NULL;
    return code;
}

/* The same where a refusal means that the sample is not supported. */
static bool call_supported(struct adi_test *test, struct fixture *fixture) {
    int code = call_and_check(test, fixture);
    if (code != 0) adi_play_refused(test, code);
    return code == 0;
}

void adi_play_consume(struct adi_test *test) {
    struct fixture fixture;
    if (!set_up(test, 0, &fixture)) return;
    if (call_supported(test, &fixture)) judge_copy(test, &fixture);
    tear_down(test, &fixture);
}

/* Does the implementation take the sample when nothing is odd about it? Else its refusal of an
 * oddity tells nothing. */
static bool takes_it_plain(struct adi_test *test) {
    struct fixture fixture;
    if (!set_up(test, 0, &fixture)) return false;
    bool taken = call_supported(test, &fixture);
    tear_down(test, &fixture);
    adi_play_skip_ended(test);
    return taken && test->n_findings == 0 && !test->closed;
}

/* DV-012: what an id means depends on the device: a consumer refuses no CPU array for it. */
/* An id of the CPU that is not the recommended one. */
void adi_play_consume_id(struct adi_test *test) {
    struct fixture fixture;
    int64_t id = test->now->scenario->parameter;
    if (!adi_device_type_is_cpu(test->device->ops->type)) {
        adi_play_skip(test, "nothing to judge: this is about ids of the CPU");
        return;
    }
    if (!takes_it_plain(test) || !set_up(test, 0, &fixture)) return;
    fixture.pair.array->device_id = id;
    if (call_and_check(test, &fixture) == 0)
        judge_copy(test, &fixture);
    else
        adi_report(&test->sink, "device/cpu-id-refused", ADI_CONSUMER, "a refusal", "accepted",
                   "a CPU array with device_id %lld was refused", (long long)id);
    test->judged = true;
    tear_down(test, &fixture);
}

/* Reserved bytes that a later version may use: accepted or refused, but nothing else. */
void adi_play_consume_reserved(struct adi_test *test) {
    struct fixture fixture;
    if (!set_up(test, 0, &fixture)) return;
    fixture.pair.array->reserved[test->now->scenario->parameter] = 1;
    if (call_supported(test, &fixture)) judge_copy(test, &fixture);
    tear_down(test, &fixture);
}

/* DV-013: a consumer does not touch buffers of a device type that it cannot access. */
/* A device that the implementation does not have. Its buffers cannot be reached by the CPU. */
void adi_play_consume_device(struct adi_test *test) {
    struct fixture fixture;
    ArrowDeviceType type = (ArrowDeviceType)test->now->scenario->parameter;
    if (adi_call_roles(test->adapter, type, 0) & ADI_CONSUMES) {
        adi_play_skip(test, "nothing to refuse: the implementation takes this device type");
        return;
    }
    if (!takes_it_plain(test) || !set_up(test, ADI_GUARDED_FOREIGN, &fixture)) return;
    fixture.pair.array->device_type = type;
    fixture.pair.array->device_id = 0;
    fixture.told_as = "device/buffers-dereferenced"; /* by whatever call */
    test->judged = true;
    if (call_and_check(test, &fixture) == 0)
        adi_report(&test->sink, "device/unknown-type-accepted", ADI_CONSUMER, "success",
                   "a refusal", "an array of device type %d was accepted", type);
    tear_down(test, &fixture);
}

/* CD-077: a consumer looks whether `release` is NULL, and refuses then. */
/* A released structure, all else in it unreadable. parameter 0: the array, 1: the schema. */
void adi_play_consume_released(struct adi_test *test) {
    struct fixture fixture;
    if (!takes_it_plain(test) || !set_up(test, 0, &fixture)) return;
    bool schema = test->now->scenario->parameter == 1;
    adi_guard_spare(true);
    if (schema)
        adi_call_release_schema(fixture.pair.schema);
    else
        adi_call_release_array(&fixture.pair.array->array);
    adi_play_step(test, "release", schema ? "the schema" : "the array");
    adi_play_tell_as(test, "life/released-input-used");
    test->judged = true;
    if (adi_call_consume(test, &fixture.pair, &fixture.schema_out, &fixture.host_out) == 0) {
        adi_report(&test->sink, "life/released-input-used", ADI_CONSUMER, "success", "a refusal",
                   "a released %s was accepted", schema ? "schema" : "array");
    } else {
        fixture.schema_out.release = NULL;
        fixture.host_out.release = NULL;
    }
    if (fixture.pair.schema->release != NULL) adi_call_release_schema(fixture.pair.schema);
    if (fixture.pair.array->array.release != NULL)
        adi_call_release_array(&fixture.pair.array->array);
    tear_down(test, &fixture);
    adi_guard_spare(false);
    adi_play_tell_as(test, NULL);
}
