/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking an object for its capsules, as a consumer does. What is wrong with them is told, and what
 * is in them taken if that can be done at all.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "move.h"
#include "play.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_exchange.h"
#include "py_judge_leaks.h"

static struct adi_py_subject *const subject = &adi_py_subject;

#define SCHEMA_METHOD "__arrow_c_schema__"

void adi_py_judge_see(const char *rule, enum adi_party party, const char *seen, const char *wanted,
                      const char *format, ...) {
    struct adi_error text;
    struct adi_sink *sink = adi_case_sink();
    va_list arguments;
    if (sink == NULL) return;
    va_start(arguments, format);
    vsnprintf(text.text, sizeof text.text, format, arguments);
    va_end(arguments);
    adi_report(sink, rule, party, seen, wanted, "%s", text.text);
}

struct adi_error adi_py_judge_repr(PyObject *object) {
    struct adi_error text;
    PyObject *repr = PyObject_Repr(object);
    const char *words = repr == NULL ? NULL : PyUnicode_AsUTF8AndSize(repr, NULL);
    adi_py_judge_overlook();
    adi_error_set(&text, 0, "%.80s", words == NULL ? "an object without a repr()" : words);
    Py_XDECREF(repr);
    return text;
}

const char *adi_py_method(unsigned protocol) {
    return protocol == ADI_PY_ARROW_ARRAY           ? "__arrow_c_array__"
           : protocol == ADI_PY_ARROW_DEVICE_ARRAY  ? "__arrow_c_device_array__"
           : protocol == ADI_PY_ARROW_STREAM        ? "__arrow_c_stream__"
           : protocol == ADI_PY_ARROW_DEVICE_STREAM ? "__arrow_c_device_stream__"
                                                    : "__dlpack__";
}

/* ---- a capsule of Arrow's ---- */

static bool is_arrow_name(const char *name) {
    return name != NULL && strncmp(name, "arrow_", 6) == 0;
}

/* PC-002, PC-008, PC-010, PC-014, PC-015, PC-016: each structure has its name. */
/* What is within, whatever it is named, unless it is named as something else of Arrow's. */
static void *look_within(PyObject *capsule, const char *method, const char *name) {
    /* PC-001: structures come in capsules. */
    if (!PyCapsule_CheckExact(capsule)) {
        adi_py_judge_see("pycapsule/not-a-capsule", ADI_PRODUCER, NULL, "a capsule",
                         "%s gave no capsule where \"%s\" belongs", method, name);
        PyErr_Format(PyExc_TypeError, "%s gave %R, and not a capsule", method, capsule);
        return NULL;
    }
    const char *seen = PyCapsule_GetName(capsule);
    adi_py_judge_overlook();
    if (seen == NULL || strcmp(seen, name) != 0)
        adi_py_judge_see("pycapsule/name-differs", ADI_PRODUCER, seen == NULL ? "NULL" : seen, name,
                         "%s gave a capsule named \"%s\" where \"%s\" belongs", method,
                         seen == NULL ? "" : seen, name);
    if ((seen == NULL || strcmp(seen, name) != 0) && is_arrow_name(seen)) {
        PyErr_Format(PyExc_ValueError, "%s gave \"%s\" where \"%s\" belongs", method, seen, name);
        return NULL;
    }
    /* PC-030: a capsule has a destructor. */
    if (PyCapsule_GetDestructor(capsule) == NULL)
        adi_py_judge_see("pycapsule/destructor-missing", ADI_PRODUCER, "NULL", "a destructor",
                         "the capsule \"%s\" has no destructor", name);
    adi_py_judge_overlook();
    return PyCapsule_GetPointer(capsule, seen);
}

void *adi_py_ask_within(PyObject *capsule, const char *name) {
    return look_within(capsule, adi_py_method(subject->protocol), name);
}

/* PC-007: what is handed out can be consumed, which it can be once. */
bool adi_py_ask_is_live(bool is_live, const char *name) {
    if (is_live) return true;
    adi_py_judge_see(
        "pycapsule/consumed-handed-out", ADI_PRODUCER, "release is NULL",
        "a release callback, in a new structure for each call",
        "release is NULL in the structure of \"%s\": it was consumed before, or release "
        "was never set; the two look alike",
        name);
    PyErr_Format(PyExc_ValueError, "release of \"%s\" is NULL: consumed before, or never set",
                 name);
    return false;
}

struct pair {
    PyObject *both;
    struct ArrowSchema *schema;
    struct ArrowArray *array;           /* the base structure, also of a device array */
    struct ArrowDeviceArray *in_device; /* NULL: it is not in one */
};

