/* SPDX-License-Identifier: Apache-2.0
 *
 * The extension `adicheck._core`: what the package is made of. What is said of it to users is in
 * adicheck/__init__.pyi.
 *
 * Its state is the process's, and not the interpreter's, so that it is initialized in one phase: an
 * interpreter with a GIL of its own refuses to import it.
 */
#include "py.h"
#include "py_arrow.h"
#include "py_cuda.h"
#include "py_cuda_order.h"
#include "py_device.h"
#include "py_dlpack.h"
#include "py_exporter.h"
#include "py_fleeting.h"
#include "py_judge.h"
#include "py_judge_exchange.h"
#include "py_judge_leaks.h"
#include "py_judge_look.h"
#include "py_owner.h"
#include "py_schema.h"
#include "py_stream.h"
#include "py_tensor.h"
#include "py_tree.h"
#include "py_watch.h"
#include "py_watch_buffer.h"

static PyObject *live(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyLong_FromSize_t(adi_py_memory_live());
}

static PyObject *is_opened(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyBool_FromLong(adi_py_device_is_opened());
}

static PyMethodDef functions[] = {
    {"from_arrow", ADI_PY_FAST(adi_py_from_arrow), NULL},
    {"read_some", adi_py_read_some, METH_VARARGS, NULL},
    {"from_dlpack", ADI_PY_FAST(adi_py_from_dlpack), NULL},
    {"from_cuda_array_interface", ADI_PY_FAST(adi_py_from_cuda_array_interface), NULL},
    {"as_cuda_array", ADI_PY_FAST(adi_py_as_cuda_array), NULL},
    {"devices", adi_py_devices, METH_NOARGS, NULL},
    {"absent", adi_py_devices_absent, METH_NOARGS, NULL},
    {"schema", adi_py_schema, METH_VARARGS, NULL},
    {"take_schema", adi_py_schema_take, METH_O, NULL},
    {"copy_schema", adi_py_schema_of, METH_O, NULL},
    {"array", adi_py_tree_array, METH_VARARGS, NULL},
    {"copy", adi_py_tree_copy, METH_VARARGS, NULL},
    {"tree", adi_py_tree_of, METH_O, NULL},
    {"tensor", adi_py_tensor, METH_VARARGS, NULL},
    {"stream", adi_py_stream, METH_VARARGS, NULL},
    {"judge", adi_py_judge, METH_VARARGS, NULL},
    {"rule", adi_py_judge_rule, METH_VARARGS, NULL},
    {"look", adi_py_look, METH_VARARGS, NULL},
    {"tell", adi_py_tell, METH_VARARGS, NULL},
    {"exchange_given", adi_py_exchange_given, METH_O, NULL},
    {"exchange_calls", adi_py_exchange_calls, METH_NOARGS, NULL},
    {"delete_behind_end", adi_py_delete_behind_end, METH_VARARGS, NULL},
    {"at_hand", adi_py_judge_at_hand, METH_O, NULL},
    {"rules", adi_py_judge_rules, METH_NOARGS, NULL},
    {"cause", adi_py_judge_cause, METH_O, NULL},
    {"weighs", adi_py_judge_weighs, METH_NOARGS, NULL},
    {"scenarios", adi_py_judge_scenarios, METH_NOARGS, NULL},
    {"order_consumer", adi_py_order_consumer, METH_VARARGS, NULL},
    {"touches", adi_py_order_touches, METH_VARARGS, NULL},
    {"order_producer", adi_py_order_producer, METH_VARARGS, NULL},
    {"finish", adi_py_order_finish, METH_O, NULL},
    {"disguise", adi_py_disguise, METH_VARARGS, NULL},
    {"fleeting", adi_py_fleeting, METH_O, NULL},
    {"fleeting_used", adi_py_fleeting_used, METH_O, NULL},
    {"holds_schema", adi_py_holds_schema, METH_O, NULL},
    {"exporter", adi_py_exporter, METH_VARARGS, NULL},
    {"array_struct", adi_py_exporter_struct, METH_VARARGS, NULL},
    {"buffer_of", adi_py_exporter_buffer_of, METH_O, NULL},
    {"watch_arrow", (PyCFunction)(void (*)(void))adi_py_watch_arrow, METH_FASTCALL, NULL},
    {"watch_stream", adi_py_watch_stream, METH_VARARGS, NULL},
    {"has_buffer", adi_py_watch_has_buffer, METH_O, NULL},
    {"lent", adi_py_watch_lent, METH_O, NULL},
    {"watch_tensor", adi_py_watch_tensor, METH_O, NULL},
    {"watch_end", adi_py_watch_end, METH_O, NULL},
    {"is_opened", is_opened, METH_NOARGS, NULL},
    {"live", live, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "adicheck._core",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && adi_py_owner_begin() == 0 && adi_py_schema_begin(module) == 0 &&
        adi_py_array_begin(module) == 0 && adi_py_stream_begin(module) == 0 &&
        adi_py_given_begin(module) == 0 && adi_py_exporter_begin(module) == 0 &&
        adi_py_watch_buffer_begin(module) == 0 && adi_py_judge_mistake_begin(module) == 0 &&
        PyModule_AddStringConstant(module, "version", ADI_VERSION) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
