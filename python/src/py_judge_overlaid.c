/* SPDX-License-Identifier: Apache-2.0
 *
 * A tensor whose object is gone: does another object get its memory, its shape or its strides? All
 * objects have the same values, so that nobody sees it by these. What several objects share on
 * purpose, or take in turn from a number of places, lies where another's does also while its object
 * lives: so others are made before that is given up, each time another number of them.
 */
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "dlpack.h"
#include "play.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_leaks.h"

static struct adi_py_subject *const subject = &adi_py_subject;

#define MOST_BYTES 65536 /* of data: larger memory is not handed out again as it is */
#define BESIDE     13    /* the most objects that are made while the first one lives */
#define BEHIND     2     /* and when it is gone */

/* Parts of an export that are looked at (py_judge_left.c), and what they are. */
static const struct {
    size_t part;
    const char *name;
} looked_at[] = {{4, "data"}, {2, "shape"}, {3, "strides"}};
#define N_LOOKED_AT (sizeof looked_at / sizeof *looked_at)

struct one {
    PyObject *object; /* NULL: it is gone, or there is none */
    struct adi_py_taken taken;
    bool is_taken;
};

/* Is it writable, and does it live until a deleter is called? */
static bool is_its_own(const struct adi_dlpack *tensor) {
    return tensor->legacy != NULL
               ? tensor->legacy->deleter != NULL
               : tensor->versioned->deleter != NULL &&
                     (tensor->versioned->flags & DLPACK_FLAG_BITMASK_READ_ONLY) == 0;
}

/* What nobody reads may lie anywhere. */
static void forget_unread(struct adi_py_taken *taken) {
    const DLTensor *tensor = taken->tensor.legacy != NULL ? &taken->tensor.legacy->dl_tensor
                                                          : &taken->tensor.versioned->dl_tensor;
    if (tensor->ndim <= 0) taken->parts[2].at = taken->parts[3].at = NULL;
    for (int32_t i = 0; i < tensor->ndim; i++)
        if (tensor->shape[i] == 0) taken->parts[4].at = NULL;
}

static bool make(struct one *one) {
    memset(one, 0, sizeof *one);
    one->object = PyObject_CallNoArgs(subject->callable);
    one->is_taken = one->object != NULL && adi_py_exporting()->take(one->object, &one->taken);
    if (PyErr_Occurred() != NULL) adi_py_judge_overlook();
    if (!one->is_taken) return false;
    forget_unread(&one->taken);
    return one->taken.parts[4].bytes <= MOST_BYTES && is_its_own(&one->taken.tensor);
}

static void end(struct one *one) {
    if (one->is_taken) ADI_PY_ASIDE(adi_py_exporting()->end(&one->taken));
    Py_CLEAR(one->object);
}

/* Notes which parts of `one` lie where a part of the other does. */
static void note(const struct one *one, const struct one *other, bool found[N_LOOKED_AT]) {
    for (size_t i = 0; i < N_LOOKED_AT; i++)
        for (size_t j = 0; j < N_LOOKED_AT; j++) {
            const void *at = one->taken.parts[looked_at[i].part].at;
            if (at != NULL && at == other->taken.parts[looked_at[j].part].at) found[i] = true;
        }
}

/* Which parts lie where another's do once the object is gone, and not before? false: it could not
 * be seen. */
static bool try_once(size_t beside, bool found[N_LOOKED_AT]) {
    struct one first, others[BESIDE + BEHIND];
    bool shared[N_LOOKED_AT] = {false};
    size_t n = 0;
    bool goes_on = make(&first);
    memset(found, 0, N_LOOKED_AT * sizeof *found);
    while (goes_on && n < beside) {
        goes_on = make(&others[n]);
        note(&first, &others[n++], shared);
    }
    Py_CLEAR(first.object);
    adi_py_collect_cycles();
    while (goes_on && n < beside + BEHIND) {
        goes_on = make(&others[n]);
        note(&first, &others[n++], found);
    }
    while (n > 0) end(&others[--n]);
    end(&first);
    for (size_t i = 0; i < N_LOOKED_AT; i++) found[i] = found[i] && !shared[i];
    return goes_on;
}

/* The one that is found each time; NULL: there is none. */
static const char *overlaid(void) {
    static const size_t beside[] = {8, BESIDE, 3};
    bool each[N_LOOKED_AT] = {true, true, true}, found[N_LOOKED_AT];
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        bool is_any = false;
        if (!try_once(beside[i], found)) return NULL;
        for (size_t k = 0; k < N_LOOKED_AT; k++) {
            each[k] = each[k] && found[k];
            is_any = is_any || each[k];
        }
        if (!is_any) return NULL;
    }
    for (size_t k = 0; k < N_LOOKED_AT; k++)
        if (each[k]) return looked_at[k].name;
    return NULL;
}

void adi_py_judge_overlaid(void) {
    struct adi_sink *sink = adi_case_sink();
    if (sink == NULL || subject->keeps_capsules || !subject->is_read ||
        !adi_device_type_is_cpu(subject->type))
        return;
    struct adi_test *test = adi_trial_of(sink);
    if (test->muted || test->n_findings > 0) return;
    adi_play_crash_rule(test, "dlpack/tensor-depends-on-array");
    const char *what = overlaid();
    adi_play_crash_rule(test, NULL);
    if (what != NULL)
        adi_py_judge_see("dlpack/tensor-depends-on-array", ADI_PRODUCER,
                         "the same address in another object's tensor", "memory of its own",
                         "%s of a tensor whose object is gone is given to the next object", what);
}
