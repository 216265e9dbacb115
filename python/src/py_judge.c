/* SPDX-License-Identifier: Apache-2.0 */
#include "py_judge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter_load.h"
#include "case.h"
#include "device_types.h"
#include "devices.h"
#include "import.h"
#include "known.h"
#include "move.h"
#include "play.h"
#include "py_device.h"
#include "py_error.h"
#include "run.h"
#include "run_spawn.h"
#include "sample_own.h"

static struct adi_py_subject *const subject = &adi_py_subject;

/* ---- rows ---- */

static PyObject *text_of(const char *text) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* As the command tells it. */
static PyObject *whole_text(const struct adi_result *row) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return PyErr_NoMemory();
    adi_report_text_result(row, out);
    PyObject *made = fclose(out) == 0 ? text_of(text) : PyErr_NoMemory();
    free(text);
    return made;
}

static PyObject *steps_of(const struct adi_result *row) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < row->n_steps; i++) {
        PyObject *step = text_of(row->steps[i]);
        if (step == NULL || PyList_Append(list, step) != 0) Py_CLEAR(list);
        Py_XDECREF(step);
    }
    PyObject *tuple = list == NULL ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

/* (rule, party, verdict, device, case, message, seen, wanted, mend, text, steps) */
static PyObject *row_of(const struct adi_result *row) {
    return Py_BuildValue("(sssNNNNNNNN)", adi_result_rule(row), adi_result_party(row),
                         adi_verdict_name(row->verdict), text_of(row->device),
                         text_of(row->case_name), text_of(row->message), text_of(row->seen),
                         text_of(row->wanted), text_of(adi_result_mend(row)), whole_text(row),
                         steps_of(row));
}

static PyObject *rows_of(const struct adi_report *report) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < report->n_results; i++) {
        PyObject *row = row_of(&report->results[i]);
        if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyObject *adi_py_judge_rule(PyObject *module, PyObject *id) {
    const char *text = PyUnicode_Check(id) ? PyUnicode_AsUTF8AndSize(id, NULL) : NULL;
    const struct adi_rule *rule = text == NULL ? NULL : adi_rule_named(text);
    (void)module;
    if (PyErr_Occurred() != NULL) return NULL;
    if (rule == NULL) Py_RETURN_NONE;
    return Py_BuildValue("(sssssss)", adi_level_name(rule->level), adi_basis_name(rule->basis),
                         adi_party_name(rule->party), rule->document, rule->section,
                         rule->statement, rule->mend);
}

/* ---- the sample of a producer: what it exports itself ---- */

struct own {
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowDeviceArray exported;
    bool is_read; /* else it stands for what cannot be read: the case of the export alone tells why */
};

static int stand_for(struct own *own, struct adi_error *error) {
    return adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named("many"), 1,
                      &own->schema, &own->array, error);
}

/* What is not sound is not looked at any further. */
static int read_own(struct own *own, struct ArrowSchema *schema, struct ArrowDeviceArray *exported,
                    struct adi_error *error) {
    struct adi_error why = {""};
    int code = 0;
    if (exported->device_type <= 0) return EINVAL;
    struct adi_device *device = adi_py_device_of(exported, error);
    if (device == NULL) return ENODEV;
    subject->type = device->ops->type;
    subject->id = device->id;
    if (!adi_play_is_sound(schema, exported, device, &why)) return EINVAL;
    ADI_PY_WITH(device, code = adi_copy_to_host(device, schema, exported, &own->array, &why));
    if (code != 0) return EINVAL;
    adi_schema_move(schema, &own->schema);
    return 0;
}

/* -1 with an exception. */
static int make_own(struct own *own) {
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowDeviceArray exported = {.array.release = NULL};
    struct adi_error error = {""};
    int code;
    memset(own, 0, sizeof *own);
    subject->type = adi_device_at(0)->type;
    PyObject *object = PyObject_CallNoArgs(subject->callable);
    if (object == NULL) return -1;
    if (subject->protocol == ADI_PY_DLPACK)
        code = adi_py_own_tensor(object, &schema, &exported);
    else
        code = adi_py_ask_array(object, &schema, &exported);
    Py_DECREF(object);
    if (code == 0) {
        code = read_own(own, &schema, &exported, &error);
    } else if (PyErr_ExceptionMatches(PyExc_ValueError) ||
               PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        code = EINVAL;
    } else {
        return -1;
    }
    own->is_read = code == 0;
    adi_device_array_release(&exported);
    adi_schema_release(&schema);
    if (code == EINVAL) code = stand_for(own, &error);
    if (code == 0) return 0;
    adi_py_raise(code, PyExc_NotImplementedError, &error);
    return -1;
}

