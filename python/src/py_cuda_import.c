/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "devices.h"
#include "move.h"
#include "py_arguments.h"
#include "py_cuda.h"
#include "py_device.h"
#include "py_error.h"
#include "py_owner.h"

/* What a description is made of, until nothing uses the memory any more. */
struct holding {
    struct adi_py_block *blocks;
    PyObject *owner; /* NULL: user code keeps it */
};

static void release(struct adi_cuda_array *array) {
    struct holding *holding = array->private_data;
    array->release = NULL;
    adi_py_blocks_free(holding->blocks);
    if (holding->owner != NULL) adi_py_owner_drop(holding->owner);
    free(holding);
}

/* ---- which device ---- */

#define DEVICES (3 * ADI_DEVICE_IDS)

static size_t open_devices(struct adi_device *out[DEVICES], struct adi_error *error) {
    static const ArrowDeviceType types[] = {ARROW_DEVICE_CUDA, ARROW_DEVICE_CUDA_HOST,
                                            ARROW_DEVICE_CUDA_MANAGED};
    size_t count = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct adi_device_ops *ops = adi_device_of(types[i]);
        struct adi_device_probe found = {.count = 0};
        ops->probe(&found);
        if (found.count == 0) adi_error_set(error, ENODEV, "no CUDA here: %s", found.why.text);
        for (int j = 0; j < found.count; j++) {
            out[count] = adi_py_device(types[i], found.ids[j], error);
            if (out[count] != NULL) count++;
        }
    }
    return count;
}

int adi_py_cuda_device(const struct adi_cuda_array *array, struct adi_device **out,
                       struct adi_error *error) {
    struct adi_device *devices[DEVICES];
    size_t count = open_devices(devices, error);
    int code = count == 0 ? ENODEV : 0;
    if (code == 0)
        ADI_PY_WITH(devices[0], code = adi_cuda_array_device(devices, count, array, out, error));
    return code;
}

/* ---- taking it ---- */

static PyObject *take(struct adi_cuda_array *array, bool sync) {
    static const struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct adi_device *device;
    struct ArrowSchema schema;
    struct ArrowDeviceArray made;
    struct adi_error error = {""};
    int code = adi_cuda_array_check(array, NULL, &error);
    if (code == 0) code = adi_py_cuda_device(array, &device, &error);
    if (code == 0)
        ADI_PY_WITH(device, code = adi_cuda_array_to_arrow(device, array, ADI_COPY_IF_NEEDED, sync,
                                                           &schema, &made, &error));
    if (code == 0) return adi_py_array_of_arrow(device, &schema, &made, &showing);
    adi_cuda_array_release(array);
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

static PyObject *import(PyObject *description, PyObject *owner, bool sync) {
    struct adi_cuda_array array;
    struct holding *holding = calloc(1, sizeof *holding);
    if (holding == NULL) return PyErr_NoMemory();
    if (adi_py_cuda_read(description, &holding->blocks, &array) != 0) {
        adi_py_blocks_free(holding->blocks);
        free(holding);
        return NULL;
    }
    if (owner != NULL && owner != Py_None) holding->owner = Py_NewRef(owner);
    array.release = release;
    array.private_data = holding;
    return take(&array, sync);
}

static int read_sync(PyObject *object, bool *out) {
    int is_true = PyObject_IsTrue(object);
    *out = is_true == 1;
    return is_true < 0 ? -1 : 0;
}

PyObject *adi_py_from_cuda_array_interface(PyObject *module, PyObject *const *arguments,
                                           Py_ssize_t n_arguments, PyObject *names) {
    PyObject *description = NULL, *owner = NULL, *sync = Py_True;
    bool is_synced;
    static struct adi_py_function function = {.name = "from_cuda_array_interface"};
    const struct adi_py_parameter parameters[] = {
        {"desc", &description}, {"owner", &owner}, {"sync", &sync}};
    (void)module;
    if (!adi_py_arguments(&function, parameters, 3, 3, ADI_PY_REFUSED, arguments, n_arguments,
                          names) ||
        read_sync(sync, &is_synced) != 0)
        return NULL;
    if (description == NULL)
        return PyErr_Format(PyExc_TypeError, "from_cuda_array_interface() needs a dict");
    return import(description, owner, is_synced);
}

PyObject *adi_py_as_cuda_array(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                               PyObject *names) {
    PyObject *object = NULL, *sync = Py_True;
    bool is_synced;
    static struct adi_py_function function = {.name = "as_cuda_array"};
    const struct adi_py_parameter parameters[] = {{"obj", &object}, {"sync", &sync}};
    (void)module;
    if (!adi_py_arguments(&function, parameters, 2, 2, ADI_PY_REFUSED, arguments, n_arguments,
                          names) ||
        read_sync(sync, &is_synced) != 0)
        return NULL;
    if (object == NULL) return PyErr_Format(PyExc_TypeError, "as_cuda_array() needs an object");
    PyObject *description = PyObject_GetAttrString(object, "__cuda_array_interface__");
    if (description == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "%R has no __cuda_array_interface__", object);
    }
    PyObject *made = import(description, object, is_synced);
    Py_DECREF(description);
    return made;
}
