/* SPDX-License-Identifier: Apache-2.0 */
#include "py_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter_load.h"
#include "case.h"
#include "group.h"
#include "known.h"
#include "play.h"
#include "py_error.h"
#include "run.h"
#include "run_spawn.h"

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

PyObject *adi_py_judge_rule(PyObject *module, PyObject *arguments) {
    const char *id;
    int strict;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sp", &id, &strict)) return NULL;
    const struct adi_rule *rule = adi_rule_named(id);
    if (rule == NULL) return PyErr_Format(PyExc_ValueError, "%s is no rule", id);
    return Py_BuildValue("(ssssss)", adi_level_name(rule->level), adi_party_name(rule->party),
                         rule->document, rule->section, rule->mend,
                         adi_verdict_name(adi_verdict_of_violation(rule, strict != 0)));
}

PyObject *adi_py_judge_rules(PyObject *module, PyObject *unused) {
    PyObject *list = PyList_New(0);
    const struct adi_rule *rule;
    (void)module;
    (void)unused;
    for (size_t i = 0; list != NULL && (rule = adi_rule(i)) != NULL; i++) {
        PyObject *row = Py_BuildValue("(ss)", rule->id, adi_party_name(rule->party));
        if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyObject *adi_py_judge_cause(PyObject *module, PyObject *message) {
    struct adi_result row = {.verdict = ADI_FAIL};
    const char *words = PyUnicode_AsUTF8AndSize(message, NULL);
    (void)module;
    if (words == NULL) return NULL;
    adi_result_set(&row.message, "%s", words);
    char *cause = adi_group_message(&row);
    PyObject *text = cause == NULL ? PyErr_NoMemory() : PyUnicode_FromString(cause);
    free(cause);
    adi_result_free(&row);
    return text;
}

PyObject *adi_py_judge_scenarios(PyObject *module, PyObject *unused) {
    PyObject *by_name = PyDict_New();
    const struct adi_case *a_case;
    (void)module;
    (void)unused;
    adi_case_list_own(true);
    for (size_t i = 0; by_name != NULL && (a_case = adi_case(i)) != NULL; i++) {
        PyObject *rule = PyUnicode_FromString(a_case->scenario->rule);
        if (rule == NULL || PyDict_SetItemString(by_name, a_case->scenario->name, rule) != 0)
            Py_CLEAR(by_name);
        Py_XDECREF(rule);
    }
    adi_case_list_own(false);
    return by_name;
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

static PyObject *broken_off; /* the exception of a signal's handler: Ctrl-C; NULL: none */

static void look_for_signals(void) {
    PyObject *type = NULL, *trace = NULL;
    PyGILState_STATE state = PyGILState_Ensure();
    if (broken_off == NULL && PyErr_CheckSignals() != 0) {
        PyErr_Fetch(&type, &broken_off, &trace);
        PyErr_NormalizeException(&type, &broken_off, &trace);
        Py_XDECREF(type);
        Py_XDECREF(trace);
        adi_run_interrupt();
    }
    PyGILState_Release(state);
}

static int run(const struct adi_run_options *options, bool in_workers, struct adi_report *report,
               struct adi_error *error) {
    int code;
    adi_adapter_stand_in(adi_py_judge_adapter());
    adi_spawn_by(in_workers ? fork_python : NULL);
    adi_call_collect_by(adi_py_judge_collect);
    adi_run_interrupt_no_more();
    Py_BEGIN_ALLOW_THREADS;
    code = adi_run(NULL, options, report, error);
    Py_END_ALLOW_THREADS;
    adi_spawn_by(NULL);
    adi_call_collect_by(NULL);
    adi_adapter_stand_in(NULL);
    return code;
}

static int apply_known(const char *path, struct adi_report *report,
                       const struct adi_run_options *options, struct adi_error *error) {
    struct adi_known *known;
    char today[ADI_DATE_SIZE];
    if (path == NULL) return 0;
    adi_case_list_own(true); /* so that rows may name them */
    ADI_TRY(adi_known_read(path, &known, error));
    adi_today(today);
    adi_known_apply(known, report, options, today);
    adi_known_free(known);
    return 0;
}

PyObject *adi_py_judge_rows(struct adi_report *report, const char *known,
                            const struct adi_run_options *options) {
    struct adi_error error = {""};
    int code = apply_known(known, report, options, &error);
    PyObject *rows = code == 0 ? rows_of(report) : NULL;
    adi_report_free(report);
    if (code != 0) adi_py_raise(code, PyExc_OSError, &error);
    return rows;
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
    const bool is_mistaken = adi_py_judge_was_mistaken();
    if (broken_off != NULL) {
        adi_report_free(report);
        PyErr_SetObject((PyObject *)Py_TYPE(broken_off), broken_off);
        Py_CLEAR(broken_off);
        return NULL;
    }
    if (is_mistaken) {
        adi_report_free(report);
        return NULL;
    }
    if (code == 0) return adi_py_judge_rows(report, known, options);
    adi_report_free(report);
    if (subject->raised == NULL) return adi_py_raise(code, PyExc_OSError, &error);
    PyErr_SetObject((PyObject *)Py_TYPE(subject->raised), subject->raised);
    return NULL;
}

/* Findings, and what the last exception was; see _play.py. */
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
    int is_consumer, strict, in_workers, has_stream_only;
    unsigned protocol;
    (void)module;
    if (subject->callable != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "one thing is judged at a time");
        return NULL;
    }
    *subject = (struct adi_py_subject){.keeps_capsules = false};
    if (!PyArg_ParseTuple(arguments, "OOpIzzpzzpssIp", &subject->callable, &subject->wrap,
                          &is_consumer, &protocol, &options.device, &options.profile, &strict,
                          &known, &options.case_name, &in_workers, &name, &release,
                          &subject->era.minor, &has_stream_only)) {
        subject->callable = NULL;
        return NULL;
    }
    subject->is_consumer = is_consumer != 0;
    subject->era.has_stream_only = has_stream_only != 0;
    subject->is_within = !in_workers;
    subject->protocol = protocol;
    options.strict = strict != 0;
    options.within = !in_workers;
    options.hint = adi_py_judge_hint;
    options.beside = look_for_signals;
    options.jobs = 1;
    options.own = !is_consumer;
    if (!is_consumer) options.case_name = "own/*";
    adi_case_list_own(!is_consumer);
    PyObject *result = judge_subject(&options, in_workers != 0, known, name, release);
    adi_case_list_own(false);
    adi_py_own_end();
    subject->callable = NULL;
    return result;
}
