/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_tensor_internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "dlpack_stream.h"
#include "guarded_input.h"
#include "tree.h"

static struct adi_guarded_tensor *_Atomic open_one;

/* ---- the deleter ---- */

static struct adi_tensor_given *tensor_at(struct adi_guarded_tensor *guarded, const void *self) {
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++)
        if (guarded->tensors[i].at == self) return &guarded->tensors[i];
    return NULL;
}

/* By what lies in manager_ctx of a structure that is none of ours. */
static struct adi_tensor_given *copied_from(struct adi_guarded_tensor *guarded, const void *self,
                                            bool is_legacy) {
    size_t at = is_legacy ? offsetof(struct DLManagedTensor, manager_ctx)
                          : offsetof(struct DLManagedTensorVersioned, manager_ctx);
    void *context;
    if (adi_safe_read(&context, (const char *)self + at, sizeof context) != 0) return NULL;
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++) {
        struct adi_tensor_given *tensor = &guarded->tensors[i];
        const void *own = tensor->form == ADI_FORM_LEGACY ? tensor->original.legacy.manager_ctx
                                                          : tensor->original.versioned.manager_ctx;
        if (tensor->at != NULL && own == context) return tensor;
    }
    return NULL;
}

/* DLH-44, DLH-46: what the deleter frees is as it was. */
static void judge_members(const struct adi_guarded_tensor *guarded,
                          const struct adi_tensor_given *tensor) {
    static const struct {
        const char *name;
        size_t at[2], bytes; /* versioned, legacy */
    } members[] = {
#define WITHIN(member)                                                                             \
    {"dl_tensor." #member,                                                                         \
     {offsetof(struct DLManagedTensorVersioned, dl_tensor.member),                                 \
      offsetof(struct DLManagedTensor, dl_tensor.member)},                                         \
     sizeof(((DLTensor *)NULL)->member)}
        WITHIN(data),  WITHIN(device),  WITHIN(ndim),       WITHIN(dtype),
        WITHIN(shape), WITHIN(strides), WITHIN(byte_offset)};
#undef WITHIN
    const char *changed = "the structure";
    if (memcmp(tensor->at, &tensor->original, tensor->bytes) == 0) return;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        size_t at = members[i].at[tensor->form == ADI_FORM_LEGACY];
        if (at + members[i].bytes <= tensor->bytes &&
            memcmp((const char *)tensor->at + at, (const char *)&tensor->original + at,
                   members[i].bytes) != 0)
            changed = members[i].name;
    }
    adi_report(guarded->sink, "dlpack/tensor-changed", ADI_CONSUMER, "another value",
               "the producer's value", "%s was changed by the consumer", changed);
}

/* DLH-41, DLH-42, DLH-47: what still reads it would read what comes there next. */
static void judge_queues(const struct adi_guarded_tensor *guarded,
                         const struct adi_tensor_given *tensor) {
    bool asks = tensor->data != NULL && !adi_tensor_is_on_cpu(guarded) &&
                pthread_equal(pthread_self(), guarded->thread);
    if (asks && adi_interceptor_used(tensor->data, 0, guarded->memory))
        adi_report(guarded->sink, "dlpack/deleted-while-reading", ADI_CONSUMER,
                   "a queued command that has not run", "a wait before the deleter",
                   "the deleter was called, and the tensor is still to be read");
    if (asks && tensor->form == ADI_FORM_SHARED &&
        adi_interceptor_written(tensor->data, 0, guarded->memory))
        adi_report(guarded->sink, "dlpack/read-only-written", ADI_CONSUMER,
                   "a command that writes it", "reads only", "a read-only tensor was written");
}

static void free_memory(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor) {
    struct adi_device *device = guarded->device;
    if (adi_tensor_is_on_cpu(guarded) || tensor->data == NULL ||
        adi_tensor_is_odd(guarded, ADI_TENSOR_TRN))
        return;
    if (tensor->event != NULL) device->ops->event_free(device, tensor->event);
    device->ops->free(device, tensor->data);
    tensor->data = tensor->event = NULL;
}

static void retire(const void *start) {
    if (start != NULL) adi_guard_retire_soon(start);
}

