/* SPDX-License-Identifier: Apache-2.0 */
#include "py_watch.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "device_types.h"
#include "devices.h"
#include "dlpack.h"
#include "findings.h"
#include "host.h"
#include "move.h"
#include "py_capsule.h"
#include "watch.h"
#include "watch_stream.h"

/* A tensor as its consumer has it: never freed before the watch ends, and later than that if
 * nobody has deleted it. */
struct tensor {
    union {
        struct DLManagedTensor legacy;
        struct DLManagedTensorVersioned versioned;
    } shown; /* first: what is handed on */
    struct adi_dlpack original;
    struct adi_sink *_Atomic sink; /* NULL: the watch has ended */
    atomic_int calls;
};

struct watched {
    struct adi_findings *findings;
    struct adi_watch *schema, *array;
    struct adi_stream_watch *stream;
    struct tensor *tensor;
    PyObject *capsule; /* of the tensor */
};

static const char NAME[] = "adicheck.watch";

/* To take and give back what a list needs costs as much as the watch: one is kept. The GIL's. */
static struct adi_findings *spare;

static struct adi_findings *take_findings(void) {
    struct adi_findings *findings = spare;
    if (findings == NULL) return adi_findings_new();
    spare = NULL;
    adi_findings_clear(findings);
    return findings;
}

static void give_findings(struct adi_findings *findings) {
    if (spare != NULL) adi_findings_free(findings);
    if (spare == NULL) spare = findings;
}

static void free_watched(struct watched *watched) {
    adi_watch_close(watched->schema);
    adi_watch_close(watched->array);
    adi_stream_watch_close(watched->stream);
    give_findings(watched->findings);
    free(watched);
}

static void forget(PyObject *capsule) {
    struct watched *watched = PyCapsule_GetPointer(capsule, NAME);
    Py_CLEAR(watched->capsule);
    free_watched(watched);
}

static PyObject *wrap(struct watched *watched) {
    PyObject *capsule = PyCapsule_New(watched, NAME, forget);
    if (capsule == NULL) free_watched(watched);
    return capsule;
}

static struct watched *new_watched(void) {
    struct watched *watched = malloc(sizeof *watched);
    if (watched != NULL) *watched = (struct watched){.findings = take_findings()};
    if (watched != NULL && watched->findings != NULL) return watched;
    free(watched);
    PyErr_NoMemory();
    return NULL;
}

/* ---- Arrow ---- */

/* Nobody is to blame for what he does with what is wrong already. Advice does not count, and says
 * nothing here. */
static bool is_sound(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array) {
    struct adi_findings *findings = adi_findings_new();
    bool is_bad = findings == NULL || adi_check_device_array(schema, array, findings) != 0;
    for (size_t i = 0; !is_bad && i < adi_findings_count(findings); i++) {
        const struct adi_finding *finding = adi_findings_get(findings, i);
        if (!finding->breaks_conformance) continue;
        PyErr_Format(PyExc_ValueError, "it is not watched, since it is not sound: %s: %s",
                     finding->rule, finding->message);
        is_bad = true;
    }
    adi_findings_free(findings);
    if (is_bad && PyErr_Occurred() == NULL) PyErr_NoMemory();
    return !is_bad;
}

/* A copy of both, of what can be watched; NULL with an exception. One copy serves here and when it
 * is released: only of what is not clean it is asked what it breaks. */
static struct adi_node *copy_sound(const struct ArrowSchema *schema,
                                   const struct ArrowDeviceArray *array, bool is_ours) {
    static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct adi_node *copy =
        is_ours ? adi_tree_copy_own(schema, array, &cpu) : adi_tree_copy(schema, array, &cpu);
    if (copy == NULL) PyErr_NoMemory();
    if (copy == NULL) return NULL;
    /* It was not asked of this device, and is not judged by it. */
    if (!adi_device_type_is_cpu(copy->device_array->device_type)) copy->device = NULL;
    if (adi_check_is_clean(copy) || is_sound(schema, array)) return copy;
    adi_tree_free(copy);
    return NULL;
}

