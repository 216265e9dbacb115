/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "move.h"
#include "py_arguments.h"
#include "py_arrow.h"
#include "py_capsule.h"
#include "py_device.h"
#include "py_error.h"
#include "schema.h"

bool adi_py_arrow_is_on_host(struct adi_py_array *self) {
    return adi_py_is_cpu(self->device) && adi_py_array_has_memory(self);
}

static PyObject *schema_capsule(struct adi_py_memory *memory) {
    struct ArrowSchema schema;
    struct adi_error error;
    int code = adi_schema_export(&memory->schema, &schema, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_schema(&schema);
}

PyObject *adi_py_arrow_c_schema(PyObject *self, PyObject *unused) {
    (void)unused;
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)self);
    return memory == NULL ? NULL : schema_capsule(memory);
}

/* ---- what is asked for ---- */

static bool is_type_of(struct adi_py_memory *memory, PyObject *requested, bool *failed) {
    struct ArrowSchema *schema = adi_py_capsule_get(requested, "arrow_schema", "requested_schema");
    *failed = true;
    if (schema == NULL) return false;
    if (schema->release == NULL) {
        PyErr_SetString(PyExc_ValueError, "requested_schema is released");
        return false;
    }
    *failed = false;
    return adi_schema_compare_type(&memory->schema, schema, NULL) == 0;
}

PyObject *adi_py_arrow_represent(PyObject *self, PyObject *requested) {
    bool failed;
    if (requested == NULL || requested == Py_None) return Py_NewRef(self);
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)self);
    if (memory == NULL) return NULL;
    if (is_type_of(memory, requested, &failed)) return Py_NewRef(self);
    if (failed) return NULL;
    PyObject *values = PyImport_ImportModule("adicheck._values");
    if (values == NULL) return NULL;
    PyObject *made = PyObject_CallMethod(values, "represent", "OO", self, requested);
    Py_DECREF(values);
    if (made == NULL || adi_py_array_check(made)) return made;
    Py_DECREF(made);
    return PyErr_Format(PyExc_TypeError, "no array came out of adicheck._values.represent");
}

static PyObject *pair(PyObject *schema, PyObject *array) {
    PyObject *both = schema == NULL || array == NULL ? NULL : PyTuple_Pack(2, schema, array);
    Py_XDECREF(schema);
    Py_XDECREF(array);
    return both;
}

/* ---- the two methods ---- */

static PyObject *host_array(struct adi_py_memory *memory) {
    struct ArrowArray array;
    struct ArrowDeviceArray shared;
    struct adi_error error;
    int code;
    if (adi_py_is_cpu(memory->device)) {
        code = adi_py_memory_share(memory, &shared, &error);
        if (code == 0) adi_array_move(&shared.array, &array);
    } else {
        ADI_PY_WITH(memory->device, code = adi_py_memory_to_host(memory, &array, &error));
    }
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_array(&array);
}

static PyObject *device_array(struct adi_py_memory *memory) {
    struct ArrowDeviceArray array;
    struct adi_error error;
    int code = adi_py_memory_share(memory, &array, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_device_array(&array);
}

static PyObject *exported(PyObject *self, PyObject *requested,
                          PyObject *(*make)(struct adi_py_memory *)) {
    PyObject *shown = adi_py_arrow_represent(self, requested), *both = NULL;
    if (shown == NULL) return NULL;
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)shown);
    if (memory != NULL) both = pair(schema_capsule(memory), make(memory));
    Py_DECREF(shown);
    return both;
}

PyObject *adi_py_arrow_c_array(PyObject *self, PyObject *const *arguments, Py_ssize_t n_arguments,
                               PyObject *names) {
    PyObject *requested = NULL;
    static struct adi_py_function function = {.name = "__arrow_c_array__"};
    const struct adi_py_parameter parameters[] = {{"requested_schema", &requested}};
    if (!adi_py_arguments(&function, parameters, 1, 1, ADI_PY_REFUSED, arguments, n_arguments,
                          names))
        return NULL;
    return exported(self, requested, host_array);
}

PyObject *adi_py_arrow_c_device_array(PyObject *self, PyObject *const *arguments,
                                      Py_ssize_t n_arguments, PyObject *names) {
    PyObject *requested = NULL;
    static struct adi_py_function function = {.name = "__arrow_c_device_array__"};
    const struct adi_py_parameter parameters[] = {{"requested_schema", &requested}};
    if (!adi_py_arguments(&function, parameters, 1, 1, ADI_PY_MAY_BE_NONE, arguments, n_arguments,
                          names))
        return NULL;
    return exported(self, requested, device_array);
}
