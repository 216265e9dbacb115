/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/watch/: a guarded array of tensors, as it is laid out (guarded_tensor_put.c)
 * and as its callbacks find it.
 */
#ifndef ADI_GUARDED_TENSOR_INTERNAL_H
#define ADI_GUARDED_TENSOR_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "device_types.h"
#include "guarded_tensor.h"

#define ADI_TENSOR_EACH 2 /* of a form may be asked for so often */

/* What can be asked for. */
enum adi_tensor_form {
    ADI_FORM_SHARED,
    ADI_FORM_COPY,
    ADI_FORM_LEGACY,
    ADI_FORMS,
};
#define ADI_TENSORS_GIVEN (ADI_FORMS * ADI_TENSOR_EACH)

enum adi_tensor_life {
    ADI_TENSOR_NOT_GIVEN,
    ADI_TENSOR_GIVEN,
    ADI_TENSOR_DELETED,
};

struct adi_tensor_given {
    union adi_managed_tensor {
        struct DLManagedTensor legacy;
        struct DLManagedTensorVersioned versioned;
    } * at, original; /* `at` is guarded */
    size_t bytes;     /* of the structure */
    enum adi_tensor_form form;
    void *data, *event;
    int64_t *shape, *strides; /* guarded; either may be NULL */
    atomic_int life;
};

struct adi_guarded_tensor {
    struct adi_device *device;
    struct adi_sink *sink;
    struct adi_dlpack_array *array;
    unsigned oddities;
    const struct adi_tensor_callbacks *callbacks;
    DLTensor tensor; /* as it is described, but for the pointers of each */
    int64_t shape[ADI_DLPACK_DIMS], strides[ADI_DLPACK_DIMS];
    int64_t first, memory; /* bytes in front of the first element, and in all */
    pthread_t thread;
    atomic_bool is_released;
    struct adi_tensor_given tensors[ADI_TENSORS_GIVEN];
};

static inline bool adi_tensor_is_odd(const struct adi_guarded_tensor *guarded,
                                     enum adi_tensor_oddity oddity) {
    return (guarded->oddities & (unsigned)oddity) != 0;
}

static inline bool adi_tensor_is_on_cpu(const struct adi_guarded_tensor *guarded) {
    return adi_device_type_is_cpu(guarded->device->ops->type);
}

/* What is to be called. */
struct adi_tensor_callbacks {
    void (*delete_legacy)(struct DLManagedTensor *self);
    void (*delete_versioned)(struct DLManagedTensorVersioned *self);
    int (*ask)(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out);
    void (*release)(struct adi_dlpack_array *self);
};

/* Makes all that may be asked for. What was made so far is given back by the caller where that
 * fails. */
int adi_guarded_tensor_put(struct adi_guarded_tensor *guarded, const DLTensor *host,
                           const struct adi_tensor_callbacks *callbacks, struct adi_error *error);

#endif /* ADI_GUARDED_TENSOR_INTERNAL_H */
