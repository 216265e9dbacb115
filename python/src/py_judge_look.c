/* SPDX-License-Identifier: Apache-2.0
 *
 * The dictionaries. What is wrong with one is said by who reads it (cuda_array_interface.h), in
 * sentences that begin with the entry: the rule is that of the entry.
 */
#include "py_judge_look.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_array_interface.h"
#include "py_blocks.h"
#include "py_cuda.h"

static void see(struct adi_py_look *look, const char *name, const char *wanted,
                const char *message) {
    char rule[64];
    snprintf(rule, sizeof rule, "%s/%s", look->family, name);
    look->see(look, rule, NULL, wanted, message);
}

/* The entry that a sentence begins with. */
static void see_entry(struct adi_py_look *look, const char *message) {
    static const char *const entries[] = {"shape",   "typestr", "data", "version",
                                          "strides", "descr",   "mask", "stream"};
    char name[32] = "descr-invalid"; /* of what is within one */
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strncmp(message, entries[i], strlen(entries[i])) == 0)
            snprintf(name, sizeof name, "%s-invalid", entries[i]);
    see(look, name, NULL, message);
}

/* The exception that is set, as a sentence. */
static void see_exception(struct adi_py_look *look) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *text = value == NULL ? NULL : PyObject_Str(value);
    const char *words = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, NULL);
    see_entry(look, words == NULL ? "descr" : words);
    adi_py_judge_overlook();
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/* CAI2-01, NPI-02: a dictionary, and what has to be in it. */
/* A copy of it; NULL: it is told, or there is an exception. */
static PyObject *entries_of(PyObject *object, const char *attribute, const char *const *mandatory,
                            struct adi_py_look *look) {
    char message[96];
    PyObject *seen = PyObject_GetAttrString(object, attribute);
    if (seen == NULL) return NULL;
    if (!PyDict_Check(seen)) {
        snprintf(message, sizeof message, "%s is no dict", attribute);
        see(look, "not-a-dict", "a dict", message);
        Py_DECREF(seen);
        return NULL;
    }
    PyObject *copy = PyDict_Copy(seen);
    Py_DECREF(seen);
    for (size_t i = 0; copy != NULL && mandatory[i] != NULL; i++) {
        PyObject *value = PyDict_GetItemString(copy, mandatory[i]);
        if (value != NULL && value != Py_None) continue;
        snprintf(message, sizeof message, "there is no %s", mandatory[i]);
        see(look, "entry-missing", mandatory[i], message);
        Py_CLEAR(copy);
    }
    return copy;
}

/* What the dictionary says; the newest, where that cannot be read. */
static int64_t version_of(PyObject *entries) {
    PyObject *version = PyDict_GetItemString(entries, "version");
    if (!PyLong_Check(version)) return ADI_CUDA_ARRAY_VERSION;
    int64_t own = PyLong_AsLongLong(version);
    adi_py_judge_overlook();
    return own;
}

static void set_aside(PyObject *entries, const char *key, PyObject **out) {
    *out = Py_XNewRef(PyDict_GetItemString(entries, key));
    if (*out != NULL) PyDict_DelItemString(entries, key);
}

/* ---- the CUDA Array Interface ---- */

/* CAI2-16: the mask is such an array, too. */
static bool read_mask(PyObject *mask, struct adi_py_block **blocks, struct adi_cuda_array *out,
                      struct adi_py_look *look) {
    PyObject *entries = PyObject_GetAttrString(mask, "__cuda_array_interface__");
    adi_py_judge_overlook();
    bool is_read = entries != NULL && adi_py_cuda_read(entries, blocks, out) == 0;
    adi_py_judge_overlook();
    Py_XDECREF(entries);
    if (!is_read)
        see(look, "mask-invalid", "an object with __cuda_array_interface__",
            "mask: it does not expose the interface");
    return is_read;
}

/* CAI2-02, CAI2-03, CAI2-04, CAI2-05, CAI2-08, CAI2-10, CAI2-12, CAI2-13: each entry is of its
 * type, and all fit together. */
/* CAI3-01: a stream is an entry of version 3; below it is none, whatever it is. Of a dictionary
 * that is of version 3 it is left alone where only the duties of an older one count. */
static void leave_stream(PyObject *entries, int64_t own, struct adi_py_look *look) {
    PyObject *stream;
    set_aside(entries, "stream", &stream);
    if (stream != NULL && stream != Py_None && own < 3)
        see(look, "stream-unversioned", "3", "version: it is below 3, and there is a stream");
    Py_XDECREF(stream);
    adi_py_look_leave(look, "cai/stream-forbidden");
    adi_py_look_leave(look, "cai/stream-invalid");
}

