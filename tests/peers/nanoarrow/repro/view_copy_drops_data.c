/* SPDX-License-Identifier: Apache-2.0
 *
 * ArrowDeviceArrayViewCopy copies the first buffers of a string view and forgets the variadic ones:
 * the copy is returned as good, and its views point into buffers that it does not have.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <stdio.h>

int main(void) {
    struct ArrowArray array;
    struct ArrowDeviceArray in, out;
    struct ArrowDeviceArrayView view;
    const char *text = "a string of more than twelve bytes";
    if (ArrowArrayInitFromType(&array, NANOARROW_TYPE_STRING_VIEW) != NANOARROW_OK ||
        ArrowArrayStartAppending(&array) != NANOARROW_OK ||
        ArrowArrayAppendString(&array, ArrowCharView(text)) != NANOARROW_OK ||
        ArrowArrayFinishBuildingDefault(&array, NULL) != NANOARROW_OK)
        return 1;

    ArrowDeviceArrayViewInit(&view);
    ArrowArrayViewInitFromType(&view.array_view, NANOARROW_TYPE_STRING_VIEW);
    if (ArrowDeviceArrayInit(ArrowDeviceCpu(), &in, &array, NULL) != NANOARROW_OK ||
        ArrowDeviceArrayViewSetArray(&view, &in, NULL) != NANOARROW_OK ||
        ArrowDeviceArrayViewCopy(&view, ArrowDeviceCpu(), &out) != NANOARROW_OK)
        return 1;

    const union ArrowBinaryView *element = out.array.buffers[1];
    printf("%d buffers were copied to %d; the view is of %d bytes in variadic buffer %d\n",
           (int)in.array.n_buffers, (int)out.array.n_buffers, element->ref.size,
           element->ref.buffer_index);
    int shown = in.array.n_buffers == 4 && out.array.n_buffers == 3;
    ArrowDeviceArrayViewReset(&view);
    ArrowArrayRelease(&in.array);
    ArrowArrayRelease(&out.array);
    return shown ? 0 : 1;
}
