/* SPDX-License-Identifier: Apache-2.0 */
#include "py_blocks.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

struct adi_py_block {
    struct adi_py_block *next;
    char padding[ALIGNMENT - sizeof(struct adi_py_block *)];
    char bytes[];
};

void adi_py_blocks_free(void *blocks) {
    for (struct adi_py_block *at = blocks, *next; at != NULL; at = next) {
        next = at->next;
        free(at);
    }
}

void *adi_py_blocks_take(struct adi_py_block **blocks, size_t bytes) {
    size_t all = sizeof(struct adi_py_block) + ((bytes + ALIGNMENT - 1) & -(size_t)ALIGNMENT);
    void *memory;
    if (posix_memalign(&memory, ALIGNMENT, all) != 0) return PyErr_NoMemory();
    memset(memory, 0, all);
    struct adi_py_block *block = memory;
    block->next = *blocks;
    *blocks = block;
    return block->bytes;
}

const char *adi_py_blocks_text(struct adi_py_block **blocks, PyObject *text, const char *what) {
    Py_ssize_t length;
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "%s is a str, and not %R", what, text);
        return NULL;
    }
    const char *from = PyUnicode_AsUTF8AndSize(text, &length);
    if (from == NULL) return NULL;
    char *copy = adi_py_blocks_take(blocks, (size_t)length + 1);
    return copy == NULL ? NULL : memcpy(copy, from, (size_t)length + 1);
}
