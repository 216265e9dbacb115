/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that are put onto the device inverted, and a kernel that inverts them again.
 */
#ifndef OPENCL_INVERTS_H
#define OPENCL_INVERTS_H

#include <stdlib.h>

#include "opencl.h"

static struct piece {
    cl_mem buffer;
    size_t offset, bytes;
} pieces[32];
static size_t n_pieces;

static const char source[] = "kernel void invert(global uchar *at, ulong from)"
                             "{ at[from + get_global_id(0)] = ~at[from + get_global_id(0)]; }";

static int write_inverted(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    char *inverted = malloc((size_t)bytes + 1);
    if (bytes == 0 || n_pieces == sizeof pieces / sizeof *pieces || inverted == NULL) {
        free(inverted);
        return adi_device_opencl.write(device, buffer, offset, from, bytes, error);
    }
    for (int64_t i = 0; i < bytes; i++) inverted[i] = (char)~((const char *)from)[i];
    int code = adi_device_opencl.write(device, buffer, offset, inverted, bytes, error);
    pieces[n_pieces++] = (struct piece){buffer, (size_t)offset, (size_t)bytes};
    free(inverted);
    return code;
}

static int invert_all(struct adi_device *device, struct adi_error *error) {
    cl_kernel kernel = base_kernel(device, base_context(device), source, "invert");
    cl_int code = CL_SUCCESS;
    for (; n_pieces > 0 && code == CL_SUCCESS; n_pieces--) {
        const struct piece *piece = &pieces[n_pieces - 1];
        cl_ulong from = piece->offset;
        base_api->clSetKernelArg(kernel, 0, sizeof piece->buffer, &piece->buffer);
        base_api->clSetKernelArg(kernel, 1, sizeof from, &from);
        code = base_api->clEnqueueNDRangeKernel(base_queue(device), kernel, 1, NULL, &piece->bytes,
                                                NULL, 0, NULL, NULL);
    }
    base_api->clFlush(base_queue(device));
    return adi_opencl_check("clEnqueueNDRangeKernel", code, error);
}

#endif /* OPENCL_INVERTS_H */
