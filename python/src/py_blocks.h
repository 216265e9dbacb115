/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is freed together: what was copied out of Python's objects, so that no object has to
 * be kept for it.
 */
#ifndef ADI_PY_BLOCKS_H
#define ADI_PY_BLOCKS_H

#include "py.h"

struct adi_py_block;

/* Zeroed, aligned to 64 bytes and padded to whole multiples of them. `*blocks` begins as NULL. NULL
 * with an exception. */
void *adi_py_blocks_take(struct adi_py_block **blocks, size_t bytes);
/* A copy of a str, as UTF-8. TypeError: `what` is none. */
const char *adi_py_blocks_text(struct adi_py_block **blocks, PyObject *text, const char *what);
/* Frees all; any thread, without the GIL. */
void adi_py_blocks_free(void *blocks);

#endif /* ADI_PY_BLOCKS_H */
