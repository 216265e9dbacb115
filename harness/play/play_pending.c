/* SPDX-License-Identifier: Apache-2.0
 *
 * What an implementation gives out while its queues are paused: is all that is not written yet
 * behind the event?
 */
#include "attribution.h"
#include "device_types.h"
#include "node.h"
#include "play.h"
#include "trace.h"
#include "unchanged.h"

static const void *looked_at; /* the buffer that was found last */

/* Is a buffer to be written yet, in what its values are in; by something that the event, if there
 * is one, does not cover? */
static bool is_to_be_written(const struct adi_node *node, const struct adi_bytes *bytes,
                             void *event) {
    int64_t begin = adi_buffer_begin(node, bytes - node->buffers), n = bytes->size - begin;
    looked_at = bytes->buffer;
    return adi_interceptor_pending(bytes->buffer, begin, n) &&
           (event == NULL ||
            !adi_interceptor_covers(*(const void **)event, bytes->buffer, begin, n));
}

static bool any_pending(const struct adi_node *node, const void *event) {
    return adi_buffer_find(node, is_to_be_written, event == NULL ? NULL : &event) != NULL;
}

/* Who waits on what is paused resumes it; so what is paused after a wait was not waited for. */
static bool is_behind(struct adi_device *device, const struct adi_node *tree, void *event) {
    const void *handle = adi_device_type_event(device->ops->type, event);
    struct adi_error error = {""};
    if (handle != NULL && any_pending(tree, handle)) return false;
    return adi_tree_wait(device, event, &error) != 0 || !any_pending(tree, NULL);
}

/* Are its bytes not known without reading others, which may be pending? */
static bool is_unmeasured(const struct adi_node *node, const struct adi_bytes *bytes,
                          void *unused) {
    (void)node, (void)unused;
    return bytes->size < 0 && adi_interceptor_current()->pending(bytes->buffer);
}

/* What the buffers hold whose bytes others tell may be read by now, and so may those. */
static bool is_pending_in_data(struct adi_device *device, const struct ArrowSchema *schema,
                               const struct ArrowDeviceArray *array) {
    struct adi_node *tree = adi_tree_copy(schema, array, device);
    bool waited = tree != NULL && tree->waited == 0;
    bool pending = waited && any_pending(tree, NULL);
    adi_tree_free(tree);
    return pending;
}

/* DV-016: the data is on the device before the event triggers. */
/* DV-020, DV-040: without an event it is there when the array is handed out. */
static void report_late(struct adi_test *test, void *event, const struct adi_difference *at) {
    struct adi_words seen =
        adi_words("%02x in byte %" PRId64 ", and then %02x", at->was, at->byte, at->is);
    const void *handle = adi_device_type_event(test->device->ops->type, event);
    adi_trace_handed_out(at->node->buffers[at->buffer].buffer, handle);
    adi_report(&test->sink, event == NULL ? "sync/data-not-ready" : "sync/event-too-early",
               ADI_PRODUCER, seen.text, "an event behind all that writes the buffers",
               "%s was written after it was handed out%s",
               adi_at(at->node, "buffers[%" PRId64 "]", at->buffer).text,
               event == NULL ? "" : " and its event was complete");
}

/* Whatever writes the buffers, by whatever call: what is not behind the event that was waited for
 * has not run. So what is read now is what is read when all has. */
static bool is_written_late(struct adi_test *test, const struct adi_exported *out) {
    const struct ArrowDeviceArray *array = out->array;
    struct adi_device *device = test->device;
    struct adi_difference found;
    struct adi_error error = {""};
    if (!adi_interceptor_drains() || array->device_type != device->ops->type ||
        adi_tree_wait(device, array->sync_event, &error) != 0 ||
        !adi_interceptor_has_pending_work())
        return false;
    struct adi_node *first = adi_tree_copy(out->schema, array, device);
    adi_interceptor_drain();
    struct adi_node *second = adi_tree_copy(out->schema, array, device);
    bool late = adi_unchanged_differ(first, second, &found);
    if (late) report_late(test, array->sync_event, &found);
    adi_tree_free(first);
    adi_tree_free(second);
    return late;
}

bool adi_queue_is_pending(struct adi_device *device, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array) {
    adi_tree_wait_anew();
    if (adi_interceptor_current() == NULL) return false;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    void *event = array->sync_event;
    bool pending = any_pending(tree, NULL) && (event == NULL || !is_behind(device, tree, event));
    bool unmeasured = !pending && adi_buffer_find(tree, is_unmeasured, NULL) != NULL;
    adi_tree_free(tree);
    return pending || (unmeasured && is_pending_in_data(device, schema, array));
}

void adi_queue_report_pending(struct adi_sink *sink, bool relays,
                              const struct ArrowDeviceArray *array) {
    void *event = array->sync_event;
    adi_trace_handed_out(looked_at, adi_device_type_event(array->device_type, event));
    const char *seen = event == NULL ? "no event" : "an event that does not wait for them";
    if (relays)
        adi_report(sink, "sync/read-before-wait", ADI_CONSUMER, seen,
                   "the event that came with the array",
                   "buffers were handed on that are not written yet");
    else
        adi_report(sink, event == NULL ? "sync/data-not-ready" : "sync/event-too-early",
                   ADI_PRODUCER, seen, "an event behind all that writes the buffers",
                   "buffers were handed out that are not written yet");
}

bool adi_queue_judge(struct adi_test *test, const struct adi_exported *out) {
    if (adi_interceptor_current() == NULL) return true;
    if (!adi_queue_is_pending(test->device, out->schema, out->array))
        return !is_written_late(test, out);
    adi_queue_report_pending(&test->sink, adi_role_relays(test->now->scenario->role), out->array);
    return false;
}
