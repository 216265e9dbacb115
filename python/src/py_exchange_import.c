/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody else's table.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "dlpack_stream.h"
#include "py_exchange.h"
#include "tree.h"

#define MOST_VERSIONS 16 /* of a chain that does not end */

/* ---- finding it ---- */

/* What the attribute holds; NULL with an exception. */
static void *table_in(PyObject *attribute, const char *name) {
    if (PyCapsule_CheckExact(attribute)) {
        void *table = PyCapsule_GetPointer(attribute, ADI_PY_EXCHANGE_NAME);
        if (table != NULL) return table;
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is a capsule that is not named \"%s\"", name,
                     ADI_PY_EXCHANGE_NAME);
        return NULL;
    }
    if (PyLong_Check(attribute)) {
        void *table = PyLong_AsVoidPtr(attribute);
        bool is_address = strcmp(name, ADI_PY_EXCHANGE_ADDRESS) == 0;
        if (table != NULL && is_address) return table;
        if (PyErr_Occurred() == NULL)
            PyErr_Format(PyExc_ValueError, is_address ? "%s is 0" : "%s is an int, and no capsule",
                         name);
        return NULL;
    }
    PyErr_Format(PyExc_TypeError, "%s is %R, and neither a capsule nor an int", name, attribute);
    return NULL;
}

/* DLH-73: on the class, whatever the object has. */
static void *find_table(PyTypeObject *type) {
    static const char *const names[] = {ADI_PY_EXCHANGE_CAPSULE, ADI_PY_EXCHANGE_ADDRESS};
    for (int i = 0; i < 2; i++) {
        PyObject *attribute = PyObject_GetAttrString((PyObject *)type, names[i]);
        if (attribute == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
            PyErr_Clear();
            continue;
        }
        void *table = table_in(attribute, names[i]);
        Py_DECREF(attribute);
        return table;
    }
    return NULL;
}

/* DLH-69: of another major version nothing but the header is looked at, which may lead to
 * one of ours. */
const DLPackExchangeAPI *adi_py_exchange_of(PyTypeObject *type) {
    DLPackExchangeAPI read;
    const void *at = find_table(type);
    if (at == NULL) return NULL;
    for (int i = 0; at != NULL && i < MOST_VERSIONS; at = read.header.prev_api, i++) {
        bool is_read = adi_safe_read(&read.header, at, sizeof read.header) == 0;
        bool is_ours = is_read && read.header.version.major == DLPACK_MAJOR_VERSION;
        if (is_ours && adi_safe_read(&read, at, sizeof read) == 0) return at;
        if (is_read && !is_ours) continue;
        PyErr_Format(PyExc_ValueError, "the exchange API of %R cannot be read", (PyObject *)type);
        return NULL;
    }
    PyErr_Format(PyExc_BufferError, "the exchange API of %R has no version %d", (PyObject *)type,
                 DLPACK_MAJOR_VERSION);
    return NULL;
}

/* ---- asking ---- */

int64_t adi_py_exchange_number(int32_t device_type, void *handle) {
    if (adi_dlpack_numbers(device_type) != ADI_DLPACK_NUMBERED) return ADI_DLPACK_NONE;
    if (handle != NULL) return (int64_t)(uintptr_t)handle;
    return adi_dlpack_no_stream(device_type) == 0 ? 1 : 0; /* 0 of CUDA is no stream */
}

/* DLH-60, DLH-80: what is done with the tensor goes on the producer's work stream. */
int adi_py_exchange_ask(const DLPackExchangeAPI *api, PyObject *object, struct adi_dlpack *out,
                        int64_t *stream) {
    struct DLManagedTensorVersioned *tensor = NULL;
    const DLTensor *within;
    struct adi_error error = {""};
    void *handle = NULL;
    if (api->managed_tensor_from_py_object_no_sync(object, &tensor) != 0) {
        if (PyErr_Occurred() == NULL)
            PyErr_SetString(PyExc_BufferError, "the exchange API gave no tensor, and no exception");
        return -1;
    }
    *out = (struct adi_dlpack){.versioned = tensor};
    if (adi_dlpack_look(out, &within, NULL, NULL, &error) != 0) {
        adi_dlpack_delete(out);
        PyErr_SetString(PyExc_BufferError, error.text);
        return -1;
    }
    DLDevice where = within->device;
    if (adi_dlpack_numbers((int32_t)where.device_type) == ADI_DLPACK_NUMBERED &&
        api->current_work_stream(where.device_type, where.device_id, &handle) != 0) {
        adi_dlpack_delete(out);
        if (PyErr_Occurred() == NULL)
            PyErr_SetString(PyExc_BufferError, "the exchange API has no work stream there");
        return -1;
    }
    *stream = adi_py_exchange_number((int32_t)where.device_type, handle);
    return 0;
}
