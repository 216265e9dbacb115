/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to python/src/py_judge*.c: DLPack's exchange API, as that of a producer under test and as
 * what a consumer under test is given. Rules: harness/rules/exchange.def.
 */
#ifndef ADI_PY_JUDGE_EXCHANGE_H
#define ADI_PY_JUDGE_EXCHANGE_H

#include "case.h"
#include "check_tensor.h"
#include "py_exchange.h"
#include "py_judge.h"

/* ---- a producer's (py_judge_exchange.c); with the GIL ---- */

/* adi_py_ask_tensor by the table of the object's class: the stream of the request is put behind the
 * current work stream, and judged so. -1 with an exception. */
int adi_py_ask_exchange(PyObject *object, const struct adi_dlpack_request *request,
                        struct adi_dlpack *out);
/* Where the object's tensor is. false with an exception. */
bool adi_py_exchange_where(PyObject *object, int32_t out[2]);
/* Was it answered as the header has it? Otherwise it is told; no exception is set where a function
 * has succeeded, and one is where it has not. */
bool adi_py_exchange_answered(const char *function, int code, bool has_result);
/* A tensor that the object gives by the table, looked at; NULL with an exception. Its findings go
 * nowhere: they are told where it is asked for. */
struct DLManagedTensorVersioned *adi_py_exchange_tensor(const DLPackExchangeAPI *api,
                                                        PyObject *object, struct adi_tensor *seen);

/* The attributes, the table and each of its functions; once a case (py_judge_table.c). */
void adi_py_judge_exchange(PyObject *object);

/* ---- a consumer's (py_judge_exchange_given.c) ---- */

/* exchange_given(kind): (capsule, address) of a table whose objects have an attribute `_array`,
 * which is an Array, or `_given`; "plain", "other", "major-2", "chain", "no-dltensor". */
PyObject *adi_py_exchange_given(PyObject *module, PyObject *kind);
/* exchange_calls(): how often each function was called since the last time, as a dict. */
PyObject *adi_py_exchange_calls(PyObject *module, PyObject *unused);

/* A case of the harness's begins, and has been answered by who took what it gave. */
void adi_py_exchange_begin(void);
void adi_py_exchange_taken(int32_t device_type);

#endif /* ADI_PY_JUDGE_EXCHANGE_H */
