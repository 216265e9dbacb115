/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a tensor is ordered as it was asked for.
 */
#include "attribution.h"
#include "device_types.h"
#include "dlpack_extent.h"
#include "dlpack_stream.h"
#include "play_tensor.h"

/* What is put on the harness's queue from now on comes behind the stream that was passed. */
static int come_behind(struct adi_device *device, const struct adi_dlpack_queue *queue,
                       struct adi_error *why) {
    void *event;
    ADI_TRY(adi_dlpack_record(device, *queue, &event, why));
    if (event == NULL) return 0;
    int code = device->ops->wait_host(device, event, why);
    if (code == 0) code = device->ops->wait(device, event, why);
    device->ops->event_free(device, event);
    return code;
}

bool adi_tensor_is_pending(struct adi_device *device, const struct adi_tensor *seen) {
    struct adi_dlpack_extent extent;
    const void *buffer;
    int64_t offset;
    if (adi_interceptor_current() == NULL || adi_device_type_is_cpu(device->ops->type) ||
        adi_dlpack_measure(&seen->tensor, (DLPackVersion){0, 0}, seen->flags, &extent, NULL) != 0 ||
        extent.count == 0 ||
        adi_dlpack_place(device, &seen->tensor, &extent, extent.low, &buffer, &offset, NULL) != 0)
        return false;
    return adi_interceptor_pending(buffer, offset, extent.high - extent.low);
}

/* DLP-06, AAX-06, AAX-07, AAX-09: the stream that is named waits for what writes. */
/* Of types whose streams have no numbers None is a convention of ours (docs/ambiguities.md, 47). */
/* AAX-03: a stream that was there before (adi_play_dlpack_held) and is not now. */
static void tell_failure(struct adi_test *test, const struct adi_dlpack_request *request,
                         const struct adi_error *why) {
    if (test->has_stream && request->stream == adi_dlpack_own_stream(test->device))
        adi_report(&test->sink, "dlpack/stream-destroyed", ADI_PRODUCER, why->text, "as before",
                   "the stream that was passed cannot be used any more");
    else if (test->n_findings == 0)
        adi_play_error(test, "the stream cannot be waited for", why);
}

bool adi_tensor_is_ordered(struct adi_test *test, const struct adi_dlpack_request *request,
                           struct adi_device *device, const struct adi_tensor *seen) {
    struct adi_dlpack_queue queue;
    struct adi_error why = {""};
    int code = adi_dlpack_stream((int32_t)device->ops->type, request->stream, &queue, &why);
    if (code == 0 && queue.order == ADI_DLPACK_BY_QUEUE &&
        !ADI_DEVICE_HAS(device->ops, record_on)) {
        adi_play_skip(test, "the device records no event on a stream of others");
        return false;
    }
    if (code != 0 || come_behind(device, &queue, &why) != 0) {
        tell_failure(test, request, &why);
        return false;
    }
    if (request->stream == -1 || !adi_tensor_is_pending(device, seen)) return true;
    bool is_named = queue.order == ADI_DLPACK_BY_QUEUE;
    adi_report(&test->sink, is_named ? "dlpack/stream-ignored" : "dlpack/none-not-finished",
               ADI_PRODUCER, "a command that writes it and has not run",
               is_named ? "a stream that waits for it" : "that it has run",
               "a tensor was handed out that is not written yet%s",
               is_named ? ", and what was put on the stream did not wait" : "");
    return false;
}