/* Takes `before` over. */
static bool watch(struct watched *watched, struct ArrowSchema *schema, struct ArrowArray *array,
                  struct adi_node *before) {
    struct adi_sink *sink = adi_findings_sink(watched->findings);
    watched->array = adi_watch_open(&adi_kind_array, array, sink, false, true);
    if (watched->array != NULL) {
        adi_watch_compare(watched->array, before);
        watched->schema = adi_watch_open(&adi_kind_schema, schema, sink, false, true);
    } else {
        adi_tree_free(before);
    }
    if (watched->schema == NULL) PyErr_NoMemory();
    return watched->schema != NULL;
}

/* What can be read of it; `array` is all there is but in a device array. */
static struct adi_node *copy_pair(struct ArrowSchema *schema, void *array, bool is_device,
                                  bool is_ours) {
    struct ArrowDeviceArray on_host;
    if (is_device) return copy_sound(schema, array, is_ours);
    if (!is_ours && !adi_host_is_readable(array, sizeof(struct ArrowArray))) {
        PyErr_SetString(PyExc_ValueError, "the memory of the capsule is not readable");
        return NULL;
    }
    on_host = adi_device_array_of_cpu(array);
    return copy_sound(schema, &on_host, is_ours);
}

static PyObject *watch_pair(PyObject *pair, bool is_device, bool is_ours) {
    const char *name = is_device ? "arrow_device_array" : "arrow_array";
    PyObject *first = PyTuple_GetItem(pair, 0), *second = PyTuple_GetItem(pair, 1);
    struct ArrowSchema *schema = adi_py_capsule_get(first, "arrow_schema", "the object");
    void *array = schema == NULL ? NULL : adi_py_capsule_get(second, name, "the object");
    struct adi_node *before = array == NULL ? NULL : copy_pair(schema, array, is_device, is_ours);
    struct watched *watched = before == NULL ? NULL : new_watched();
    if (watched == NULL) {
        adi_tree_free(before);
        return NULL;
    }
    if (watch(watched, schema, array, before)) return wrap(watched);
    free_watched(watched);
    return NULL;
}

PyObject *adi_py_watch_arrow(PyObject *module, PyObject *const *arguments, Py_ssize_t n) {
    (void)module;
    PyObject *pair =
        n == 3 ? PySequence_Tuple(arguments[0]) : NULL; /* a tuple itself, most times */
    if (pair != NULL && PyTuple_Size(pair) == 2) {
        PyObject *handle = watch_pair(pair, arguments[1] == Py_True, arguments[2] == Py_True);
        Py_DECREF(pair);
        return handle;
    }
    Py_XDECREF(pair);
    if (PyErr_Occurred() == NULL)
        PyErr_SetString(PyExc_TypeError, "the object gave no pair of capsules");
    return NULL;
}

/* CS-015, DV-059: a stream has all four callbacks. */
static bool is_whole_stream(const void *within, bool is_device) {
    const struct ArrowDeviceArrayStream *on_device = within;
    const struct ArrowArrayStream *on_host = within;
    if (is_device)
        return on_device->get_schema != NULL && on_device->get_next != NULL &&
               on_device->get_last_error != NULL && on_device->release != NULL;
    return on_host->get_schema != NULL && on_host->get_next != NULL &&
           on_host->get_last_error != NULL && on_host->release != NULL;
}

PyObject *adi_py_watch_stream(PyObject *module, PyObject *arguments) {
    PyObject *capsule;
    int is_device;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Op", &capsule, &is_device)) return NULL;
    const struct adi_kind *kind =
        is_device ? &adi_kind_device_array_stream : &adi_kind_array_stream;
    void *within = adi_py_capsule_get(
        capsule, is_device ? "arrow_device_array_stream" : "arrow_array_stream", "the object");
    if (within == NULL) return NULL;
    if (!adi_host_is_readable(within, kind->size) || !is_whole_stream(within, is_device)) {
        PyErr_SetString(PyExc_ValueError,
                        "it is not watched, since it is no live stream with all four callbacks");
        return NULL;
    }
    struct watched *watched = new_watched();
    if (watched == NULL) return NULL;
    watched->stream = adi_stream_watch_open(kind, within, adi_findings_sink(watched->findings));
    if (watched->stream != NULL) return wrap(watched);
    free_watched(watched);
    return PyErr_NoMemory();
}

/* ---- DLPack ---- */

/* DLH-52: once. The original is gone with the first call. */
static void deleted(struct tensor *tensor) {
    struct adi_sink *sink = atomic_load(&tensor->sink);
    if (atomic_fetch_add(&tensor->calls, 1) == 0)
        adi_dlpack_delete(&tensor->original);
    else if (sink != NULL)
        adi_report(sink, "dlpack/deleter-called-twice", ADI_CONSUMER, "a second call", "one call",
                   "the deleter of a tensor was called again");
}

