/* SPDX-License-Identifier: Apache-2.0 */
#include "py_device.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "devices.h"
#include "py_error.h"

static struct opened {
    struct opened *next;
    struct adi_device device;
    bool is_first; /* of its type; to look for it is dear, and runtimes leak by it */
} * opened;

static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
static pthread_mutex_t working = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

struct adi_device *adi_py_cpu(void) {
    return &cpu;
}

bool adi_py_device_is_opened(void) {
    return opened != NULL;
}

bool adi_py_is_cpu(const struct adi_device *device) {
    return adi_device_type_is_cpu(device->ops->type);
}

static struct adi_device *open_device(const struct adi_device_ops *ops, int64_t id,
                                      struct adi_error *error) {
    struct adi_device_probe found = {.count = 0};
    struct opened *new = malloc(sizeof *new);
    int code = new == NULL ? adi_error_set(error, ENOMEM, "no memory for a device") : 0;
    if (code == 0) ops->probe(&found);
    if (code == 0 && found.count == 0)
        code = adi_error_set(error, ENODEV, "no %s here: %s", ops->name, found.why.text);
    if (code == 0) code = ops->open(id, &new->device, error);
    if (code != 0) {
        free(new);
        return NULL;
    }
    new->is_first = false;
    new->next = opened;
    opened = new;
    return &new->device;
}

struct adi_device *adi_py_device(ArrowDeviceType type, int64_t id, struct adi_error *error) {
    if (adi_device_type_is_cpu(type)) return &cpu;
    for (struct opened *at = opened; at != NULL; at = at->next)
        if (at->device.ops->type == type && at->device.id == id) return &at->device;
    const struct adi_device_ops *ops = adi_device_of(type);
    if (ops != NULL) return open_device(ops, id, error);
    adi_error_set(error, ENODEV, "no device of type %d is known here", (int)type);
    return NULL;
}

static int64_t first_id(const struct adi_device_ops *ops) {
    struct adi_device_probe found = {.count = 0};
    ops->probe(&found);
    return found.count > 0 ? found.ids[0] : 0;
}

struct adi_device *adi_py_device_first(ArrowDeviceType type, struct adi_error *error) {
    const struct adi_device_ops *ops = adi_device_of(type);
    for (struct opened *at = opened; at != NULL; at = at->next)
        if (at->is_first && at->device.ops->type == type) return &at->device;
    struct adi_device *first = adi_py_device(type, ops == NULL ? 0 : first_id(ops), error);
    for (struct opened *at = opened; at != NULL; at = at->next)
        at->is_first = at->is_first || &at->device == first;
    return first;
}

struct adi_device *adi_py_device_of(const struct ArrowDeviceArray *array, struct adi_error *error) {
    if (adi_device_type_of(array->device_type)->ids == ADI_IDS_LOOSE && array->device_id < 0)
        return adi_py_device_first(array->device_type, error);
    return adi_py_device(array->device_type, array->device_id, error);
}

/* The first device of a type needs no number in its name. */
static bool parse(const char *text, const struct adi_device_ops **ops, int64_t *id) {
    const char *colon = strchr(text, ':');
    char name[32], *end;
    size_t length = colon == NULL ? strlen(text) : (size_t)(colon - text);
    if (length >= sizeof name) return false;
    memcpy(name, text, length);
    name[length] = '\0';
    *ops = adi_device_named(name);
    if (*ops == NULL) return false;
    errno = 0;
    *id = colon == NULL ? first_id(*ops) : strtoll(colon + 1, &end, 10);
    return colon == NULL || (errno == 0 && end != colon + 1 && *end == '\0');
}

struct adi_device *adi_py_device_named(PyObject *name) {
    const struct adi_device_ops *ops;
    struct adi_error error = {""};
    int64_t id;
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "a device is named by a str, and not by %R", name);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (text == NULL) return NULL;
    if (!parse(text, &ops, &id)) {
        PyErr_Format(PyExc_ValueError, "%R names no device; adicheck.devices() has their names",
                     name);
        return NULL;
    }
    struct adi_device *device = adi_py_device(ops->type, id, &error);
    if (device == NULL) adi_py_raise(ENODEV, PyExc_OSError, &error);
    return device;
}

PyObject *adi_py_device_text(const struct adi_device *device) {
    if (adi_py_is_cpu(device)) return PyUnicode_FromString(device->ops->name);
    return PyUnicode_FromFormat("%s:%lld", device->ops->name, (long long)device->id);
}

static int append_devices(PyObject *list, const struct adi_device_ops *ops) {
    struct adi_device_probe found = {.count = 0};
    ops->probe(&found);
    for (int i = 0; i < found.count; i++) {
        struct adi_device device = {.ops = ops, .id = found.ids[i]};
        PyObject *text = adi_py_device_text(&device);
        int code = text == NULL ? -1 : PyList_Append(list, text);
        Py_XDECREF(text);
        if (code != 0) return -1;
    }
    return 0;
}

PyObject *adi_py_devices(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0), *tuple = NULL;
    int code = list == NULL ? -1 : 0;
    const struct adi_device_ops *ops;
    for (size_t i = 0; code == 0 && (ops = adi_device_at(i)) != NULL; i++)
        code = append_devices(list, ops);
    if (code == 0) tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

PyObject *adi_py_devices_absent(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *dict = PyDict_New();
    const struct adi_device_ops *ops;
    for (size_t i = 0; dict != NULL && (ops = adi_device_at(i)) != NULL; i++) {
        struct adi_device_probe found = {.count = 0};
        ops->probe(&found);
        if (found.count > 0) continue;
        PyObject *why = PyUnicode_FromString(found.why.text);
        if (why == NULL || PyDict_SetItemString(dict, ops->name, why) != 0) Py_CLEAR(dict);
        Py_XDECREF(why);
    }
    return dict;
}

PyThreadState *adi_py_device_enter(const struct adi_device *device) {
    if (adi_py_is_cpu(device)) return NULL;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&working);
    return state;
}

void adi_py_device_leave(PyThreadState *state) {
    if (state == NULL) return;
    pthread_mutex_unlock(&working);
    PyEval_RestoreThread(state);
}
