/* SPDX-License-Identifier: Apache-2.0
 *
 * ArrowArrayMoveShared moves the children out of an array and keeps it until the last of its
 * buffers goes. Who moves a child out must release the parent immediately afterwards.
 */
#include <nanoarrow/nanoarrow.h>

#include <stdio.h>

static int parents_released;

static void release(struct ArrowArray *array) {
    array->release = NULL;
    parents_released += array->n_children > 0;
}

int main(void) {
#if NANOARROW_VERSION_INT >= 900
    static const uint8_t valid[] = {1}, values[] = {7};
    const void *parent_buffers[] = {valid}, *child_buffers[] = {NULL, values};
    struct ArrowArray child = {.length = 1, .n_buffers = 2, .buffers = child_buffers};
    struct ArrowArray shared, *children[] = {&child}, parent = {.length = 1, .n_buffers = 1};
    parent.buffers = parent_buffers, parent.n_children = 1, parent.children = children;
    parent.release = child.release = release;
    if (ArrowArrayMoveShared(&parent, &shared) != NANOARROW_OK) return 1;
    printf("child %s, %d parents released\n", child.release == NULL ? "moved out" : "not moved",
           parents_released);
    int shown = child.release == NULL && parents_released == 0;
    ArrowArrayRelease(&shared);
    return shown ? 0 : 1;
#else
    return 1;
#endif
}
