/* SPDX-License-Identifier: Apache-2.0
 *
 * Exceptions for the errno values of the library.
 *
 *   EINVAL, EFAULT, EILSEQ   ValueError
 *   ENOMEM                   MemoryError
 *   ENOTSUP                  what the document of the protocol names: BufferError of DLPack (Array
 * API,
 *                            "__dlpack__", "Raises") and of the buffer protocol,
 * NotImplementedError of the CUDA Array Interface (its page says so of masks) and of Arrow all
 * others               OSError, with the errno value
 */
#ifndef ADI_PY_ERROR_H
#define ADI_PY_ERROR_H

#include "error.h"
#include "py.h"

/* Sets the exception for `code`; `unsupported` is the one for ENOTSUP. Returns NULL. */
PyObject *adi_py_raise(int code, PyObject *unsupported, const struct adi_error *error);

/* Destructors of capsules, release callbacks and deleters may be written in Python, which runs no
 * code right where an exception is set. So the statement sees none, and what it leaves is gone: the
 * exception of before is set again. With the GIL. */
#define ADI_PY_ASIDE(...)                                                                          \
    do {                                                                                           \
        PyObject *type_aside_, *value_aside_, *trace_aside_;                                       \
        PyErr_Fetch(&type_aside_, &value_aside_, &trace_aside_);                                   \
        __VA_ARGS__;                                                                               \
        PyErr_Restore(type_aside_, value_aside_, trace_aside_);                                    \
    } while (0)

/* Drops a reference so; NULL: none. */
void adi_py_drop(PyObject *object);

#endif /* ADI_PY_ERROR_H */
