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
                        adi_peek(handle->at, node->buffers[i].buffer, sizeof handle->at) == 0;
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

/* A staged array on its way through `consume`. */
struct meal {
    struct adi_goods goods;
    struct adi_stage stage;
    struct adi_staged staged;
    struct adi_inputs inputs;
    struct ArrowSchema schema_out;
    struct ArrowArray host_out;
    struct handles handles; /* of what it was given */
    const char *told_as; /* what everything breaks that happens in the call; NULL: what it does */
    bool unsound;        /* what came out is not to be trusted, nor released */
};

bool adi_play_stage(struct adi_trial *trial, struct adi_goods *goods, struct adi_stage *stage,
                    unsigned oddities, struct adi_staged *staged, struct adi_inputs *inputs) {
    struct adi_error error = {""};
    if (!adi_goods_make(trial, 0, goods)) return false;
    if (trial->now->shape->traits & ADI_SHAPE_UNALIGNED) oddities |= ADI_STAGE_UNALIGNED;
    adi_stage_open(stage, trial->device, &trial->sink);
    if (adi_stage_put(stage, &goods->schema, &goods->host, oddities, staged, &error) != 0) {
        adi_play_error(trial, "no array to hand over", &error);
        adi_stage_close(stage);
        *stage = (struct adi_stage){0};
        adi_goods_free(goods);
        return false;
    }
    *inputs = (struct adi_inputs){
        .schema = staged->schema, .array = &staged->array->array, .stage = &stage->monitor};
    return true;
}

static bool set_table(struct adi_trial *trial, unsigned oddities, struct meal *meal) {
    memset(meal, 0, sizeof *meal);
    memset(&meal->schema_out, ADI_POISON_BYTE, sizeof meal->schema_out);
    memset(&meal->host_out, ADI_POISON_BYTE, sizeof meal->host_out);
    return adi_play_stage(trial, &meal->goods, &meal->stage, oddities, &meal->staged,
                          &meal->inputs);
}

static void judge_copy(struct adi_trial *trial, struct meal *meal) {
    struct adi_error why = {""};
    adi_play_step(trial, "compare", "the host copy with what was exported");
    trial->judged = true;
    /* Who read too early may have what an object of the runtime left in that memory. */
    meal->unsound =
        trial->broken == 0 && handles_followed(&meal->handles, &meal->goods.wanted_schema,
                                               &meal->host_out, &meal->goods.wanted);
    if (meal->unsound) {
        adi_report(&trial->sink, "device/buffers-dereferenced", ADI_CONSUMER,
                   "the bytes that lie where the handle points to", "a read by way of the device",
                   "a buffer of the host copy holds what the runtime keeps behind the handle: it "
                   "was followed as a pointer");
        meal->host_out.release = NULL;
        return;
    }
    int code = adi_play_judge_copy(&trial->sink, &meal->schema_out, &meal->host_out,
                                   &meal->goods.wanted_schema, &meal->goods.wanted, &why);
    if (code == ENOMEM) adi_play_error(trial, "it cannot be compared", &why); /* ours */
    /* What is unsound is not to be trusted any further. */
    meal->unsound = code == EINVAL || code == EBADMSG;
    if (code == EINVAL) meal->schema_out.release = NULL;
    if (meal->unsound) meal->host_out.release = NULL;
}

/* The copy may stand on the array that was handed over, so it goes first. Nobody is to blame for
 * what one that is not released keeps. */
static void clear_table(struct adi_trial *trial, struct meal *meal) {
    const bool muted = trial->muted;
    trial->muted = muted || meal->unsound;
    if (meal->schema_out.release != NULL) adi_call_release_schema(&meal->schema_out);
    if (meal->host_out.release != NULL) adi_call_release_array(&meal->host_out);
    adi_inputs_end(trial, &meal->inputs);
    adi_stage_close(&meal->stage);
    trial->muted = muted;
    adi_goods_free(&meal->goods);
}

/* Hands over what is on the table, and judges what a refusal leaves behind. Returns the
 * implementation's answer. */
static int serve(struct adi_trial *trial, struct meal *meal) {
    struct adi_exported outputs = {.schema = &meal->schema_out};
    struct ArrowDeviceArray host = {0};
    handles_note(&meal->handles, &meal->goods.wanted_schema, meal->staged.array);
    if (meal->told_as != NULL) {
        adi_play_tell_as(trial, meal->told_as);
        adi_play_closer(trial, NULL); /* of what a crash comes is not known */
    }
    int code = adi_call_consume(trial, &meal->staged, &meal->schema_out, &meal->host_out);
    if (meal->told_as != NULL) adi_play_tell_as(trial, NULL);
    adi_inputs_judge(trial, &meal->inputs, code);
    if (code == 0) return 0;
    host.array = meal->host_out;
    outputs.array = &host;
    adi_exported_untouched(trial, &outputs);
    meal->schema_out.release = NULL;
    meal->host_out.release = NULL;
    return code;
}

