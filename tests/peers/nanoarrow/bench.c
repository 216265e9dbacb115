/* SPDX-License-Identifier: Apache-2.0
 *
 * nanoarrow for the bench: its C sources as they come in the source distribution, compiled in.
 * nanoarrow has no array type of its own: exporting is building an ArrowArray. Here that is the
 * shortest way to it, over buffers that are there already and are not copied.
 */
#include <nanoarrow/common/array.c>
#include <nanoarrow/common/array_stream.c>
#include <nanoarrow/common/schema.c>
#include <nanoarrow/common/utils.c>
#include <nanoarrow/device/device.c>

#include "../../bench/bench.h"

static struct ArrowSchema type;
static struct ArrowArray source;

static int begin(struct ArrowSchema *schema, struct ArrowArray *batch) {
    ArrowSchemaMove(schema, &type);
    ArrowArrayMove(batch, &source);
    return NANOARROW_OK;
}

static void end(void) {
    ArrowSchemaRelease(&type);
    ArrowArrayRelease(&source);
}

static void keep(struct ArrowBufferAllocator *allocator, uint8_t *data, int64_t bytes) {
    (void)allocator, (void)data, (void)bytes;
}

/* Sets lengths and the values of the leaves; nothing of it is null. */
static int fill(const struct ArrowArray *from, struct ArrowArray *to) {
    to->length = from->length;
    to->null_count = 0;
    if (from->n_children == 0) {
        struct ArrowBuffer values;
        ArrowBufferInit(&values);
        values.data = (uint8_t *)(uintptr_t)from->buffers[1];
        values.size_bytes = from->length * (int64_t)sizeof(int32_t);
        values.allocator = ArrowBufferDeallocator(keep, NULL);
        NANOARROW_RETURN_NOT_OK(ArrowArraySetBuffer(to, 1, &values));
    }
    for (int64_t i = 0; i < from->n_children; i++)
        NANOARROW_RETURN_NOT_OK(fill(from->children[i], to->children[i]));
    return NANOARROW_OK;
}

static int export_release(void) {
    struct ArrowArray array;
    struct ArrowDeviceArray out;
    NANOARROW_RETURN_NOT_OK(ArrowArrayInitFromSchema(&array, &type, NULL));
    NANOARROW_RETURN_NOT_OK(fill(&source, &array));
    NANOARROW_RETURN_NOT_OK(
        ArrowArrayFinishBuilding(&array, NANOARROW_VALIDATION_LEVEL_NONE, NULL));
    NANOARROW_RETURN_NOT_OK(ArrowDeviceArrayInit(ArrowDeviceCpu(), &out, &array, NULL));
    ArrowArrayRelease(&out.array);
    return NANOARROW_OK;
}

static int import_release(struct ArrowDeviceArray *in) {
    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    NANOARROW_RETURN_NOT_OK(ArrowArrayViewInitFromSchema(&view.array_view, &type, NULL));
    NANOARROW_RETURN_NOT_OK(ArrowDeviceArrayViewSetArray(&view, in, NULL));
    ArrowDeviceArrayViewReset(&view);
    ArrowArrayRelease(&in->array);
    return NANOARROW_OK;
}

const struct adi_bench_peer *adi_bench_peer(void) {
    static const struct adi_bench_peer peer = {
        .name = "nanoarrow",
        .version = NANOARROW_VERSION,
        .begin = begin,
        .end = end,
        .export_release = export_release,
        .import_release = import_release,
    };
    return &peer;
}
