/* SPDX-License-Identifier: Apache-2.0 */
#include "py_capsule.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "move.h"
#include "py_error.h"

/* PC-031: the release callback first, if it is not null; then the structure. */
#define CAPSULE(function, Structure, structure, name)                                              \
    static void destroy_##structure(PyObject *capsule) {                                           \
        if (!PyCapsule_IsValid(capsule, name)) return;                                             \
        struct Structure *within = PyCapsule_GetPointer(capsule, name);                            \
        ADI_PY_ASIDE(adi_##structure##_release(within));                                           \
        free(within);                                                                              \
    }                                                                                              \
    PyObject *function(struct Structure *structure) {                                              \
        struct Structure *within = malloc(sizeof *within);                                         \
        if (within == NULL) {                                                                      \
            adi_##structure##_release(structure);                                                  \
            return PyErr_NoMemory();                                                               \
        }                                                                                          \
        adi_##structure##_move(structure, within);                                                 \
        PyObject *capsule = PyCapsule_New(within, name, destroy_##structure);                      \
        if (capsule != NULL) return capsule;                                                       \
        adi_##structure##_release(within);                                                         \
        free(within);                                                                              \
        return NULL;                                                                               \
    }

CAPSULE(adi_py_capsule_schema, ArrowSchema, schema, "arrow_schema")
CAPSULE(adi_py_capsule_array, ArrowArray, array, "arrow_array")
CAPSULE(adi_py_capsule_device_array, ArrowDeviceArray, device_array, "arrow_device_array")
CAPSULE(adi_py_capsule_stream, ArrowArrayStream, array_stream, "arrow_array_stream")
CAPSULE(adi_py_capsule_device_stream, ArrowDeviceArrayStream, device_array_stream,
        "arrow_device_array_stream")

void *adi_py_capsule_get(PyObject *capsule, const char *name, const char *whose) {
    if (!PyCapsule_CheckExact(capsule)) {
        PyErr_Format(PyExc_TypeError, "%s gave %R, and not a capsule", whose, capsule);
        return NULL;
    }
    if (PyCapsule_IsValid(capsule, name)) return PyCapsule_GetPointer(capsule, name);
    const char *seen = PyCapsule_GetName(capsule);
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s gave a capsule named \"%s\", and not \"%s\"", whose,
                 seen == NULL ? "" : seen, name);
    return NULL;
}

/* ---- DLPack ---- */

static const struct names {
    const char *name, *used;
} names[] = {{"dltensor", "used_dltensor"}, {"dltensor_versioned", "used_dltensor_versioned"}};

static struct adi_dlpack within(PyObject *capsule, bool is_versioned) {
    void *tensor = PyCapsule_GetPointer(capsule, names[is_versioned].name);
    if (is_versioned) return (struct adi_dlpack){.versioned = tensor};
    return (struct adi_dlpack){.legacy = tensor};
}

/* DLP-17: whoever renames a capsule has its tensor. */
static void destroy_dlpack(PyObject *capsule) {
    const char *name = PyCapsule_GetName(capsule);
    if (name == NULL || name[0] == 'u') return; /* "used_dltensor", most of the time */
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, names[i].name) != 0) continue;
        struct adi_dlpack tensor = within(capsule, i);
        ADI_PY_ASIDE(adi_dlpack_delete(&tensor));
        return;
    }
}

PyObject *adi_py_capsule_dlpack(struct adi_dlpack *tensor) {
    bool is_versioned = tensor->versioned != NULL;
    PyObject *capsule =
        PyCapsule_New(is_versioned ? (void *)tensor->versioned : (void *)tensor->legacy,
                      names[is_versioned].name, destroy_dlpack);
    if (capsule == NULL) adi_dlpack_delete(tensor);
    *tensor = (struct adi_dlpack){NULL, NULL};
    return capsule;
}

int adi_py_capsule_take_dlpack(PyObject *capsule, struct adi_dlpack *out) {
    if (!PyCapsule_CheckExact(capsule)) {
        PyErr_Format(PyExc_TypeError, "__dlpack__ gave %R, and not a capsule", capsule);
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (!PyCapsule_IsValid(capsule, names[i].name)) continue;
        struct adi_dlpack tensor = within(capsule, i);
        if (PyCapsule_SetName(capsule, names[i].used) != 0) return -1;
        *out = tensor;
        return 0;
    }
    const char *seen = PyCapsule_GetName(capsule);
    PyErr_Clear();
    if (seen != NULL && strncmp(seen, "used_dltensor", strlen("used_dltensor")) == 0)
        PyErr_Format(PyExc_ValueError, "the capsule was consumed: it is named \"%s\"", seen);
    else
        PyErr_Format(PyExc_ValueError,
                     "__dlpack__ gave a capsule named \"%s\", and not \"dltensor\" or "
                     "\"dltensor_versioned\"",
                     seen == NULL ? "" : seen);
    return -1;
}