/* The same where a refusal means that the sample is not supported. */
static bool eat(struct adi_trial *trial, struct meal *meal) {
    int code = serve(trial, meal);
    if (code != 0) adi_play_refused(trial, code);
    return code == 0;
}

void adi_play_consume(struct adi_trial *trial) {
    struct meal meal;
    if (!set_table(trial, 0, &meal)) return;
    if (eat(trial, &meal)) judge_copy(trial, &meal);
    clear_table(trial, &meal);
}

/* Does the implementation take the sample when nothing is odd about it? Else its refusal of an
 * oddity tells nothing. */
static bool takes_it_plain(struct adi_trial *trial) {
    struct meal meal;
    if (!set_table(trial, 0, &meal)) return false;
    bool taken = eat(trial, &meal);
    clear_table(trial, &meal);
    adi_play_skip_ended(trial);
    return taken && trial->broken == 0 && !trial->closed;
}

/* DV-012: what an id means depends on the device: a consumer refuses no CPU array for it. */
/* An id of the CPU that is not the recommended one. */
void adi_play_consume_id(struct adi_trial *trial) {
    struct meal meal;
    int64_t id = trial->now->scenario->parameter;
    if (!adi_device_type_is_cpu(trial->device->ops->type)) {
        adi_play_skip(trial, "this is about ids of the CPU");
        return;
    }
    if (!takes_it_plain(trial) || !set_table(trial, 0, &meal)) return;
    meal.staged.array->device_id = id;
    if (serve(trial, &meal) == 0)
        judge_copy(trial, &meal);
    else
        adi_report(&trial->sink, "device/cpu-id-refused", ADI_CONSUMER, "a refusal", "accepted",
                   "a CPU array with device_id %lld was refused", (long long)id);
    trial->judged = true;
    clear_table(trial, &meal);
}

/* Reserved bytes that a later version may use: accepted or refused, but nothing else. */
void adi_play_consume_reserved(struct adi_trial *trial) {
    struct meal meal;
    if (!set_table(trial, 0, &meal)) return;
    meal.staged.array->reserved[trial->now->scenario->parameter] = 1;
    if (eat(trial, &meal)) judge_copy(trial, &meal);
    clear_table(trial, &meal);
}

/* DV-013: a consumer does not touch buffers of a device type that it cannot access. */
/* A device that the implementation does not have. Its buffers cannot be reached by the CPU. */
void adi_play_consume_device(struct adi_trial *trial) {
    struct meal meal;
    ArrowDeviceType type = (ArrowDeviceType)trial->now->scenario->parameter;
    if (adi_call_roles(trial->adapter, type, 0) & ADI_CONSUMES) {
        adi_play_skip(trial, "the implementation has this device type");
        return;
    }
    if (!takes_it_plain(trial) || !set_table(trial, ADI_STAGE_FOREIGN, &meal)) return;
    meal.staged.array->device_type = type;
    meal.staged.array->device_id = 0;
    meal.told_as = "device/buffers-dereferenced"; /* by whatever call */
    trial->judged = true;
    if (serve(trial, &meal) == 0)
        adi_report(&trial->sink, "device/unknown-type-accepted", ADI_CONSUMER, "success",
                   "a refusal", "an array of device type %d was accepted", type);
    clear_table(trial, &meal);
}

/* CD-077: a consumer looks whether `release` is NULL, and refuses then. */
/* A released structure, all else in it unreadable. parameter 0: the array, 1: the schema. */
void adi_play_consume_released(struct adi_trial *trial) {
    struct meal meal;
    if (!takes_it_plain(trial) || !set_table(trial, 0, &meal)) return;
    bool schema = trial->now->scenario->parameter == 1;
    if (schema)
        adi_call_release_schema(meal.staged.schema);
    else
        adi_call_release_array(&meal.staged.array->array);
    adi_play_step(trial, "release", schema ? "the schema" : "the array");
    adi_play_tell_as(trial, "life/released-input-used");
    trial->judged = true;
    if (adi_call_consume(trial, &meal.staged, &meal.schema_out, &meal.host_out) == 0) {
        adi_report(&trial->sink, "life/released-input-used", ADI_CONSUMER, "success", "a refusal",
                   "a released %s was accepted", schema ? "schema" : "array");
    } else {
        meal.schema_out.release = NULL;
        meal.host_out.release = NULL;
    }
    if (meal.staged.schema->release != NULL) adi_call_release_schema(meal.staged.schema);
    if (meal.staged.array->array.release != NULL) adi_call_release_array(&meal.staged.array->array);
    clear_table(trial, &meal);
    adi_play_tell_as(trial, NULL);
}