/* CAI3-03, CAI3-06: 0 names no stream. */
static bool check(const struct adi_cuda_array *array, struct adi_py_look *look) {
    struct adi_error error = {""};
    if (array->has_stream == ADI_ENTRY_GIVEN && array->stream == 0) {
        see(look, "stream-forbidden", "1, 2, a handle or None", "stream: 0 is ambiguous");
        return false;
    }
    int code = adi_cuda_array_check(array, NULL, &error);
    if (code == ENOTSUP) return false; /* a later version, or too much to be counted here */
    if (code != 0) {
        see_entry(look, error.text);
        return false;
    }
    /* CAI2-07: the pointer of what has no items. */
    if (adi_cuda_array_check_producer(array, &error) == EINVAL)
        see(look, "empty-not-zero", "0", error.text);
    return true;
}

/* CAI2-06: the device can reach it. */
static void check_reach(const struct adi_cuda_array *array, struct adi_py_look *look) {
    struct adi_device *device;
    struct adi_error error = {""};
    if (adi_py_cuda_device(array, &device, &error) == EFAULT)
        see(look, "data-unreachable", "memory of the device that has all items within it",
            error.text);
}

int adi_py_look_at_cuda(PyObject *object, struct adi_py_look *look) {
    static const char *const mandatory[] = {"shape", "typestr", "data", "version", NULL};
    struct adi_py_block *blocks = NULL;
    struct adi_cuda_array array, masked;
    PyObject *mask, *entries = entries_of(object, "__cuda_array_interface__", mandatory, look);
    if (entries == NULL) return PyErr_Occurred() == NULL ? 0 : -1;
    int64_t own = version_of(entries);
    int64_t version = own < look->version ? own : look->version; /* whose duties count */
    set_aside(entries, "mask", &mask);
    if (version < 3) leave_stream(entries, own, look);
    if (version < 1) adi_py_look_leave(look, "cai/mask-invalid"); /* it has no such entry */
    bool is_read = adi_py_cuda_read(entries, &blocks, &array) == 0;
    if (!is_read) see_exception(look);
    if (array.version > version) array.version = version;
    if (is_read && version > 0 && mask != NULL && mask != Py_None) {
        is_read = read_mask(mask, &blocks, &masked, look);
        array.has_mask = ADI_ENTRY_GIVEN;
        array.mask = &masked;
    }
    is_read = is_read && check(&array, look);
    if (is_read) check_reach(&array, look);
    adi_py_look_at_twin(object, look, is_read ? &array : NULL);
    adi_py_blocks_free(blocks);
    Py_XDECREF(mask);
    Py_DECREF(entries);
    return 0;
}

/* ---- the array interface protocol ---- */

static bool is_pointer(PyObject *data) {
    return PyTuple_Check(data);
}

/* NPI-06, NPI-13: a pointer is that of the first item; an offset is for buffers. */
static bool check_data(PyObject *data, PyObject *offset, struct adi_py_look *look) {
    bool is_there = data != NULL && data != Py_None;
    if (is_there && !is_pointer(data) && !PyObject_CheckBuffer(data)) {
        see(look, "data-invalid", "a tuple, a buffer or None",
            "data: it is neither a tuple nor a "
            "buffer");
        return false;
    }
    if (is_there && is_pointer(data) && offset != NULL && offset != Py_None)
        see(look, "offset-ignored", "no offset", "offset: it is given beside a pointer");
    return true;
}

/* NPI-13: the items of a buffer lie within it, from the offset on. */
static bool check_within(PyObject *data, PyObject *offset,
                         const struct adi_cuda_array_extent *extent, struct adi_py_look *look) {
    char message[160];
    Py_buffer view;
    if (data == NULL || data == Py_None || is_pointer(data) || extent->bytes == 0) return true;
    int64_t first = offset == NULL || offset == Py_None ? 0 : PyLong_AsLongLong(offset);
    if (PyErr_Occurred() != NULL || PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) != 0) {
        adi_py_judge_overlook(); /* what is no number, or not contiguous, is another matter */
        return true;
    }
    int64_t size = view.len;
    PyBuffer_Release(&view);
    if (first >= -extent->lowest && first <= size && extent->end <= size - first) return true;
    snprintf(message, sizeof message,
             "data: items lie in bytes %" PRId64 " to %" PRId64 " from offset %" PRId64
             " of a buffer of %" PRId64 " bytes",
             extent->lowest, extent->end, first, size);
    see(look, "data-invalid", "all items within it", message);
    return false;
}

/* Is each page of these bytes mapped? Whose they are is not known. */
static bool is_mapped(uint64_t first, uint64_t end) {
    unsigned char pages[1024];
    const uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE), most = sizeof pages * size;
    uint64_t at = first / size * size;
    for (uint64_t next; at < end; at = next) {
        next = end - at > most ? at + most : end;
        if (mincore((void *)(uintptr_t)at, next - at, pages) != 0 && errno == ENOMEM) return false;
    }
    return true;
}

/* NPI-06: where a pointer leads, the items are. */
static void check_mapped(PyObject *data, const struct adi_cuda_array *array,
                         const struct adi_cuda_array_extent *extent, struct adi_py_look *look) {
    if (data == NULL || !is_pointer(data) || extent->bytes == 0) return;
    if (is_mapped(array->data + (uint64_t)extent->lowest, array->data + (uint64_t)extent->end))
        return;
    see(look, "data-invalid", "memory with the items",
        "data: the pointer leads to where there is no memory");
}

