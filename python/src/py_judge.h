/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to python/src/py_judge*.c: a callable of Python's as an implementation that the harness
 * judges. An adapter that lives in this process calls it: `make()` gives an object, which is asked
 * by one protocol, and `use(object)` takes one. The rules are the library's; what only Python sees
 * (names and destructors of capsules, keywords) is reported to the sink of the case that is played.
 */
#ifndef ADI_PY_JUDGE_H
#define ADI_PY_JUDGE_H

#include <stdbool.h>

#include "adapter.h"
#include "dlpack.h"
#include "finding.h"
#include "py.h"
#include "py_judge_mistake.h"
#include "py_memory.h"
#include "py_protocols.h"

/* Protocols of streams, beside those of py_protocols.h. */
#define ADI_PY_ARROW_STREAM        (1U << 16)
#define ADI_PY_ARROW_DEVICE_STREAM (1U << 17)
#define ADI_PY_ARROW_STREAMS       (ADI_PY_ARROW_STREAM | ADI_PY_ARROW_DEVICE_STREAM)
/* The documents that an implementation was written by. */
struct adi_py_era {
    uint32_t minor;       /* of DLPack 1: no later one is asked for */
    bool has_stream_only; /* of the arguments of __dlpack__ */
};

/* What is judged at present. */
struct adi_py_subject {
    struct adi_py_era era;
    PyObject *callable; /* make, or use; borrowed */
    PyObject *wrap;     /* of `use`: makes an object of what is given; borrowed */
    bool is_consumer;
    unsigned protocol;    /* the one bit of enum adi_py_protocol */
    ArrowDeviceType type; /* where the objects of `make` are */
    int64_t id;
    struct adi_error error; /* why the last call failed */
    PyObject *raised;       /* the last exception that came out of it; NULL: none did */
    bool is_first_kept;     /* what comes behind it is not what went wrong */
    PyObject *capsules;     /* that the sample came in: dropped at the end, since what that does
                               wrong is to be seen in a case; NULL: none */
    bool is_read;           /* what `make` exports is sound, and the sample */
    bool is_refused;        /* it was the object itself that raised when it was asked last */
    bool is_within;         /* cases are played in this process */
    bool keeps_capsules;    /* a consumed one may not be dropped: its destructor is wrong */
};
extern struct adi_py_subject adi_py_subject;

/* Are its exports tensors? */
static inline bool adi_py_is_tensor(unsigned protocol) {
    return protocol == ADI_PY_DLPACK || protocol == ADI_PY_EXCHANGE;
}

/* The adapter; static. */
struct adi_adapter *adi_py_judge_adapter(void);
/* Drops what is in cycles, also where whoever judges has disabled that. With the GIL. */
void adi_py_collect_cycles(void);
/* Drops what the last exception holds, and what is in cycles; the same at the end; and what is in
 * cycles, if more is held than before: -1, as it is not known how much of that is Python's. Without
 * the GIL (py_judge_collect.c). */
void adi_py_judge_collect(void);
void adi_py_judge_close(struct adi_adapter *adapter);
int64_t adi_py_judge_before_weighing(struct adi_adapter *adapter);
/* Takes the exception that is set: its text is the subject's error. The errno value for it. */
int adi_py_judge_failed(void);

/* ---- the sample of a producer: what it exports itself (py_judge_own.c) ---- */

/* Asks for it, in whatever process the cases are played in. With the GIL; -1 with an exception. */
int adi_py_own_begin(void);
void adi_py_own_end(void);

/* ---- asking (py_judge_ask.c); with the GIL; an exception is set where they fail ---- */

/* The name of the method of a protocol. */
const char *adi_py_method(unsigned protocol);
/* Asks the object for an array by the subject's protocol, and judges the answer. What comes out is
 * the caller's. -1. */
int adi_py_ask_array(PyObject *object, struct ArrowSchema *schema, struct ArrowDeviceArray *array);
/* The same of a stream; one of the host is wrapped. -1. */
int adi_py_ask_stream(PyObject *object, struct ArrowDeviceArrayStream *out);
/* The same of a tensor. -1. */
int adi_py_ask_tensor(PyObject *object, const struct adi_dlpack_request *request,
                      struct adi_dlpack *out);
/* The same as arrays on the host, as many as `bound` has, and where they were, if that is known
 * (else NULL). What comes before a failure is all of it; a failure of get_schema is -1 as well. -1.
 */
struct adi_py_stream_failure;
struct adi_py_stream_bound;
int adi_py_own_stream(PyObject *object, struct ArrowSchema *schema, struct ArrowArray *arrays,
                      size_t *n_arrays, struct adi_device **device,
                      struct adi_py_stream_bound *bound, struct adi_py_stream_failure *failure);
/* A copy of it on the host, to be the sample, which the caller deletes; and where it is, if that is
 * known before it fails. -1. */
int adi_py_own_tensor(PyObject *object, struct adi_dlpack *host, struct adi_device **device);
/* What a capsule of this name holds, once what is wrong with it has been told; NULL with an
 * exception: nothing. */
