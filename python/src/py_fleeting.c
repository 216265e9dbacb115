/* SPDX-License-Identifier: Apache-2.0 */
#include "py_fleeting.h"

#include <stdbool.h>
#include <stdlib.h>

#include "move.h"
#include "py_capsule.h"

static const char OTHER[] = "adicheck_other", HANDLE[] = "adicheck.fleeting";
static const char *const names[] = {"arrow_array", "arrow_device_array", "arrow_array_stream",
                                    "arrow_device_array_stream"};

PyObject *adi_py_disguise(PyObject *module, PyObject *arguments) {
    static const char *was;
    PyObject *capsule;
    int is_disguised;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Op", &capsule, &is_disguised)) return NULL;
    for (size_t i = 0; is_disguised && i < sizeof names / sizeof *names; i++)
        if (PyCapsule_IsValid(capsule, names[i])) was = names[i];
    if (PyCapsule_SetName(capsule, is_disguised ? OTHER : was) != 0) return NULL;
    return Py_NewRef(Py_None);
}

/* ---- what is freed ---- */

struct fleeting {
    struct ArrowArray shown; /* first: what the capsule holds */
    int owners;              /* the capsule and the handle */
    bool is_lent;            /* it is shown as what was freed */
    int used;
};

/* What was imported late refers to it. */
static void drop(struct fleeting *fleeting) {
    bool is_imported = fleeting->is_lent && fleeting->shown.release == NULL;
    if (--fleeting->owners == 0 && !is_imported) free(fleeting);
}

/* What was imported is given back. */
static void release_late(struct ArrowArray *array) {
    ((struct fleeting *)array->private_data)->used++;
    array->release = NULL;
}

static void destroy(PyObject *capsule) {
    static const void *const nothing[3] = {NULL, NULL, NULL};
    struct fleeting *fleeting = PyCapsule_GetPointer(capsule, "arrow_array");
    if (fleeting == NULL) {
        PyErr_Clear();
        return;
    }
    fleeting->is_lent = fleeting->shown.release != NULL;
    adi_array_release(&fleeting->shown);
    if (fleeting->is_lent)
        fleeting->shown = (struct ArrowArray){.n_buffers = 2,
                                              .buffers = (const void **)(uintptr_t)nothing,
                                              .release = release_late,
                                              .private_data = fleeting};
    drop(fleeting);
}

static void forget(PyObject *handle) {
    drop(PyCapsule_GetPointer(handle, HANDLE));
}

PyObject *adi_py_fleeting(PyObject *module, PyObject *capsule) {
    (void)module;
    struct ArrowArray *array = adi_py_capsule_get(capsule, "arrow_array", "the array");
    struct fleeting *fleeting = array == NULL ? NULL : calloc(1, sizeof *fleeting);
    if (array == NULL) return NULL;
    if (fleeting == NULL) return PyErr_NoMemory();
    fleeting->owners = 1;
    PyObject *handle = PyCapsule_New(fleeting, HANDLE, forget);
    if (handle == NULL) {
        free(fleeting);
        return NULL;
    }
    fleeting->owners = 2;
    adi_array_move(array, &fleeting->shown);
    PyObject *made = PyCapsule_New(&fleeting->shown, "arrow_array", destroy);
    PyObject *both = made == NULL ? NULL : PyTuple_Pack(2, made, handle);
    if (made == NULL) {
        adi_array_release(&fleeting->shown);
        fleeting->owners--;
    }
    Py_XDECREF(made);
    Py_DECREF(handle);
    return both;
}

PyObject *adi_py_fleeting_used(PyObject *module, PyObject *handle) {
    const struct fleeting *fleeting = PyCapsule_GetPointer(handle, HANDLE);
    (void)module;
    return fleeting == NULL ? NULL : PyBool_FromLong(fleeting->used > 0);
}

PyObject *adi_py_holds_schema(PyObject *module, PyObject *object) {
    const struct ArrowSchema *schema = NULL;
    (void)module;
    if (PyCapsule_IsValid(object, "arrow_schema"))
        schema = PyCapsule_GetPointer(object, "arrow_schema");
    return PyBool_FromLong(schema != NULL && schema->release != NULL);
}