static void free_own(struct own *own) {
    adi_schema_release(&own->schema);
    adi_array_release(&own->array);
}

/* ---- running ---- */

/* The GIL is not held while the harness works. */
static pid_t fork_python(void) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyOS_BeforeFork();
    pid_t child = fork();
    if (child == 0)
        PyOS_AfterFork_Child();
    else
        PyOS_AfterFork_Parent();
    PyGILState_Release(state);
    return child;
}

static int run(const struct adi_run_options *options, bool in_workers, struct adi_report *report,
               struct adi_error *error) {
    int code;
    adi_adapter_stand_in(adi_py_judge_adapter());
    adi_spawn_by(in_workers ? fork_python : NULL);
    Py_BEGIN_ALLOW_THREADS;
    code = adi_run(NULL, options, report, error);
    Py_END_ALLOW_THREADS;
    adi_spawn_by(NULL);
    adi_adapter_stand_in(NULL);
    return code;
}

static int apply_known(const char *path, struct adi_report *report,
                       const struct adi_run_options *options, struct adi_error *error) {
    struct adi_known *known;
    char today[ADI_DATE_SIZE];
    if (path == NULL) return 0;
    ADI_TRY(adi_known_read(path, &known, error));
    adi_today(today);
    adi_known_apply(known, report, options, today);
    adi_known_free(known);
    return 0;
}

static PyObject *judge(const struct adi_run_options *options, bool in_workers, const char *known,
                       const char *name, const char *release) {
    struct adi_error error = {""};
    struct adi_report *report = adi_report_new();
    if (report == NULL) return PyErr_NoMemory();
    struct adi_adapter *adapter = adi_py_judge_adapter();
    adapter->name = name;
    adapter->release_name = release;
    int code = run(options, in_workers, report, &error);
    if (code == 0) code = apply_known(known, report, options, &error);
    PyObject *rows = code == 0 ? rows_of(report) : NULL;
    adi_report_free(report);
    if (code != 0) adi_py_raise(code, PyExc_OSError, &error);
    return rows;
}

/* Findings, and what the last exception was; see _judge.py. */
static PyObject *judge_subject(const struct adi_run_options *options, bool in_workers,
                               const char *known, const char *name, const char *release) {
    PyObject *rows = judge(options, in_workers, known, name, release);
    PyObject *raised = subject->raised == NULL ? Py_None : subject->raised;
    PyObject *both = rows == NULL ? NULL : PyTuple_Pack(2, rows, raised);
    Py_XDECREF(rows);
    Py_CLEAR(subject->raised);
    return both;
}

PyObject *adi_py_judge(PyObject *module, PyObject *arguments) {
    struct adi_run_options options = {.seed = 1, .timeout = 10, .rules = ADI_RULES_VERSION};
    const char *known = NULL, *name, *release;
    int is_consumer, strict, in_workers;
    unsigned protocol;
    struct own own = {.is_read = true};
    (void)module;
    if (subject->callable != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "one thing is judged at a time");
        return NULL;
    }
    *subject = (struct adi_py_subject){.keeps_capsules = false};
    if (!PyArg_ParseTuple(arguments, "OOpIzzpzzpss", &subject->callable, &subject->wrap,
                          &is_consumer, &protocol, &options.device, &options.profile, &strict,
                          &known, &options.case_name, &in_workers, &name, &release)) {
        subject->callable = NULL;
        return NULL;
    }
    subject->is_consumer = is_consumer != 0;
    subject->protocol = protocol;
    options.strict = strict != 0;
    options.within = !in_workers;
    options.jobs = 1;
    PyObject *result = NULL;
    if (is_consumer || make_own(&own) == 0) {
        if (!is_consumer) {
            adi_sample_own_set(adi_py_cpu(), &own.schema, &own.array);
            adi_case_list_own();
            options.case_name = own.is_read ? "own/*" : "own/own/@(export|dlpack)";
        }
        result = judge_subject(&options, in_workers != 0, known, name, release);
    }
    adi_sample_own_set(NULL, NULL, NULL);
    adi_case_list_own();
    free_own(&own);
    Py_CLEAR(subject->raised);
    subject->callable = NULL;
    return result;
}