void *adi_py_ask_within(PyObject *capsule, const char *name);
/* Can it still be consumed? Else that is told, and there is an exception. */
bool adi_py_ask_is_live(bool is_live, const char *name);
/* Gives up what was consumed, whose destructor is not to release it again; steals the reference. */
void adi_py_ask_drop(PyObject *consumed);
/* An object to be asked once more: the same, or where it gives streams, which can be had once, a
 * new one (docs/ambiguities.md, 102). */
PyObject *adi_py_ask_another(PyObject *object);
/* Judges what keywords come to that nobody knows. */
void adi_py_ask_with_keywords(PyObject *object);
/* Is a capsule given up as the documents want it, consumed or not, and what do keywords come to?
 * Asks once more, in one case. The object that is to export, in place of `object`, whose reference
 * is stolen; NULL with an exception of its that is no refusal. */
PyObject *adi_py_judge_unconsumed(PyObject *object);
void adi_py_judge_tensor(PyObject *object); /* the same of tensors */
void adi_py_judge_stream(PyObject *object); /* and of streams */

/* Is the name of a capsule compiled in? */
void adi_py_judge_capsule_name(PyObject *capsule, enum adi_party party);

/* Reports to the case that is played, if there is one. */
void adi_py_judge_see(const char *rule, enum adi_party party, const char *seen, const char *wanted,
                      const char *format, ...) ADI_PRINTF(5, 6);

/* ---- giving (py_judge_given.c) ---- */

/* A new object that gives what it was made of; moves from the structures; `tensor` stays the
 * caller's. */
PyObject *adi_py_given_array(struct ArrowSchema *schema, struct ArrowDeviceArray *in);
PyObject *adi_py_given_stream(struct ArrowDeviceArrayStream *in);
PyObject *adi_py_given_tensor(struct adi_dlpack_array *tensor);
/* Asks for a tensor. -1 with an exception. */
int adi_py_given_ask(PyObject *given, const struct adi_dlpack_request *request,
                     struct adi_dlpack *out);
/* The type of an array that is given, a Schema of its own; NULL: it is not known. */
PyObject *adi_py_given_type(PyObject *given);
/* The call was answered: is that seen of its capsules? */
void adi_py_given_taken(PyObject *given);
/* The call is over: what was not taken is released, and nothing is given any more. */
void adi_py_given_end(PyObject *given);
int adi_py_given_begin(PyObject *module);

/* What `use` returned, whose reference is stolen, as an array or a stream, of the type that it was
 * given if it is a representation of the same data. None: there is none that could be compared.
 * NULL with an exception. */
PyObject *adi_py_judge_as_given(PyObject *given, PyObject *result, bool is_stream);

/* The same as memory of an Arrow array; NULL with an exception. */
struct adi_py_memory *adi_py_judge_result(PyObject *result);

/* Or as a stream of arrays of the host. An errno value. */
int adi_py_judge_result_stream(PyObject *result, struct ArrowArrayStream *out,
                               struct adi_error *error);

/* ---- Python's side (py_judge.c) ---- */

/* judge(callable, wrap, is_consumer, protocol, options): a tuple of rows; see _play.py. */
PyObject *adi_py_judge(PyObject *module, PyObject *arguments);
/* rule(id, strict): (level, party, document, section, mend, verdict of a violation). */
PyObject *adi_py_judge_rule(PyObject *module, PyObject *arguments);

/* The rows of a report, with the known deviations of `known` (NULL: none) marked; the report is
 * freed. */
struct adi_report;
struct adi_run_options;
PyObject *adi_py_judge_rows(struct adi_report *report, const char *known,
                            const struct adi_run_options *options);

/* What can be done where what is judged ends this process. */
extern const char adi_py_judge_hint[];

/* at_hand(text): what ends this process from now on says on standard error which case was judged,
 * and where that is none of the harness's, this text, "CASE on DEVICE: RULE: PARTY"; None: no
 * longer. */
PyObject *adi_py_judge_at_hand(PyObject *module, PyObject *text);

/* delete_behind_end(capsule, descriptor): takes the tensor, ends the interpreter, writes "1", calls
 * the deleter, writes "2", and ends the process. */
PyObject *adi_py_delete_behind_end(PyObject *module, PyObject *arguments);

/* rules(): a list of (id, party). */
PyObject *adi_py_judge_rules(PyObject *module, PyObject *unused);

/* What it says of itself, for `seen`; one expression long. No exception may be set. */
struct adi_error adi_py_judge_repr(PyObject *object);

/* cause(message): without what varies from case to case, as the report gathers rows. */
PyObject *adi_py_judge_cause(PyObject *module, PyObject *message);

/* scenarios(): by the last part of a case's name, the rule that the case is there for. */
PyObject *adi_py_judge_scenarios(PyObject *module, PyObject *unused);

#endif /* ADI_PY_JUDGE_H */