/* NPI-12: the mask is such an array, and its shape goes with the array's. */
static void check_mask(PyObject *mask, const struct adi_cuda_array *array,
                       struct adi_py_look *look) {
    if (mask == NULL || mask == Py_None) return;
    PyObject *entries = PyObject_GetAttrString(mask, "__array_interface__");
    adi_py_judge_overlook();
    PyObject *shape =
        entries != NULL && PyDict_Check(entries) ? PyDict_GetItemString(entries, "shape") : NULL;
    bool is_shape = shape != NULL && PyTuple_Check(shape);
    if (!is_shape)
        see(look, "mask-invalid", "an object with __array_interface__",
            "mask: it does not expose the interface");
    Py_ssize_t n = is_shape ? PyTuple_Size(shape) : 0;
    bool fits = n <= array->n_dimensions;
    for (Py_ssize_t i = 0; fits && i < n; i++) {
        int64_t size = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
        fits = size == 1 || size == array->shape[array->n_dimensions - n + i];
    }
    adi_py_judge_overlook();
    Py_XDECREF(entries);
    if (!fits)
        see(look, "mask-shape-differs", "one that can be broadcast",
            "mask: its shape cannot be broadcast to the array's");
}

/* NPI-04, NPI-05, NPI-09: type, fields and strides are read as those of the other dictionary. */
/* Is it a pointer, and the same each time? A scalar may make its memory anew for whoever asks. */
static bool is_lasting(PyObject *object, PyObject *data) {
    if (data == NULL || !is_pointer(data)) return false;
    PyObject *entries = PyObject_GetAttrString(object, "__array_interface__");
    bool is_there = entries != NULL && PyDict_Check(entries);
    PyObject *again = is_there ? PyDict_GetItemString(entries, "data") : NULL;
    bool is_same = again != NULL && PyObject_RichCompareBool(data, again, Py_EQ) == 1;
    adi_py_judge_overlook();
    Py_XDECREF(entries);
    return is_same;
}

static int look_at_dictionary(PyObject *object, struct adi_py_look *look) {
    static const char *const mandatory[] = {"shape", "typestr", "version", NULL};
    struct adi_py_block *blocks = NULL;
    struct adi_cuda_array array;
    struct adi_error error = {""};
    PyObject *mask, *offset, *data, *stream;
    PyObject *entries = entries_of(object, "__array_interface__", mandatory, look);
    if (entries == NULL) return PyErr_Occurred() == NULL ? 0 : -1;
    set_aside(entries, "mask", &mask);
    set_aside(entries, "offset", &offset);
    set_aside(entries, "stream", &stream);
    data = Py_XNewRef(PyDict_GetItemString(entries, "data"));
    bool is_read = check_data(data, offset, look);
    if (is_read && (data == NULL || !is_pointer(data)))
        PyDict_SetItemString(entries, "data", Py_None);
    if (is_read && adi_py_cuda_read(entries, &blocks, &array) != 0) {
        see_exception(look);
        is_read = false;
    } else if (is_read) {
        array.version = 2; /* there strides may be missing, as they may here */
        if (array.has_data != ADI_ENTRY_GIVEN) {
            array.has_data = ADI_ENTRY_GIVEN;
            array.data = UINTPTR_MAX / 2; /* wherever the buffer is: strides lead to both sides */
        }
        struct adi_cuda_array_extent extent;
        int code = adi_cuda_array_check(&array, &extent, &error);
        if (code == EINVAL) see_entry(look, error.text);
        if (code == 0) check_mask(mask, &array, look);
        is_read = code == 0 && check_within(data, offset, &extent, look);
        if (is_read) check_mapped(data, &array, &extent, look);
    }
    adi_py_look_at_struct(object, look, is_read ? &array : NULL, is_lasting(object, data));
    adi_py_blocks_free(blocks);
    Py_XDECREF(mask);
    Py_XDECREF(offset);
    Py_XDECREF(stream);
    Py_XDECREF(data);
    Py_DECREF(entries);
    return 0;
}

/* Either of the two attributes. */
int adi_py_look_at_array(PyObject *object, struct adi_py_look *look) {
    PyObject *dictionary = PyObject_GetAttrString(object, "__array_interface__");
    bool has_dictionary = dictionary != NULL;
    Py_XDECREF(dictionary);
    if (has_dictionary) return look_at_dictionary(object, look);
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    adi_py_judge_overlook();
    static const char *const others[] = {"not-a-dict", "entry-missing", "shape-", "typestr-",
                                         "data-",      "strides-",      "descr-", "offset-",
                                         "version-",   "mask-"};
    char names[64];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(names, sizeof names, "array-interface/%s", others[i]);
        adi_py_look_leave(look, names);
    }
    adi_py_look_at_struct(object, look, NULL, false);
    return 0;
}
