/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of a list view keep the size -1, "unknown", when an array view is set, and
 * ArrowDeviceArrayViewCopy takes it for nothing to copy: the copy is returned as good, without
 * them.
 */
#include <nanoarrow/nanoarrow_device.h>

#include <stdio.h>

static void release(struct ArrowArray *array) {
    array->release = NULL;
}

int main(void) {
    static const int32_t offsets[] = {0}, sizes[] = {0};
    const void *list_buffers[] = {NULL, offsets, sizes}, *item_buffers[] = {NULL, NULL};
    struct ArrowArray item = {.n_buffers = 2, .buffers = item_buffers, .release = release};
    struct ArrowArray *items = &item;
    struct ArrowDeviceArray out, in = {.device_type = ARROW_DEVICE_CPU, .device_id = -1};
    in.array = (struct ArrowArray){.length = 1,
                                   .n_buffers = 3,
                                   .buffers = list_buffers,
                                   .n_children = 1,
                                   .children = &items,
                                   .release = release};
    struct ArrowSchema schema;
    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    ArrowSchemaInit(&schema);
    if (ArrowSchemaSetType(&schema, NANOARROW_TYPE_LIST_VIEW) != NANOARROW_OK ||
        ArrowSchemaSetType(schema.children[0], NANOARROW_TYPE_INT32) != NANOARROW_OK ||
        ArrowArrayViewInitFromSchema(&view.array_view, &schema, NULL) != NANOARROW_OK ||
        ArrowDeviceArrayViewSetArray(&view, &in, NULL) != NANOARROW_OK)
        return 1;
    if (ArrowDeviceArrayViewCopy(&view, ArrowDeviceCpu(), &out) != NANOARROW_OK) return 1;
    printf("bytes of sizes in the view: %d; in the copy, sizes at %p\n",
           (int)view.array_view.buffer_views[2].size_bytes, out.array.buffers[2]);
    return out.array.buffers[2] == NULL ? 0 : 1;
}
