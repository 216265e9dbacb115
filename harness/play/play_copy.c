/* SPDX-License-Identifier: Apache-2.0
 *
 * Is what a consumer copied to the host what it was given?
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "compare.h"
#include "device_types.h"
#include "devices.h"
#include "move.h"
#include "play.h"
#include "schema.h"
#include "tree.h"

/* The gravest thing that the rules find wrong with a copy; of equals the first. */
struct gravest {
    struct adi_sink sink;
    struct adi_sight sight; /* its rule NULL: nothing */
};

/* What makes a copy unsound is graver than what does not, a MUST than a SHOULD, and what a document
 * says than what we read into it. */
static int gravity(const struct adi_rule *rule) {
    return (adi_breach_is_harmless(rule) ? 0 : 8) + 2 * ((int)ADI_MAY - (int)rule->level) +
           adi_rule_is_written(rule);
}

static void keep_gravest(struct adi_sink *sink, const struct adi_sight *sight) {
    struct gravest *gravest = (struct gravest *)sink;
    if (gravest->sight.rule != NULL && gravity(gravest->sight.rule) >= gravity(sight->rule)) return;
    gravest->sight = *sight;
}

static int unsound(struct adi_sink *sink, const struct gravest *gravest, int code,
                   struct adi_error *why) {
    if (gravest->sight.rule == NULL) return adi_error_set(why, ENOMEM, "out of memory");
    adi_report(sink, "array/misread", ADI_CONSUMER, gravest->sight.seen, gravest->sight.wanted,
               "the host copy is unsound: %s: %s", gravest->sight.rule->id, gravest->sight.message);
    return code;
}

bool adi_play_is_sound(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                       struct adi_device *device, struct adi_error *why) {
    struct gravest found = {.sink = {.broken = keep_gravest}};
    if (adi_check_array(schema, array, device, &found.sink) || found.sight.rule == NULL)
        return true;
    adi_error_set(why, EILSEQ, "unsound: %s: %s", found.sight.rule->id, found.sight.message);
    return false;
}

int adi_play_compare_copy(const struct ArrowSchema *schema, const struct ArrowArray *copy,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          struct adi_error *why) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = adi_device_array_of_cpu(copy);
    if (!adi_play_is_sound(schema, &array, &cpu, why)) return EILSEQ;
    return adi_array_compare(schema, copy, wanted_schema, wanted, why);
}

/* DV-005: a CPU device array is a plain ArrowArray: the host copy is checked as one. */
int adi_play_judge_copy(struct adi_sink *sink, const struct ArrowSchema *schema,
                        const struct ArrowArray *copy, const struct ArrowSchema *wanted_schema,
                        const struct ArrowArray *wanted, struct adi_error *why) {
    struct gravest found = {.sink = {.broken = keep_gravest}};
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = adi_device_array_of_cpu(copy);
    if (!adi_check_schema(schema, &found.sink)) return unsound(sink, &found, EINVAL, why);
    if (!adi_check_array(schema, &array, NULL, &found.sink))
        return unsound(sink, &found, EBADMSG, why);
    int code = adi_schema_compare_type(schema, wanted_schema, why);
    if (code != 0) {
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "the copy's type: schema.%s",
                   why->text);
        return code;
    }
    /* Bytes that were read too early may be any offset or index. */
    if (!adi_check_array(schema, &array, &cpu, &found.sink))
        return unsound(sink, &found, EILSEQ, why);
    code = adi_array_compare(schema, copy, wanted_schema, wanted, why);
    if (code != 0 && code != ENOMEM)
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "%s", why->text);
    return code;
}

/* ---- handles that were followed ---- */

/* Where a buffer value is a handle, and the handle an address that the CPU can read, whoever
 * follows it reads what the runtime keeps there, without a fault. A copy that begins with those
 * bytes is made of them. */
static void note(struct adi_handles *handles, const struct adi_node *node) {
    if (node == NULL) return;
    for (int64_t i = 0; i < node->n_buffers && handles->n < ADI_HANDLES; i++) {
        struct adi_handle *handle = &handles->list[handles->n++];
        handle->known = node->buffers[i].buffer != NULL &&
                        adi_peek(handle->at, node->buffers[i].buffer, sizeof handle->at) == 0;
    }
    for (int64_t i = 0; i < node->n_children; i++) note(handles, node->children[i]);
    note(handles, node->dictionary);
}

void adi_handles_note(struct adi_handles *handles, const struct ArrowSchema *schema,
                      const struct ArrowDeviceArray *array) {
    handles->n = 0;
    if (adi_device_type_of(array->device_type)->buffer != ADI_BUFFER_IS_HANDLE) return;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    note(handles, tree);
    adi_tree_free(tree);
}

static bool begins_with(const struct adi_bytes *bytes, const struct adi_handle *handle) {
    return bytes->data != NULL && bytes->size >= (int64_t)sizeof handle->at &&
           memcmp(bytes->data, handle->at, sizeof handle->at) == 0;
}

/* In the order in which they were noted; `*i` is the next of them. */
static bool any_followed(const struct adi_handles *handles, const struct adi_node *copy,
                         const struct adi_node *wanted, size_t *i) {
    bool found = false;
    if (copy == NULL || wanted == NULL || copy->n_buffers != wanted->n_buffers ||
        copy->n_children != wanted->n_children)
        return false;
    for (int64_t b = 0; b < copy->n_buffers && *i < handles->n; b++) {
        const struct adi_handle *handle = &handles->list[(*i)++];
        found = found || (handle->known && begins_with(&copy->buffers[b], handle) &&
                          !begins_with(&wanted->buffers[b], handle));
    }
    for (int64_t c = 0; c < copy->n_children && !found; c++)
        found = any_followed(handles, copy->children[c], wanted->children[c], i);
    return found || any_followed(handles, copy->dictionary, wanted->dictionary, i);
}

bool adi_handles_followed(const struct adi_handles *handles, const struct ArrowSchema *schema,
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