static void delete_legacy(struct DLManagedTensor *self) {
    deleted((struct tensor *)(void *)self);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    deleted((struct tensor *)(void *)self);
}

/* Moves from `original`. */
static bool show(struct watched *watched, struct adi_dlpack *original) {
    struct tensor *tensor = calloc(1, sizeof *tensor);
    struct adi_dlpack shown = {NULL, NULL};
    if (tensor == NULL) {
        adi_dlpack_delete(original);
        PyErr_NoMemory();
        return false;
    }
    tensor->original = *original;
    tensor->sink = adi_findings_sink(watched->findings);
    if (original->legacy != NULL) {
        tensor->shown.legacy = *original->legacy;
        tensor->shown.legacy.deleter = delete_legacy;
        shown.legacy = &tensor->shown.legacy;
    } else {
        tensor->shown.versioned = *original->versioned;
        tensor->shown.versioned.deleter = delete_versioned;
        shown.versioned = &tensor->shown.versioned;
    }
    watched->tensor = tensor;
    watched->capsule = adi_py_capsule_dlpack(&shown);
    return watched->capsule != NULL;
}

PyObject *adi_py_watch_tensor(PyObject *module, PyObject *capsule) {
    struct adi_dlpack original;
    (void)module;
    struct watched *watched = new_watched();
    if (watched == NULL) return NULL;
    if (adi_py_capsule_take_dlpack(capsule, &original) != 0 || !show(watched, &original)) {
        free_watched(watched);
        return NULL;
    }
    PyObject *shown = Py_NewRef(watched->capsule), *handle = wrap(watched);
    PyObject *both = handle == NULL ? NULL : PyTuple_Pack(2, shown, handle);
    Py_DECREF(shown);
    Py_XDECREF(handle);
    return both;
}

/* Whoever has taken it has renamed the capsule; and deleted it by now. */
static void end_tensor(struct watched *watched) {
    struct tensor *tensor = watched->tensor;
    bool is_named = PyCapsule_IsValid(watched->capsule, "dltensor") ||
                    PyCapsule_IsValid(watched->capsule, "dltensor_versioned");
    bool is_deleted = atomic_load(&tensor->calls) > 0;
    /* DLP-16: else the capsule deletes it once more. */
    if (is_named && is_deleted) {
        adi_report(tensor->sink, "dlpack/capsule-not-renamed", ADI_CONSUMER,
                   "its name is as it was", "\"used_dltensor\" or \"used_dltensor_versioned\"",
                   "a tensor was taken out of a capsule that is not named as used");
        PyCapsule_SetDestructor(watched->capsule, NULL);
    }
    Py_CLEAR(watched->capsule);
    if (!is_named && !is_deleted)
        adi_report(tensor->sink, "dlpack/deleter-not-called", ADI_CONSUMER, "no call", "one call",
                   "a tensor was taken, and never deleted");
    atomic_store(&tensor->sink, NULL);
    if (is_deleted) free(tensor);
}

/* ---- the end ---- */

static PyObject *rows_of(const struct adi_findings *findings) {
    size_t n = adi_findings_count(findings);
    if (n == 0) return PyTuple_New(0);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < n; i++) {
        const struct adi_finding *finding = adi_findings_get(findings, i);
        PyObject *row = Py_BuildValue("(sssss)", finding->rule, finding->message, finding->seen,
                                      finding->wanted, finding->party);
        if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyObject *adi_py_watch_end(PyObject *module, PyObject *capsule) {
    struct watched *watched = PyCapsule_GetPointer(capsule, NAME);
    (void)module;
    if (watched == NULL || PyCapsule_SetName(capsule, "adicheck.watch.over") != 0 ||
        PyCapsule_SetDestructor(capsule, NULL) != 0)
        return NULL;
    if (watched->tensor != NULL) end_tensor(watched);
    adi_stream_watch_close(watched->stream);
    adi_watch_close(watched->array);
    adi_watch_close(watched->schema);
    watched->stream = NULL;
    watched->array = watched->schema = NULL;
    PyObject *rows = rows_of(watched->findings);
    free_watched(watched);
    return rows;
}
