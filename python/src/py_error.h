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

#endif /* ADI_PY_ERROR_H */