/* The structure stays open, so that a second call is seen as what it is. */
static void end(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor) {
    if (adi_tensor_is_on_cpu(guarded)) retire(tensor->data);
    retire(tensor->shape);
    retire(tensor->strides);
    adi_guard_settle();
    adi_guard_charge_free(tensor->at, ADI_CHARGE_TOUCH_RELEASED);
    free_memory(guarded, tensor);
}

/* DLH-52, DLP-18: it is called once. */
static void delete_it(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor) {
    if (atomic_exchange(&tensor->life, ADI_TENSOR_DELETED) == ADI_TENSOR_DELETED) {
        adi_report(guarded->sink, "dlpack/deleter-called-twice", ADI_CONSUMER, "a second call",
                   "one call", "the deleter was called again");
        return;
    }
    judge_members(guarded, tensor);
    judge_queues(guarded, tensor);
    end(guarded, tensor);
}

/* What comes when the array is closed is late, and nothing is left of what it is about. */
static void on_delete(void *self, bool is_legacy) {
    struct adi_guarded_tensor *guarded = atomic_load(&open_one);
    if (guarded == NULL) return;
    bool before = adi_attribution_enter(false);
    struct adi_tensor_given *tensor = tensor_at(guarded, self);
    if (tensor == NULL) {
        tensor = copied_from(guarded, self, is_legacy);
        if (tensor != NULL)
            adi_report(guarded->sink, "dlpack/tensor-moved", ADI_CONSUMER, "another address",
                       "the address that was handed out",
                       "the deleter was called with a copy of the structure");
    }
    if (tensor != NULL) delete_it(guarded, tensor);
    adi_attribution_enter(before);
}

static void delete_legacy(struct DLManagedTensor *self) {
    on_delete(self, true);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    on_delete(self, false);
}

/* ---- the array's callbacks ---- */

/* DLP-05, AAX-01, AAX-04, AAX-10, AAX-12, AAX-13: a stream is one that the type has. */
static int look_at_stream(const struct adi_guarded_tensor *guarded, int64_t stream,
                          struct adi_dlpack_queue *out) {
    int32_t type = (int32_t)guarded->device->ops->type;
    bool is_said =
        adi_dlpack_numbers(type) != ADI_DLPACK_UNSAID || (stream != ADI_DLPACK_NONE && stream < -1);
    struct adi_error why = {""};
    if (adi_dlpack_stream(type, stream, out, &why) == 0) return 0;
    if (is_said)
        adi_report(guarded->sink, "dlpack/stream-forbidden", ADI_CONSUMER, NULL, NULL, "%s",
                   why.text);
    return EINVAL;
}

static enum adi_tensor_form form_of(const struct adi_guarded_tensor *guarded,
                                    const struct adi_dlpack_request *request) {
    bool has_version = adi_tensor_is_odd(guarded, ADI_TENSOR_MAJOR_2) || request->max_major > 0;
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_LEGACY) || !has_version) return ADI_FORM_LEGACY;
    return request->copy == 1 ? ADI_FORM_COPY : ADI_FORM_SHARED;
}

static struct adi_tensor_given *take(struct adi_guarded_tensor *guarded,
                                     enum adi_tensor_form form) {
    for (int i = 0; i < ADI_TENSOR_EACH; i++) {
        struct adi_tensor_given *tensor = &guarded->tensors[(int)form * ADI_TENSOR_EACH + i];
        int before = ADI_TENSOR_NOT_GIVEN;
        if (atomic_compare_exchange_strong(&tensor->life, &before, ADI_TENSOR_GIVEN)) return tensor;
    }
    return NULL;
}

static int answer(struct adi_guarded_tensor *guarded, const struct adi_dlpack_request *request,
                  struct adi_dlpack_tensor *out) {
    const DLDevice here = guarded->tensor.device;
    struct adi_dlpack_queue queue;
    bool elsewhere =
        request->device_type != 0 &&
        (request->device_type != (int32_t)here.device_type || request->device_id != here.device_id);
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_REFUSED)) return EINVAL;
    if (elsewhere) return ENOTSUP;
    ADI_TRY(look_at_stream(guarded, request->stream, &queue));
    struct adi_tensor_given *tensor = take(guarded, form_of(guarded, request));
    if (tensor == NULL) return ENOMEM;
    int code = adi_dlpack_wait(guarded->device, queue, tensor->event, NULL);
    if (code != 0) {
        atomic_store(&tensor->life, ADI_TENSOR_NOT_GIVEN);
        return code;
    }
    out->legacy = tensor->form == ADI_FORM_LEGACY ? &tensor->at->legacy : NULL;
    out->versioned = tensor->form == ADI_FORM_LEGACY ? NULL : &tensor->at->versioned;
    return 0;
}

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_guarded_tensor *guarded = atomic_load(&open_one);
    (void)self;
    if (guarded == NULL) return EINVAL;
    bool before = adi_attribution_enter(false);
    int code = answer(guarded, request, out);
    adi_attribution_enter(before);
    return code;
}

