/* SPDX-License-Identifier: Apache-2.0
 *
 * Python's headers, as every file of the extension has them: the limited API of 3.11, the first one
 * that has the buffer protocol.
 */
#ifndef ADI_PY_H
#define ADI_PY_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000

#include <Python.h>

/* A function of METH_FASTCALL | METH_KEYWORDS in a table of methods. */
#define ADI_PY_FAST(function)                                                                      \
    ((PyCFunction)(void (*)(void))(function)), METH_FASTCALL | METH_KEYWORDS

#endif /* ADI_PY_H */