/* PC-013: a pair, the schema first. */
static bool look_at_pair(PyObject *both, struct pair *out) {
    bool is_device = subject->protocol == ADI_PY_ARROW_DEVICE_ARRAY;
    const char *name = is_device ? "arrow_device_array" : "arrow_array";
    *out = (struct pair){.both = both};
    if (!PyTuple_Check(both) || PyTuple_Size(both) != 2) {
        adi_py_judge_see("pycapsule/not-a-pair", ADI_PRODUCER, NULL, "a tuple of two capsules",
                         "%s gave no pair of capsules", adi_py_method(subject->protocol));
        PyErr_Format(PyExc_TypeError, "%s gave %R, and not a pair of capsules",
                     adi_py_method(subject->protocol), both);
        return false;
    }
    out->schema = adi_py_ask_within(PyTuple_GetItem(both, 0), "arrow_schema");
    if (out->schema == NULL) return false;
    void *array = adi_py_ask_within(PyTuple_GetItem(both, 1), name);
    if (array == NULL) return false;
    out->array = array; /* the first member of a device array */
    out->in_device = is_device ? array : NULL;
    return adi_py_ask_is_live(out->schema->release != NULL, "arrow_schema") &&
           adi_py_ask_is_live(out->array->release != NULL, name);
}

/* PC-031: the destructor looks whether there is anything to release. */
void adi_py_ask_drop(PyObject *consumed) {
    struct adi_sink *sink = adi_case_sink();
    if (sink == NULL) {
        adi_py_drop(subject->capsules);
        subject->capsules = consumed;
        return;
    }
    adi_play_crash_rule(adi_trial_of(sink), "pycapsule/consumed-released");
    adi_py_drop(consumed);
    adi_play_crash_rule(adi_trial_of(sink), NULL);
}

int adi_py_ask_array(PyObject *object, struct ArrowSchema *schema, struct ArrowDeviceArray *array) {
    struct pair pair;
    PyObject *both = PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
    subject->is_refused = both == NULL;
    if (both == NULL) return -1;
    if (!look_at_pair(both, &pair)) {
        adi_py_drop(both);
        return -1;
    }
    if (pair.in_device != NULL)
        adi_device_array_move(pair.in_device, array);
    else /* PC-025, PC-026: memory that the CPU can read, or the rules of buffers are broken */
        *array = adi_device_array_of_cpu(pair.array);
    pair.array->release = NULL;
    adi_schema_move(pair.schema, schema);
    adi_py_ask_drop(both);
    return 0;
}

/* ---- what nobody consumes ---- */

static struct {
    void (*schema)(struct ArrowSchema *);
    void (*array)(struct ArrowArray *);
    int schemas, arrays; /* calls */
} counted;

static void count_schema(struct ArrowSchema *schema) {
    counted.schemas++;
    schema->release = counted.schema;
    counted.schema(schema);
}

static void count_array(struct ArrowArray *array) {
    counted.arrays++;
    array->release = counted.array;
    counted.array(array);
}

/* Does somebody else hold a capsule of the pair? It does not go when the pair does. */
static bool is_shared(PyObject *both) {
    return Py_REFCNT(both) > 1 || Py_REFCNT(PyTuple_GetItem(both, 0)) > 1 ||
           Py_REFCNT(PyTuple_GetItem(both, 1)) > 1;
}

static PyObject *ask_by(PyObject *object, const void *unused) {
    (void)unused;
    return PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
}

static PyObject *ask_schema(PyObject *object, const void *unused) {
    (void)unused;
    return PyObject_CallMethod(object, SCHEMA_METHOD, NULL);
}

/* PC-004, PC-031: the destructor releases what nobody took. */
static void judge_dropped(PyObject *object) {
    struct pair pair;
    PyObject *both = PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
    if (both == NULL || !look_at_pair(both, &pair) || is_shared(both)) {
        adi_py_judge_overlook(); /* it is told where the object is asked again */
        Py_XDECREF(both);
        return;
    }
    counted.schemas = counted.arrays = 0;
    counted.schema = pair.schema->release;
    counted.array = pair.array->release;
    pair.schema->release = count_schema;
    pair.array->release = count_array;
    bool has_destructors = PyCapsule_GetDestructor(PyTuple_GetItem(both, 0)) != NULL &&
                           PyCapsule_GetDestructor(PyTuple_GetItem(both, 1)) != NULL;
    adi_py_judge_overlook();
    if (!has_destructors) { /* that has been told */
        pair.schema->release(pair.schema);
        pair.array->release(pair.array);
    }
    Py_DECREF(both);
    const char *kept = counted.schemas == 0 ? "schema" : counted.arrays == 0 ? "array" : NULL;
    if (kept != NULL && (!has_destructors || adi_py_dropped_grow(object, ask_by, NULL)))
        adi_py_judge_see("pycapsule/unconsumed-kept", ADI_PRODUCER, "release was not called",
                         "one call", "a capsule that nobody consumed keeps its %s", kept);
}

/* PC-001, PC-004, PC-008, PC-030: the type alone comes in a capsule, too, where there is such a
 * method. What it raises, and of what it is the type, is not judged (docs/ambiguities.md, 91). */
