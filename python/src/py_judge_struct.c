/* SPDX-License-Identifier: Apache-2.0
 *
 * `__array_struct__`: what is in the structure, and whether the dictionary beside it says the same.
 */
#include <stdio.h>
#include <string.h>

#include "cuda_array_interface.h"
#include "py_array_struct.h"
#include "py_judge_look.h"

#define DIMENSIONS 64

static const char invalid[] = "array-interface/struct-invalid";
static const char differs[] = "array-interface/struct-differs";

/* NPI-15, NPI-18: the structure is one, and has a descr if it says so. */
static const char *wrong_with(const struct adi_py_array_struct *is) {
    if (is->two != 2) return "two is not 2";
    if (is->nd < 0 || is->nd > DIMENSIONS) return "nd is not from 0 to 64";
    if (is->typekind == '\0' || strchr("tbiufcmMOSUV", is->typekind) == NULL)
        return "typekind is no letter of a type string";
    if (is->itemsize < 0) return "itemsize is negative";
    if (is->nd > 0 && (is->shape == NULL || is->strides == NULL))
        return "shape or strides is NULL, and nd is not 0";
    for (int i = 0; i < is->nd; i++)
        if (is->shape[i] < 0) return "a size in shape is negative";
    if ((is->flags & ADI_PY_HAS_DESCR) != 0 && (is->descr == NULL || !PyList_Check(is->descr)))
        return "ARR_HAS_DESCR is set, and descr is no list";
    return NULL;
}

static bool has_strides(const struct adi_py_array_struct *is, const struct adi_cuda_array *said) {
    int64_t next = is->itemsize;
    for (int i = is->nd - 1; i >= 0; i--) {
        int64_t wanted = said->has_strides == ADI_ENTRY_GIVEN ? said->strides[i] : next;
        if (is->shape[i] > 1 && is->strides[i] != wanted) return false;
        next *= is->shape[i];
    }
    return true;
}

/* What the dictionary says otherwise; NULL: nothing. */
static const char *other_than(const struct adi_py_array_struct *is,
                              const struct adi_cuda_array *said, bool has_pointer) {
    struct adi_cuda_array_extent extent;
    struct adi_error error = {""};
    if (adi_cuda_array_check(said, &extent, &error) != 0) return NULL;
    if (is->nd != said->n_dimensions) return "shape";
    for (int i = 0; i < is->nd; i++)
        if (is->shape[i] != said->shape[i]) return "shape";
    if (is->typekind != said->typestr[1] || is->itemsize != extent.type.bytes) return "typestr";
    if (extent.items == 0) return NULL;
    if (!has_strides(is, said)) return "strides";
    if (!has_pointer) return NULL;
    if ((uint64_t)(uintptr_t)is->data != said->data) return "data: the pointer";
    if (((is->flags & ADI_PY_WRITEABLE) == 0) != said->read_only) return "data: the flag";
    return NULL;
}

static void look_into(PyObject *capsule, struct adi_py_look *look,
                      const struct adi_cuda_array *said, bool has_pointer) {
    char message[96];
    const struct adi_py_array_struct *is =
        PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    /* NPI-20: the capsule holds the object. */
    if (PyCapsule_GetContext(capsule) == NULL)
        look->see(look, "array-interface/struct-context-missing", "NULL", "the object",
                  "the capsule of __array_struct__ has no context");
    adi_py_judge_overlook();
    const char *wrong = is == NULL ? "it is NULL" : wrong_with(is);
    if (wrong != NULL) {
        snprintf(message, sizeof message, "__array_struct__: %s", wrong);
        look->see(look, invalid, NULL, NULL, message);
    }
    if (wrong != NULL || said == NULL) {
        adi_py_look_leave(look, differs);
        return;
    }
    const char *other = other_than(is, said, has_pointer);
    if (other == NULL) return;
    snprintf(message, sizeof message, "%s: __array_struct__ says otherwise", other);
    look->see(look, differs, NULL, "the same in both", message);
}

void adi_py_look_at_struct(PyObject *object, struct adi_py_look *look,
                           const struct adi_cuda_array *said, bool has_pointer) {
    PyObject *capsule = PyObject_GetAttrString(object, "__array_struct__");
    adi_py_judge_overlook();
    if (capsule == NULL) {
        adi_py_look_leave(look, "array-interface/struct-");
        return;
    }
    if (PyCapsule_CheckExact(capsule))
        look_into(capsule, look, said, has_pointer);
    else
        look->see(look, invalid, NULL, "a capsule", "__array_struct__ is no capsule");
    Py_DECREF(capsule);
}
