/* SPDX-License-Identifier: Apache-2.0
 *
 * What a consumer gives back of what it has read.
 */
#include <errno.h>

#include "case.h"
#include "move.h"
#include "py_array.h"
#include "py_chunks.h"
#include "py_device.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_schema.h"
#include "py_stream.h"
#include "sample.h"
#include "schema.h"
#include "stream.h"

/* The type of what it was given: of a stream, that of the case; None: that is not known. NULL with
 * an exception. */
static PyObject *type_of(PyObject *given, bool is_stream) {
    PyObject *type = adi_py_given_type(given);
    struct adi_sink *sink = adi_case_sink();
    const struct adi_case *now = sink == NULL ? NULL : adi_trial_of(sink)->now;
    struct ArrowSchema schema;
    struct ArrowArray array;
    if (type != NULL) return Py_NewRef(type);
    if (!is_stream || now == NULL ||
        adi_sample(now->type, now->shape, 1, &schema, &array, NULL) != 0)
        return Py_NewRef(Py_None);
    adi_array_release(&array);
    return adi_py_schema_move(&schema);
}

PyObject *adi_py_judge_as_given(PyObject *given, PyObject *result, bool is_stream) {
    PyObject *made = NULL;
    PyObject *module = result == NULL ? NULL : PyImport_ImportModule("adicheck._given_back");
    PyObject *type = module == NULL ? NULL : type_of(given, is_stream);
    if (type != NULL)
        made = PyObject_CallMethod(module, "as_given", "OOO", result, type,
                                   is_stream ? Py_True : Py_False);
    Py_XDECREF(type);
    Py_XDECREF(module);
    adi_py_drop(result);
    return made;
}

/* Whatever it shows. */
struct adi_py_memory *adi_py_judge_result(PyObject *result) {
    PyObject *module = PyImport_ImportModule("adicheck._given_back");
    PyObject *array = module == NULL ? NULL : PyObject_CallMethod(module, "as_array", "O", result);
    Py_XDECREF(module);
    struct adi_py_memory *memory =
        array == NULL ? NULL : adi_py_array_memory((struct adi_py_array *)array);
    if (memory != NULL) adi_py_memory_keep(memory);
    Py_XDECREF(array);
    return memory;
}

/* A chunk as it lies, or a copy on the host. */
static int add_on_host(struct adi_py_chunks *list, struct adi_py_memory *chunk,
                       struct adi_error *error) {
    struct ArrowSchema schema;
    struct ArrowDeviceArray copied = {.device_type = list->device->ops->type,
                                      .device_id = list->device->id};
    int code = 0;
    if (adi_py_is_cpu(chunk->device)) {
        ADI_TRY(adi_py_chunks_add(list, chunk, error));
        adi_py_memory_keep(chunk);
        return 0;
    }
    ADI_TRY(adi_schema_export(&chunk->schema, &schema, error));
    ADI_PY_WITH(chunk->device, code = adi_py_memory_to_host(chunk, &copied.array, error));
    struct adi_py_memory *memory =
        code == 0 ? adi_py_memory_new(list->device, &schema, &copied, error) : NULL;
    if (memory != NULL && adi_py_chunks_add(list, memory, error) == 0) return 0;
    adi_py_memory_drop(memory);
    if (memory == NULL) adi_schema_release(&schema);
    if (memory == NULL && code == 0) adi_array_release(&copied.array);
    return code == 0 ? ENOMEM : code;
}

int adi_py_judge_result_stream(PyObject *result, struct ArrowArrayStream *out,
                               struct adi_error *error) {
    struct ArrowSchema schema;
    struct ArrowDeviceArrayStream stream;
    PyObject *module = PyImport_ImportModule("adicheck._given_back");
    PyObject *made = module == NULL ? NULL : PyObject_CallMethod(module, "as_stream", "O", result);
    Py_XDECREF(module);
    const struct adi_py_chunks *chunks = made == NULL ? NULL : adi_py_stream_chunks(made);
    if (chunks == NULL) return adi_py_judge_failed();
    int code = adi_schema_export(&chunks->schema, &schema, error);
    struct adi_py_chunks *list = code == 0 ? adi_py_chunks_new(adi_py_cpu(), &schema, error) : NULL;
    if (code == 0 && list == NULL) {
        adi_schema_release(&schema);
        code = ENOMEM;
    }
    for (size_t i = 0; code == 0 && i < chunks->count; i++)
        code = add_on_host(list, chunks->chunks[i], error);
    if (code == 0) code = adi_py_chunks_stream(list, &stream, error);
    if (code == 0) {
        code = adi_stream_unwrap(&stream, out, error);
        if (code != 0) adi_device_array_stream_release(&stream);
    }
    adi_py_chunks_drop(list);
    Py_DECREF(made);
    return code;
}
