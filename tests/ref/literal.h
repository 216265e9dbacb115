/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees written down in place: `struct ArrowArray a = ARRAY(.length = 2, BUFFERS(NULL, values));`
 * Nothing is owned; releasing one only marks it. What is written down lives as long as the block.
 */
#ifndef ADI_TESTS_LITERAL_H
#define ADI_TESTS_LITERAL_H

#include <stddef.h>

#include "abi.h"

static inline void literal_array_release(struct ArrowArray *array) {
    array->release = NULL;
}
static inline void literal_schema_release(struct ArrowSchema *schema) {
    schema->release = NULL;
}

#define LITERAL_COUNT(type, ...) ((int64_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)))

#define BUFFERS(...)                                                                               \
    .n_buffers = LITERAL_COUNT(const void *, __VA_ARGS__), .buffers = (const void *[]) {           \
        __VA_ARGS__                                                                                \
    }
#define ARRAYS(...)                                                                                \
    .n_children = LITERAL_COUNT(struct ArrowArray *, __VA_ARGS__),                                 \
    .children = (struct ArrowArray *[]) {                                                          \
        __VA_ARGS__                                                                                \
    }
#define SCHEMAS(...)                                                                               \
    .n_children = LITERAL_COUNT(struct ArrowSchema *, __VA_ARGS__),                                \
    .children = (struct ArrowSchema *[]) {                                                         \
        __VA_ARGS__                                                                                \
    }

#define ARRAY(...)                                                                                 \
    { __VA_ARGS__, .release = literal_array_release }
#define SCHEMA(...)                                                                                \
    { .release = literal_schema_release, .format = __VA_ARGS__ }

#endif /* ADI_TESTS_LITERAL_H */