static void release(struct adi_dlpack_array *self) {
    struct adi_guarded_tensor *guarded = atomic_load(&open_one);
    if (guarded == NULL) return;
    if (atomic_exchange(&guarded->is_released, true))
        adi_report(guarded->sink, "dlpack/array-not-released", ADI_CONSUMER, "a second call",
                   "one call", "the array was released again");
    self->release = NULL;
}

static const struct adi_tensor_callbacks callbacks = {delete_legacy, delete_versioned, ask,
                                                      release};

int adi_guarded_tensor_open(struct adi_device *device, const DLTensor *host, unsigned oddities,
                            struct adi_sink *sink, struct adi_guarded_tensor **out,
                            struct adi_dlpack_array **array, struct adi_error *error) {
    struct adi_guarded_tensor *guarded = calloc(1, sizeof *guarded);
    if (guarded == NULL) return adi_error_set(error, ENOMEM, "no memory for an array");
    guarded->device = device;
    guarded->sink = sink;
    guarded->oddities = oddities;
    guarded->thread = pthread_self();
    atomic_store(&open_one, guarded);
    int code = adi_guarded_tensor_put(guarded, host, &callbacks, error);
    if (code != 0) {
        guarded->is_released = true;
        adi_guarded_tensor_close(guarded);
        return code;
    }
    *out = guarded;
    *array = guarded->array;
    return 0;
}

/* ---- its end ---- */

size_t adi_guarded_tensor_live(const void *guarded_at) {
    const struct adi_guarded_tensor *guarded = guarded_at;
    size_t live = !atomic_load(&guarded->is_released);
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++)
        live += atomic_load(&guarded->tensors[i].life) == ADI_TENSOR_GIVEN &&
                !adi_tensor_is_odd(guarded, ADI_TENSOR_NO_DELETER);
    return live;
}

/* DLH-03, DLH-42: whoever was given a tensor owes the call of its deleter. */
static void judge_end(const struct adi_guarded_tensor *guarded) {
    bool is_unknown = adi_tensor_is_odd(guarded, ADI_TENSOR_MAJOR_2);
    for (int i = 0; i < ADI_TENSORS_GIVEN && !adi_tensor_is_odd(guarded, ADI_TENSOR_NO_DELETER);
         i++) {
        if (atomic_load(&guarded->tensors[i].life) != ADI_TENSOR_GIVEN) continue;
        adi_report(guarded->sink,
                   is_unknown ? "dlpack/unknown-version-kept" : "dlpack/deleter-not-called",
                   ADI_CONSUMER, "no call", "one call", "the deleter was never called");
        break;
    }
    if (!atomic_load(&guarded->is_released))
        adi_report(guarded->sink, "dlpack/array-not-released", ADI_CONSUMER, "no call", "one call",
                   "the array was never released");
}

/* Who is given no deleter does not say when he looks at the structure for the last time, and who
 * owes its call may do it yet. */
static void leave_undeleted(const struct adi_guarded_tensor *guarded) {
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++)
        if (atomic_load(&guarded->tensors[i].life) == ADI_TENSOR_GIVEN)
            adi_guard_stay(guarded->tensors[i].at);
}

void adi_guarded_tensor_close(struct adi_guarded_tensor *guarded) {
    if (guarded == NULL) return;
    judge_end(guarded);
    leave_undeleted(guarded);
    atomic_store(&open_one, (struct adi_guarded_tensor *)NULL);
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++) free_memory(guarded, &guarded->tensors[i]);
    free(guarded);
    if (!adi_guarded_any() && !adi_guard_is_kept()) adi_guard_reset();
}
