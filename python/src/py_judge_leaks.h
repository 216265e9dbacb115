/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to python/src/py_judge*.c: is anything left of an export when it is over? The memory of a
 * process of Python's is never weighed exactly, and others may keep a record of each call, which is
 * nobody's fault. So an export is made many times, and something is said only if all of this holds:
 *
 * - each time more is held: references to the object, blocks of Python's allocator, bytes of the C
 *   library's;
 * - what was exported lies elsewhere each time, and where it lay was not given back: what is freed
 *   is handed out again soon;
 * - its release gave nothing back, or what stays is as large as the part that lies elsewhere.
 *
 * Or what was exported is always the same, and each export takes a reference to the object that its
 * release does not give back.
 */
#ifndef ADI_PY_JUDGE_LEAKS_H
#define ADI_PY_JUDGE_LEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "abi.h"
#include "dlpack.h"
#include "py.h"

#define ADI_PY_PARTS 8

/* A part of an export. */
struct adi_py_part {
    const void *at; /* NULL: there is none, or it says nothing */
    size_t bytes;   /* if it alone was left behind, so much would be held; 0: that is not known */
};

/* What was exported, and taken over: its capsules are gone. */
struct adi_py_taken {
    struct adi_dlpack tensor;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    struct ArrowArrayStream host_stream;
    struct ArrowDeviceArrayStream stream;
    struct adi_py_part parts[ADI_PY_PARTS]; /* the first is the structure of a tensor */
};

struct adi_py_exporting {
    bool (*take)(PyObject *object, struct adi_py_taken *out); /* false: no; no exception is set */
    void (*end)(struct adi_py_taken *taken);                  /* releases it */
};

/* What is held. */
struct adi_py_load {
    int64_t references, blocks, bytes;
};

enum adi_py_leaks {
    ADI_PY_LEAKS_NOT,
    ADI_PY_LEAKS,
    ADI_PY_LEAKS_UNKNOWN
};

/* `each`: at least so much is left of each export. With the GIL. */
enum adi_py_leaks adi_py_leaks_of(PyObject *object, const struct adi_py_exporting *how,
                                  struct adi_py_load *each);

/* Asks an object for capsules, which are dropped. NULL with an exception. */
typedef PyObject *adi_py_asking(PyObject *object, const void *context);
/* Is more held, references to the object or bytes of the C library's, by each of many that nobody
 * took (py_judge_dropped.c)? */
bool adi_py_dropped_grow(PyObject *object, adi_py_asking *ask, const void *context);

/* How the subject's protocol exports (py_judge_left.c). */
const struct adi_py_exporting *adi_py_exporting(void);
/* Is a tensor's memory handed out again when its object is gone? In one case, of small ones
 * (py_judge_overlaid.c). With the GIL. */
void adi_py_judge_overlaid(void);

/* By the subject's protocol, in one case; tells the case what it finds, and that the rule is kept
 * where it is (py_judge_left.c). With the GIL. */
void adi_py_judge_left(PyObject *object);
/* weighs(): is memory weighed exactly in this process, in each case? */
PyObject *adi_py_judge_weighs(PyObject *module, PyObject *unused);

#endif /* ADI_PY_JUDGE_LEAKS_H */
