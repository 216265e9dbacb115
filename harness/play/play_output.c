/* SPDX-License-Identifier: Apache-2.0
 *
 * Is what an implementation gave out sound, and is it what went in?
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_types.h"
#include "grace_period.h"
#include "import.h"
#include "move.h"
#include "node.h"
#include "play.h"
#include "schema.h"

#define DATA_LATE_MS 25 /* how late data may be; on a busy machine it is more */

bool adi_exported_check(struct adi_test *test, struct adi_exported *out) {
    bool sound = adi_check_schema(out->schema, &test->sink) && adi_play_check_array(test, out);
    if (!sound) return false;
    out->schema_watch = adi_watch_open(&adi_kind_schema, out->schema, &test->sink, true, false);
    out->array_watch =
        adi_watch_open(&adi_kind_array, &out->array->array, &test->sink, true, false);
    return out->schema_watch != NULL && out->array_watch != NULL;
}

bool adi_exported_is_empty_on_cpu(const struct adi_exported *out) {
    if (!adi_device_type_is_cpu(out->array->device_type)) return false;
    struct adi_node *tree = adi_tree_copy(out->schema, out->array, NULL);
    bool empty = tree != NULL && !adi_holds_bytes(tree);
    adi_tree_free(tree);
    return empty;
}

/* CD-042: the values are those from the offset on. */
/* The rules have read each buffer once. This waits on the event and reads once more, and is there
 * to see what others have overwritten since, values (pool_rewritten) or an event in the place of
 * another's (opencl_event_in_one_place), and values that come late (data_comes_late). */
bool adi_exported_compare(struct adi_test *test, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          const char *rule, struct ArrowArray *kept) {
    struct adi_error why = {""}, first = {""};
    struct ArrowArray copy = {0};
    int code = adi_schema_compare_type(schema, wanted_schema, &why);
    if (code != 0) {
        adi_report(&test->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s",
                   why.text);
        return false;
    }
    struct adi_grace_period grace = adi_grace_period(DATA_LATE_MS);
    for (bool again = false;; again = true) {
        adi_array_release(&copy);
        code = adi_copy_to_host(test->device, schema, array, &copy, &why);
        if (code == 0) code = adi_play_compare_copy(schema, &copy, wanted_schema, wanted, &why);
        if (code == ENOMEM && !adi_play_is_sound(schema, array, test->device, &why)) code = EILSEQ;
        if (!again) first = why;
        if (code == 0 || code == ENOMEM || !adi_grace_period_sleep(&grace)) break;
    }
    bool same = code == 0 && first.text[0] == '\0';
    if (same && kept != NULL) adi_array_move(&copy, kept);
    adi_array_release(&copy);
    if (code == ENOMEM) { /* ours */
        adi_play_error(test, "it cannot be compared", &why);
        return false;
    }
    if (code != 0 && grace.is_starved) {
        adi_play_starved(test);
        return false;
    }
    test->judged = true;
    const struct adi_rule *broken = adi_rule_named(rule);
    if (code != 0 && adi_play_is_of_values(broken) && adi_play_misreads(test, broken)) {
        struct adi_found finding = {.not_applicable = false};
        adi_see(&finding, NULL, NULL, "%s", first.text);
        adi_play_report_misread(&test->sink, &finding);
    } else if (code != 0)
        adi_report(&test->sink, rule, ADI_PRODUCER, NULL, NULL, "%s", first.text);
    else if (!same)
        adi_play_report_late(&test->sink, first.text);
    return same;
}

void adi_exported_sums(struct adi_test *test, const struct adi_exported *out,
                       struct ArrowArray *copy) {
    struct adi_error why = {""};
    if (!ADI_DEVICE_HAS(test->device->ops, checksum)) return;
    int code = adi_compare_sums(test->device, out->schema, out->array, copy, &why);
    if (code == EBADMSG || code == EFAULT)
        adi_report(&test->sink,
                   code == EFAULT ? "device/buffer-not-accessible" : "array/data-differs",
                   ADI_PRODUCER, NULL, "the same bytes for the device and the host",
                   "the device does not have what the host reads: %s", why.text);
    else if (code != 0 && code != ENOTSUP)
        adi_play_error(test, "the device cannot sum it", &why);
}

void adi_exported_free(struct adi_test *test, struct adi_exported *out) {
    if (out->array_watch != NULL) {
        bool schema_first = strlen(test->now->name) % 2 == 0;
        if (schema_first && out->schema->release != NULL) adi_call_release_schema(out->schema);
        if (out->array->array.release != NULL) adi_call_release_array(&out->array->array);
        if (out->schema->release != NULL) adi_call_release_schema(out->schema);
        adi_watch_close(out->schema_watch);
        adi_watch_close(out->array_watch);
    }
    free(out->schema);
    free(out->array);
}

/* ---- is it known what each buffer value is? ---- */

/* Where it cannot be told what a buffer value is, nothing is said of the array that has it. */
struct telling {
    struct adi_device *device;
    struct adi_error *why;
};

static bool is_unidentified(const struct adi_node *node, const struct adi_bytes *bytes,
                            void *telling_at) {
    const struct telling *telling = telling_at;
    struct adi_device *device = telling->device;
    enum adi_buffer_role role = adi_type_role(&node->type, bytes - node->buffers, node->n_buffers);
    return bytes->buffer != NULL && role != ADI_BUFFER_VARIADIC_LENGTHS &&
           !device->ops->can_identify_buffer(device, bytes->buffer, telling->why);
}

static bool are_identified(struct adi_device *device, const struct adi_node *node,
                           struct adi_error *why) {
    return adi_buffer_find(node, is_unidentified, &(struct telling){device, why}) == NULL;
}

static bool is_event_identified(struct adi_device *device, const void *sync_event,
                                struct adi_error *why) {
    return sync_event == NULL || !ADI_DEVICE_HAS(device->ops, can_identify_event) ||
           device->ops->can_identify_event(device, sync_event, why);
}

bool adi_play_can_identify(struct adi_device *device, const struct ArrowSchema *schema,
                           const struct ArrowDeviceArray *array, struct adi_error *why) {
    if (!ADI_DEVICE_HAS(device->ops, can_identify_buffer)) return true;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    bool told = array->device_type != device->ops->type || are_identified(device, tree, why);
    /* The event may let the device know where the array is from. */
    if (!told && array->sync_event != NULL &&
        device->ops->wait(device, array->sync_event, NULL) == 0)
        told = are_identified(device, tree, why);
    told = told && (array->device_type != device->ops->type ||
                    is_event_identified(device, array->sync_event, why));
    adi_tree_free(tree);
    return told;
}

bool adi_play_is_identified(struct adi_device *device, struct ArrowSchema *schema,
                            struct ArrowDeviceArray *array, struct adi_error *why) {
    if (adi_play_can_identify(device, schema, array, why)) return true;
    if (schema->release != NULL) adi_call_release_schema(schema);
    if (array->array.release != NULL) adi_call_release_array(&array->array);
    return false;
}

void adi_play_unidentified(struct adi_test *test, const struct adi_error *why) {
    char text[ADI_ERROR_SIZE + 16];
    snprintf(text, sizeof text, "not judged: %s", why->text);
    adi_play_skip(test, text);
}

bool adi_exported_is_identified(struct adi_test *test, const struct adi_exported *out) {
    struct adi_error why = {""};
    if (adi_play_is_identified(test->device, out->schema, out->array, &why)) return true;
    adi_play_unidentified(test, &why);
    return false;
}
