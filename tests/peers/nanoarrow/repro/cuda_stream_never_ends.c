/* SPDX-License-Identifier: Apache-2.0
 *
 * A device stream over a stream of no arrays, on CUDA: its end is an array that is not marked
 * released, since the CUDA device wraps what has come, end or not. So it never ends, and the array
 * crashes whoever releases it.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <stdio.h>

int main(void) {
    struct ArrowSchema schema;
    struct ArrowArrayStream arrays;
    struct ArrowDeviceArrayStream stream;
    struct ArrowDeviceArray next;
    if (ArrowSchemaInitFromType(&schema, NANOARROW_TYPE_INT32) != NANOARROW_OK ||
        ArrowBasicArrayStreamInit(&arrays, &schema, 0) != NANOARROW_OK ||
        ArrowDeviceBasicArrayStreamInit(&stream, &arrays, ArrowDeviceCuda(ARROW_DEVICE_CUDA, 0)) !=
            NANOARROW_OK)
        return 1;
    int arrays_seen = 0;
    while (arrays_seen < 1000) {
        if (stream.get_next(&stream, &next) != 0) return 1;
        if (next.array.release == NULL) break;
        arrays_seen++;
    }
    printf("%d arrays so far from a stream of none\n", arrays_seen);
    stream.release(&stream);
    return arrays_seen == 1000 ? 0 : 1;
}
