/* SPDX-License-Identifier: Apache-2.0
 *
 * What was looked at, as rows of a report: a row for each rule of the family, whether it holds or
 * not, so that known deviations are marked as anywhere else.
 */
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "case.h"
#include "py_judge.h"
#include "py_judge_look.h"
#include "py_protocols.h"
#include "run.h"

static const struct family {
    unsigned protocol;
    const char *name;
    int (*look)(PyObject *object, struct adi_py_look *look);
} families[] = {
    {ADI_PY_CUDA_ARRAY_INTERFACE, "cai", adi_py_look_at_cuda},
    {ADI_PY_ARRAY_INTERFACE, "array-interface", adi_py_look_at_array},
    {ADI_PY_BUFFER, "buffer", adi_py_look_at_buffer},
};

struct looking {
    struct adi_py_look look; /* first */
    struct adi_report *report;
    enum adi_party party;
    const char *device;
    bool strict;
    char case_name[64];
};

static struct adi_result *add_row(struct looking *looking, const struct adi_rule *rule,
                                  enum adi_verdict verdict) {
    struct adi_result *row = adi_report_add(looking->report);
    row->rule = rule;
    row->party = looking->party;
    row->verdict = verdict;
    row->confirmed = true;
    adi_result_set(&row->case_name, "%s", looking->case_name);
    adi_result_set(&row->device, "%s", looking->device);
    return row;
}

static bool is_told(const struct looking *looking, const struct adi_rule *rule) {
    const struct adi_report *report = looking->report;
    for (size_t i = 0; i < report->n_results; i++)
        if (report->results[i].rule == rule || (report->results[i].verdict != ADI_PASS &&
                                                adi_rule_implies(report->results[i].rule, rule)))
            return true;
    return false;
}

static void on_seen(struct adi_py_look *look, const char *name, const char *seen,
                    const char *wanted, const char *message) {
    struct looking *looking = (struct looking *)(void *)look;
    const struct adi_rule *rule = adi_rule_named(name);
    if (rule == NULL || is_told(looking, rule)) return;
    struct adi_result *row =
        add_row(looking, rule, adi_verdict_of_violation(rule, looking->strict));
    adi_result_set(&row->message, "%s", message);
    adi_result_set(&row->seen, "%s", seen == NULL ? "" : seen);
    adi_result_set(&row->wanted, "%s", wanted == NULL ? "" : wanted);
}

void adi_py_look_leave(struct adi_py_look *look, const char *names) {
    PyObject *text = PyUnicode_FromString(names);
    if (text == NULL || PyList_Append(look->left, text) != 0) PyErr_Clear();
    Py_XDECREF(text);
}

static bool is_left(const struct looking *looking, const struct adi_rule *rule) {
    PyObject *left = looking->look.left;
    for (Py_ssize_t i = 0; left != NULL && i < PyList_Size(left); i++) {
        const char *names = PyUnicode_AsUTF8AndSize(PyList_GetItem(left, i), NULL);
        if (names != NULL && strncmp(rule->id, names, strlen(names)) == 0) return true;
    }
    return false;
}

/* The rules of the family that bind the party and were not broken. */
static void add_passes(struct looking *looking) {
    size_t length = strlen(looking->look.family);
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (strncmp(rule->id, looking->look.family, length) == 0 && rule->id[length] == '/' &&
            rule->party == looking->party && !is_left(looking, rule) && !is_told(looking, rule))
            add_row(looking, rule, ADI_PASS);
}

static const struct family *family_of(unsigned protocol) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (families[i].protocol == protocol) return &families[i];
    return NULL;
}

static bool see_all(struct looking *looking, PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const char *rule, *message, *seen, *wanted;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ssss", &rule, &message, &seen, &wanted))
            return false;
        on_seen(&looking->look, rule, seen, wanted, message);
    }
    return PyErr_Occurred() == NULL;
}

PyObject *adi_py_look(PyObject *module, PyObject *arguments) {
    struct adi_run_options options = {.rules = ADI_RULES_VERSION};
    struct looking looking = {.look.see = on_seen, .party = ADI_PRODUCER, .device = ""};
    PyObject *object, *seen;
    unsigned protocol;
    int strict;
    const char *known = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OIpzO!O!i", &object, &protocol, &strict, &known, &PyList_Type,
                          &seen, &PyList_Type, &looking.look.left, &looking.look.version))
        return NULL;
    const struct family *family = family_of(protocol);
    if (family == NULL) return PyErr_Format(PyExc_ValueError, "%u is no such protocol", protocol);
    looking.look.family = family->name;
    looking.strict = strict != 0;
    looking.report = adi_report_new();
    if (looking.report == NULL) return PyErr_NoMemory();
    snprintf(looking.case_name, sizeof looking.case_name, "own/own/%s", family->name);
    const bool fails = family->look(object, &looking.look) != 0 || !see_all(&looking, seen);
    if (adi_py_judge_was_mistaken() || fails) {
        adi_report_free(looking.report);
        return NULL;
    }
    add_passes(&looking);
    PyObject *rows = adi_py_judge_rows(looking.report, known, &options);
    adi_case_list_own(false);
    return rows;
}

static bool pass_others(struct looking *looking, PyObject *judged) {
    for (Py_ssize_t i = 0; i < PyList_Size(judged); i++) {
        const char *id = PyUnicode_AsUTF8AndSize(PyList_GetItem(judged, i), NULL);
        const struct adi_rule *rule = id == NULL ? NULL : adi_rule_named(id);
        if (rule != NULL && !is_told(looking, rule)) add_row(looking, rule, ADI_PASS);
    }
    return PyErr_Occurred() == NULL;
}

PyObject *adi_py_tell(PyObject *module, PyObject *arguments) {
    struct adi_run_options options = {.rules = ADI_RULES_VERSION};
    struct looking looking = {.look.see = on_seen, .party = ADI_CONSUMER};
    PyObject *judged, *seen;
    const char *case_name, *known = NULL;
    int strict, is_producer;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "ssOOpzp", &case_name, &looking.device, &judged, &seen,
                          &strict, &known, &is_producer))
        return NULL;
    if (is_producer) looking.party = ADI_PRODUCER;
    looking.strict = strict != 0;
    snprintf(looking.case_name, sizeof looking.case_name, "%s", case_name);
    looking.report = adi_report_new();
    if (looking.report == NULL) return PyErr_NoMemory();
    PyObject *rows = NULL;
    if (see_all(&looking, seen) && pass_others(&looking, judged))
        rows = adi_py_judge_rows(looking.report, known, &options);
    else
        adi_report_free(looking.report);
    adi_case_list_own(false);
    return rows;
}
