/* SPDX-License-Identifier: Apache-2.0
 *
 * An object that shows its memory by the CUDA Array Interface and by DLPack: do both say the same?
 */
#include <inttypes.h>
#include <stdio.h>

#include "check_tensor.h"
#include "cuda_array_interface.h"
#include "py_judge_look.h"

static const char differs[] = "cai/tensor-differs";

#define SHAPE_TEXT 48 /* bytes */

/* ---- the tensor ---- */

/* Nobody is waited for, as nothing is read. NULL: it is told elsewhere. */
static PyObject *ask(PyObject *object) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *nothing = PyTuple_New(0);
    PyObject *keywords = Py_BuildValue("{s(ii)si}", "max_version", 1, 3, "stream", -1);
    PyObject *capsule = NULL;
    if (method != NULL && nothing != NULL && keywords != NULL) {
        capsule = PyObject_Call(method, nothing, keywords);
        if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
            adi_py_judge_overlook();
            if (PyDict_DelItemString(keywords, "max_version") == 0)
                capsule = PyObject_Call(method, nothing, keywords);
        }
    }
    adi_py_judge_overlook();
    Py_XDECREF(method);
    Py_XDECREF(nothing);
    Py_XDECREF(keywords);
    return capsule;
}

static void overlook(struct adi_sink *sink, const struct adi_found *found) {
    (void)sink;
    (void)found;
}

/* What is wrong with it is told where the protocol is DLPack. */
static bool look_into(PyObject *capsule, struct adi_tensor *out) {
    static const struct adi_tensor_asked asked = {1, 3, 0, 0, -1};
    struct adi_sink nowhere = {.violated = overlook};
    struct adi_dlpack tensor = {NULL, NULL};
    if (!PyCapsule_CheckExact(capsule)) return false;
    if (PyCapsule_IsValid(capsule, "dltensor"))
        tensor.legacy = PyCapsule_GetPointer(capsule, "dltensor");
    else if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        tensor.versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    else
        return false;
    enum adi_tensor_is is = adi_check_tensor(&tensor, &asked, out, &nowhere);
    if (is == ADI_TENSOR_NONE) Py_INCREF(capsule); /* its destructor is not to call a deleter */
    return is == ADI_TENSOR_SOUND;
}

/* ---- comparing ---- */

/* MAP-19: a letter for each type code; what has none cannot be described. */
/* A bool was handed on as a byte before DLPack had one. 'V', a date and a text say nothing that a
 * tensor could contradict, and the other order of bytes is no matter of the type. */
static bool is_same_type(const struct adi_type_string *said, DLDataType is) {
    static const char letters[] = {
        [kDLInt] = 'i', [kDLUInt] = 'u', [kDLFloat] = 'f', [kDLBool] = 'b', [kDLComplex] = 'c'};
    bool is_number = said->kind == 'b' || said->kind == 'i' || said->kind == 'u' ||
                     said->kind == 'f' || said->kind == 'c';
    if (!is_number) return true;
    if (is.lanes != 1 || said->bytes * 8 != is.bits) return false;
    if (said->kind == 'b' && is.code == kDLUInt) return true;
    return is.code < sizeof letters && letters[is.code] == said->kind;
}

static bool is_same_shape(const struct adi_cuda_array *said, const DLTensor *is) {
    if (said->n_dimensions != is->ndim) return false;
    for (int i = 0; i < is->ndim; i++)
        if (said->shape[i] != is->shape[i]) return false;
    return true;
}

/* "(2, 3)"; what has no end to it is cut. */
static void write_shape(const int64_t *shape, int32_t n, char text[SHAPE_TEXT]) {
    size_t length = (size_t)snprintf(text, SHAPE_TEXT, "(");
    for (int32_t i = 0; i < n && length < SHAPE_TEXT; i++)
        length += (size_t)snprintf(text + length, SHAPE_TEXT - length, "%s%" PRId64,
                                   i > 0 ? ", " : "", shape[i]);
    if (length < SHAPE_TEXT) snprintf(text + length, SHAPE_TEXT - length, "%s)", n == 1 ? "," : "");
}

static void compare(const struct adi_cuda_array *said, const DLTensor *is,
                    struct adi_py_look *look) {
    struct adi_type_string type;
    char message[96], seen[2 * SHAPE_TEXT + 8], one[SHAPE_TEXT], other[SHAPE_TEXT];
    if (adi_type_string_parse(said->typestr, &type, NULL) != 0) return;
    if (!is_same_type(&type, is->dtype)) {
        snprintf(message, sizeof message, "typestr: it is %.16s, and __dlpack__ says otherwise",
                 said->typestr);
        snprintf(seen, sizeof seen, "type code %d, %d bits, %d lanes", is->dtype.code,
                 is->dtype.bits, is->dtype.lanes);
        look->see(look, differs, seen, "the same in both", message);
    } else if (!is_same_shape(said, is)) {
        snprintf(message, sizeof message, "shape: __dlpack__ says otherwise");
        write_shape(said->shape, said->n_dimensions, one);
        write_shape(is->shape, is->ndim, other);
        snprintf(seen, sizeof seen, "%s, and %s", one, other);
        look->see(look, differs, seen, "the same in both", message);
    }
}

void adi_py_look_at_twin(PyObject *object, struct adi_py_look *look,
                         const struct adi_cuda_array *said) {
    struct adi_tensor tensor;
    PyObject *capsule = said == NULL ? NULL : ask(object);
    if (capsule != NULL && look_into(capsule, &tensor))
        compare(said, &tensor.tensor, look);
    else
        adi_py_look_leave(look, differs);
    Py_XDECREF(capsule);
}
