/* SPDX-License-Identifier: Apache-2.0 */
#include "py_protocols.h"

#include <string.h>

#include "device_types.h"
#include "py_arrow.h"
#include "py_cuda.h"
#include "py_device.h"
#include "py_dlpack.h"
#include "py_exchange.h"
#include "py_host.h"

/* An attribute: a method, a value that is asked for, or one that the class has. */
struct attribute {
    PyMethodDef method;
    PyGetSetDef value;
    struct {
        const char *name;
        PyObject *(*make)(void);
    } constant;
};

#define METHOD(name, function, doc)                                                                \
    {                                                                                              \
        .method = { name, ADI_PY_FAST(function), doc }                                             \
    }
#define PLAIN(name, function, doc)                                                                 \
    {                                                                                              \
        .method = { name, function, METH_NOARGS, doc }                                             \
    }
#define VALUE(name, function, doc)                                                                 \
    {                                                                                              \
        .value = { name, function, NULL, doc, NULL }                                               \
    }

#define CONSTANT(name, function)                                                                   \
    {                                                                                              \
        .constant = { name, function }                                                             \
    }

static struct protocol {
    unsigned bit;
    const char *name;
    bool (*is_had)(struct adi_py_array *);
    struct attribute attributes[2];
} protocols[] = {
    {ADI_PY_ARROW_SCHEMA,
     "arrow_c_schema",
     adi_py_array_has_memory,
     {PLAIN("__arrow_c_schema__", adi_py_arrow_c_schema, "The type, as a capsule.")}},
    {ADI_PY_ARROW_ARRAY,
     "arrow_c_array",
     adi_py_arrow_is_on_host,
     {METHOD("__arrow_c_array__", adi_py_arrow_c_array,
             "Two capsules: schema and array, in memory of the host.")}},
    {ADI_PY_ARROW_DEVICE_ARRAY,
     "arrow_c_device_array",
     adi_py_array_has_memory,
     {METHOD("__arrow_c_device_array__", adi_py_arrow_c_device_array,
             "Two capsules: schema and device array.")}},
    {ADI_PY_DLPACK,
     "dlpack",
     adi_py_array_has_source,
     {METHOD("__dlpack__", adi_py_dlpack, "A tensor of DLPack, as a capsule."),
      PLAIN("__dlpack_device__", adi_py_dlpack_device, "DLPack's type and number of the device.")}},
    {ADI_PY_CUDA_ARRAY_INTERFACE,
     "cuda_array_interface",
     adi_py_cuda_is_had,
     {VALUE("__cuda_array_interface__", adi_py_cuda_array_interface,
            "The dictionary of the CUDA Array Interface.")}},
    {ADI_PY_ARRAY_INTERFACE,
     "array_interface",
     adi_py_host_has_type_string,
     {VALUE("__array_interface__", adi_py_array_interface,
            "The dictionary of the array interface protocol.")}},
    {ADI_PY_BUFFER, "buffer", adi_py_host_has_format, {{.method = {NULL, NULL, 0, NULL}}}},
    {ADI_PY_EXCHANGE,
     "dlpack_c_exchange_api",
     adi_py_exchange_is_had,
     {CONSTANT("__dlpack_c_exchange_api__", adi_py_exchange_capsule),
      CONSTANT("__c_dlpack_exchange_api__", adi_py_exchange_address)}},
};

#define COUNT (sizeof protocols / sizeof *protocols)
#define SETS  (1U << COUNT)

PyObject *adi_py_protocols_names(unsigned set) {
    PyObject *list = PyList_New(0), *tuple = NULL;
    int code = list == NULL ? -1 : 0;
    for (size_t i = 0; code == 0 && i < COUNT; i++) {
        if ((set & protocols[i].bit) == 0) continue;
        PyObject *name = PyUnicode_FromString(protocols[i].name);
        code = name == NULL ? -1 : PyList_Append(list, name);
        Py_XDECREF(name);
    }
    if (code == 0) tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

/* ---- which ---- */

static unsigned had_by(struct adi_py_array *seen) {
    unsigned set = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (protocols[i].is_had(seen)) set |= protocols[i].bit;
    return set;
}

static int add_named(PyObject *name, unsigned *set) {
    for (size_t i = 0; PyUnicode_Check(name) && i < COUNT; i++) {
        if (PyUnicode_CompareWithASCIIString(name, protocols[i].name) != 0) continue;
        *set |= protocols[i].bit;
        return 0;
    }
    PyObject *all = adi_py_protocols_names(SETS - 1);
    if (all != NULL) PyErr_Format(PyExc_ValueError, "%R is no protocol; there are %R", name, all);
    Py_XDECREF(all);
    return -1;
}

static int named(PyObject *names, unsigned *set) {
    if (PyUnicode_Check(names)) return add_named(names, set);
    PyObject *iterator = PyObject_GetIter(names), *name;
    if (iterator == NULL) return -1;
    int code = 0;
    while (code == 0 && (name = PyIter_Next(iterator)) != NULL) {
        code = add_named(name, set);
        Py_DECREF(name);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() == NULL ? code : -1;
}

/* ---- the class ---- */

static int add_attribute(PyTypeObject *type, struct attribute *attribute) {
    PyObject *made;
    const char *name;
    if (attribute->method.ml_name != NULL) {
        name = attribute->method.ml_name;
        made = PyDescr_NewMethod(type, &attribute->method);
    } else if (attribute->value.name != NULL) {
        name = attribute->value.name;
        made = PyDescr_NewGetSet(type, &attribute->value);
    } else if (attribute->constant.name != NULL) {
        name = attribute->constant.name;
        made = attribute->constant.make();
    } else {
        return 0;
    }
    if (made == NULL) return -1;
    int code = PyObject_SetAttrString((PyObject *)type, name, made);
    Py_DECREF(made);
    return code;
}

static PyTypeObject *make_class(unsigned set) {
    static PyType_Slot with_buffer[] = {
        {Py_bf_getbuffer, adi_py_host_get_buffer},
        {Py_bf_releasebuffer, adi_py_host_release_buffer},
        {0, NULL},
    };
    static PyType_Slot without[] = {{0, NULL}};
    PyType_Spec spec = {
        .name = "adicheck.Array",
        .basicsize = sizeof(struct adi_py_array),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = (set & ADI_PY_BUFFER) != 0 ? with_buffer : without,
    };
    PyObject *bases = PyTuple_Pack(1, adi_py_array_type());
    if (bases == NULL) return NULL;
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpecWithBases(&spec, bases);
    Py_DECREF(bases);
    int code = type == NULL ? -1 : 0;
    for (size_t i = 0; code == 0 && i < 2 * COUNT; i++)
        if ((set & protocols[i / 2].bit) != 0)
            code = add_attribute(type, &protocols[i / 2].attributes[i % 2]);
    if (code == 0) return type;
    Py_XDECREF((PyObject *)type);
    return NULL;
}

PyTypeObject *adi_py_protocols_class(struct adi_py_array *seen, PyObject *names) {
    static PyTypeObject *classes[SETS];
    unsigned set = 0;
    if (names == NULL || names == Py_None)
        set = had_by(seen);
    else if (named(names, &set) != 0)
        return NULL;
    seen->protocols = set;
    if (classes[set] == NULL) classes[set] = make_class(set);
    Py_XINCREF((PyObject *)classes[set]);
    return classes[set];
}
