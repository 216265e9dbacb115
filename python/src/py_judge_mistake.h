/* SPDX-License-Identifier: Apache-2.0
 *
 * What an object raises when it is judged, and can be no refusal: it is passed on when the
 * judgement ends, whatever was made of it meanwhile. With the GIL.
 */
#ifndef ADI_PY_JUDGE_MISTAKE_H
#define ADI_PY_JUDGE_MISTAKE_H

#include <stdbool.h>

#include "py.h"

/* Clears the exception, if there is one, that an object has raised when it was asked for what it
 * may refuse; what can be no refusal is kept. */
void adi_py_judge_overlook(void);
/* Keeps it, if it can be no refusal, and nothing is kept yet. */
void adi_py_judge_keep_mistake(PyObject *type, PyObject *error);
/* Was there such a one since the last time? Then it is set. */
bool adi_py_judge_was_mistaken(void);
/* Gives the module MISTAKES, the exceptions that name nothing which could be refused. -1, with an
 * exception, else 0. */
int adi_py_judge_mistake_begin(PyObject *module);

#endif /* ADI_PY_JUDGE_MISTAKE_H */
