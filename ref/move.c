/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#include <stddef.h>

void adi_schema_move(struct ArrowSchema *from, struct ArrowSchema *to) {
    *to = *from;
    from->release = NULL;
}

void adi_array_move(struct ArrowArray *from, struct ArrowArray *to) {
    *to = *from;
    from->release = NULL;
}

void adi_device_array_move(struct ArrowDeviceArray *from, struct ArrowDeviceArray *to) {
    *to = *from;
    from->array.release = NULL;
}

void adi_array_stream_move(struct ArrowArrayStream *from, struct ArrowArrayStream *to) {
    *to = *from;
    from->release = NULL;
}

void adi_device_array_stream_move(struct ArrowDeviceArrayStream *from,
                                  struct ArrowDeviceArrayStream *to) {
    *to = *from;
    from->release = NULL;
}

void adi_array_move_child(struct ArrowArray *parent, int64_t index, struct ArrowArray *to) {
    adi_array_move(parent->children[index], to);
}

void adi_array_move_dictionary(struct ArrowArray *parent, struct ArrowArray *to) {
    adi_array_move(parent->dictionary, to);
}

void adi_schema_release(struct ArrowSchema *schema) {
    if (schema->release != NULL) schema->release(schema);
}

void adi_array_release(struct ArrowArray *array) {
    if (array->release != NULL) array->release(array);
}

void adi_device_array_release(struct ArrowDeviceArray *array) {
    adi_array_release(&array->array);
}

void adi_array_stream_release(struct ArrowArrayStream *stream) {
    if (stream->release != NULL) stream->release(stream);
}

void adi_device_array_stream_release(struct ArrowDeviceArrayStream *stream) {
    if (stream->release != NULL) stream->release(stream);
}

struct ArrowDeviceArray adi_device_array_of_cpu(const struct ArrowArray *array) {
    return (struct ArrowDeviceArray){
        .array = *array, .device_id = -1, .device_type = ARROW_DEVICE_CPU};
}
