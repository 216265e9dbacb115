/* SPDX-License-Identifier: Apache-2.0
 *
 * What many capsules that nobody took leave behind. A destructor may call the function itself that
 * `deleter` or `release` names, and who has put another in its place sees no call then.
 */
#include <time.h>

#include "dlpack.h"
#include "heap.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_leaks.h"

#define DROPPED 100
#define ROUNDS  3
#define NAP_NS  2000000

/* Blocks of Python's say nothing: who notes each call, or keeps a function for it, has some. */
static struct adi_py_load load_of(PyObject *object) {
    return (struct adi_py_load){.references = Py_REFCNT(object), .bytes = adi_heap_about()};
}

static bool is_more(struct adi_py_load before, PyObject *object) {
    static const int64_t bytes = DROPPED * (int64_t)sizeof(struct DLManagedTensor);
    const struct adi_py_load now = load_of(object);
    return now.references - before.references >= DROPPED || now.bytes - before.bytes >= bytes;
}

static bool is_dropped(PyObject *object, adi_py_asking *ask, const void *context) {
    for (int i = 0; i < DROPPED; i++) {
        PyObject *capsules = ask(object, context);
        if (capsules == NULL) adi_py_judge_overlook();
        if (capsules == NULL) return false;
        Py_DECREF(capsules);
    }
    adi_py_collect_cycles();
    return true;
}

/* The first round fills what is kept for the next time. What is given back late is no loss. */
bool adi_py_dropped_grow(PyObject *object, adi_py_asking *ask, const void *context) {
    struct adi_py_load before = load_of(object);
    if (!is_dropped(object, ask, context)) return false;
    for (int i = 0; i < ROUNDS; i++) {
        before = load_of(object);
        if (!is_dropped(object, ask, context) || !is_more(before, object)) return false;
    }
    for (int i = 0; i < DROPPED; i++) {
        if (!is_more(before, object)) return false;
        ADI_PY_ASIDE(nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL));
    }
    return true;
}
