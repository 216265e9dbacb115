/* SPDX-License-Identifier: Apache-2.0
 *
 * Protocols for which no case of the harness is played: what an object shows is looked at.
 */
#ifndef ADI_PY_JUDGE_LOOK_H
#define ADI_PY_JUDGE_LOOK_H

#include <stdbool.h>

#include "finding.h"
#include "py.h"
#include "py_judge_mistake.h"

/* What is found goes here. */
struct adi_py_look {
    const char *family; /* of the rules: "cai" */
    void (*see)(struct adi_py_look *look, const char *rule, const char *seen, const char *wanted,
                const char *message);
    int version;    /* the newest one of the CUDA Array Interface whose duties count */
    PyObject *left; /* names of rules that were not looked at: a list */
};

struct adi_cuda_array;
/* `__array_struct__`, if there is one, beside what the dictionary says (NULL: there is none), whose
 * pointer is known or not. Leaves what it cannot look at. */
void adi_py_look_at_struct(PyObject *object, struct adi_py_look *look,
                           const struct adi_cuda_array *said, bool has_pointer);

/* The tensor that `__dlpack__` of the object gives beside what its dictionary says (NULL: that is
 * none), if there is one. Leaves the rule otherwise. */
void adi_py_look_at_twin(PyObject *object, struct adi_py_look *look,
                         const struct adi_cuda_array *said);

/* Nothing is known of these rules, whose names begin so. */
void adi_py_look_leave(struct adi_py_look *look, const char *names);

/* Each looks at one protocol of the object. -1 with an exception: it could not be looked at. */
int adi_py_look_at_cuda(PyObject *object, struct adi_py_look *look);
int adi_py_look_at_array(PyObject *object, struct adi_py_look *look);
int adi_py_look_at_buffer(PyObject *object, struct adi_py_look *look);

/* look(object, protocol, strict, known, seen, left, version): rows, as judge() gives them; protocol
 * is a bit. `seen` is what was seen elsewhere, (rule, message, seen, wanted) each, and `left` a
 * list of what could not be looked at, names of rules, or the beginning of names. `version` is the
 * newest of the CUDA Array Interface whose duties count. */
PyObject *adi_py_look(PyObject *module, PyObject *arguments);

/* CAI2-11, CAI2-15: None and no strides are C order; a mask is heeded, or the array refused. */
/* tell(case, device, judged, seen, strict, known, is_producer): rows of a consumer, or a producer:
 * `judged` are ids of rules, `seen` tuples (rule, message, seen, wanted). */
PyObject *adi_py_tell(PyObject *module, PyObject *arguments);

#endif /* ADI_PY_JUDGE_LOOK_H */
