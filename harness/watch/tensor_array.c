/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_array.h"

#include <errno.h>
#include <stdlib.h>

struct own {
    struct adi_dlpack_source *source;
    struct adi_error *why;
};

struct adi_dlpack_arguments adi_tensor_arguments(const struct adi_dlpack_request *request) {
    return (struct adi_dlpack_arguments){request->max_major,   request->max_minor,
                                         request->device_type, request->device_id,
                                         request->copy,        request->stream};
}

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    const struct own *own = self->private_data;
    const struct adi_dlpack_arguments arguments = adi_tensor_arguments(request);
    struct adi_dlpack made;
    ADI_TRY(adi_dlpack_ask(own->source, &arguments, &made, own->why));
    *out = (struct adi_dlpack_tensor){made.legacy, made.versioned};
    return 0;
}

static void release(struct adi_dlpack_array *self) {
    struct own *own = self->private_data;
    adi_dlpack_close(own->source);
    free(own);
    self->release = NULL;
}

int adi_tensor_array_open(struct adi_dlpack_source *source, struct adi_error *why,
                          struct adi_dlpack_array *out) {
    const DLDevice device = adi_dlpack_device(source);
    struct own *own = malloc(sizeof *own);
    if (own == NULL) return adi_error_set(why, ENOMEM, "no memory for an array");
    *own = (struct own){source, why};
    *out = (struct adi_dlpack_array){.size = sizeof *out,
                                     .device_type = (int32_t)device.device_type,
                                     .device_id = device.device_id,
                                     .dlpack = ask,
                                     .release = release,
                                     .private_data = own};
    return 0;
}