static void judge_schema(PyObject *object) {
    PyObject *method = PyObject_GetAttrString(object, SCHEMA_METHOD);
    PyObject *capsule = method == NULL ? NULL : PyObject_CallNoArgs(method);
    Py_XDECREF(method);
    adi_py_judge_overlook();
    if (capsule == NULL) return;
    struct ArrowSchema *schema = look_within(capsule, SCHEMA_METHOD, "arrow_schema");
    adi_py_judge_overlook();
    if (schema == NULL || schema->release == NULL || Py_REFCNT(capsule) > 1) {
        Py_DECREF(capsule);
        return;
    }
    counted.schemas = 0;
    counted.schema = schema->release;
    schema->release = count_schema;
    bool has_destructor = PyCapsule_GetDestructor(capsule) != NULL;
    adi_py_judge_overlook();
    if (!has_destructor) schema->release(schema); /* that has been told */
    Py_DECREF(capsule);
    if (counted.schemas == 0 && (!has_destructor || adi_py_dropped_grow(object, ask_schema, NULL)))
        adi_py_judge_see("pycapsule/unconsumed-kept", ADI_PRODUCER, "release was not called",
                         "one call",
                         "a capsule of " SCHEMA_METHOD " that nobody consumed keeps its schema");
}

/* Calls the method with a keyword that nobody knows. */
static PyObject *ask_with(PyObject *object, PyObject *value) {
    PyObject *method = PyObject_GetAttrString(object, adi_py_method(subject->protocol));
    PyObject *nothing = PyTuple_New(0);
    PyObject *keywords = Py_BuildValue("{sO}", "adicheck_unknown", value);
    PyObject *given = method == NULL || nothing == NULL || keywords == NULL
                          ? NULL
                          : PyObject_Call(method, nothing, keywords);
    Py_XDECREF(method);
    Py_XDECREF(nothing);
    Py_XDECREF(keywords);
    return given;
}

PyObject *adi_py_ask_another(PyObject *object) {
    if ((subject->protocol & ADI_PY_ARROW_STREAMS) == 0) return Py_NewRef(object);
    return PyObject_CallNoArgs(subject->callable);
}

/* PC-012, PC-028, PC-029: keywords of later versions of the protocol are None, or refused. */
static void judge_keywords(PyObject *object, PyObject *other) {
    PyObject *given = ask_with(object, Py_None);
    bool takes_none = given != NULL;
    Py_XDECREF(given);
    adi_py_judge_overlook();
    if (!takes_none) {
        adi_py_judge_see("pycapsule/keyword-refused", ADI_PRODUCER, "an exception", "as without it",
                         "%s does not take an unknown keyword that is None",
                         adi_py_method(subject->protocol));
        return;
    }
    PyObject *one = PyLong_FromLong(1);
    given = one == NULL ? NULL : ask_with(other, one);
    bool refuses = given == NULL && PyErr_ExceptionMatches(PyExc_NotImplementedError);
    if (!refuses)
        adi_py_judge_see("pycapsule/keyword-ignored", ADI_PRODUCER,
                         given != NULL ? "capsules" : "another exception", "NotImplementedError",
                         "%s was called with an unknown keyword that is 1",
                         adi_py_method(subject->protocol));
    adi_py_judge_overlook();
    Py_XDECREF(given);
    Py_XDECREF(one);
}

void adi_py_ask_with_keywords(PyObject *object) {
    PyObject *first = adi_py_ask_another(object);
    PyObject *second = first == NULL ? NULL : adi_py_ask_another(object);
    if (second != NULL)
        judge_keywords(first, second);
    else
        adi_py_judge_overlook();
    Py_XDECREF(first);
    Py_XDECREF(second);
}

static void judge_array(PyObject *object) {
    judge_dropped(object);
    if (subject->protocol == ADI_PY_ARROW_DEVICE_ARRAY) adi_py_ask_with_keywords(object);
}

/* In one case, and there once. */
PyObject *adi_py_judge_unconsumed(PyObject *object) {
    const struct adi_scenario *now = adi_case_scenario();
    bool is_tensor = adi_py_is_tensor(subject->protocol);
    bool is_stream = (subject->protocol & ADI_PY_ARROW_STREAMS) != 0;
    const char *once = is_tensor ? "dlpack" : is_stream ? "stream" : "export";
    if (now == NULL || strcmp(now->name, once) != 0) return object;
    if (!is_tensor) judge_schema(object);
    (subject->protocol == ADI_PY_EXCHANGE ? adi_py_judge_exchange
     : is_tensor                          ? adi_py_judge_tensor
     : is_stream                          ? adi_py_judge_stream
                                          : judge_array)(object);
    adi_py_judge_left(object);
    if (is_tensor) adi_py_judge_overlaid();
    PyObject *unasked = adi_py_judge_was_mistaken() ? NULL : adi_py_ask_another(object);
    Py_DECREF(object);
    return unasked;
}
