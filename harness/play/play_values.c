/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose is it, and what, where values are wrong? What is wrong with those that are not there yet is
 * that they are not there yet. Where `produce` has to import what it was given before it exports,
 * what the implementation misreads where it only imports, it has misread here as well.
 */
#include <string.h>

#include "check.h"
#include "device_types.h"
#include "devices.h"
#include "grace_period.h"
#include "helper.h"
#include "play.h"
#include "trace.h"

#define DATA_LATE_MS 50 /* how late data may be; on a busy machine more */

bool adi_play_is_late(struct adi_device *device, const struct ArrowDeviceArray *array,
                      bool (*has_come)(void *context), void *context, bool *is_starved) {
    /* Somebody has to write it. */
    bool may_be = array->sync_event == NULL &&
                  (!adi_device_type_is_cpu(device->ops->type) || adi_other_threads() > 0);
    struct adi_grace_period grace = adi_grace_period(DATA_LATE_MS);
    while (may_be && adi_grace_period_sleep(&grace))
        if (has_come(context)) return true;
    *is_starved = grace.is_starved;
    return false;
}

/* DV-040: without an event the data can be read at once. */
void adi_play_report_late(struct adi_sink *sink, const char *first) {
    adi_trace_late("the buffers");
    adi_report(sink, "sync/data-not-ready", ADI_PRODUCER, NULL, "the data at once",
               "no event was given, and the data came later: %s", first);
}

/* ---- the rules over an export ---- */

/* A sink in front of another, which hears what holds as it is. */
struct filter {
    struct adi_sink sink; /* first */
    struct adi_sink *out;
};

static void pass_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_sink *out = ((struct filter *)(void *)sink)->out;
    if (out->satisfied != NULL) out->satisfied(out, rule);
}

struct check {
    struct filter filter; /* first */
    const struct ArrowSchema *schema;
    const struct ArrowDeviceArray *array;
    struct adi_device *device;
    bool late;       /* that has been said */
    bool is_starved; /* it is not known whether it is: nothing is said of its values */
    bool sound;      /* afterwards */
    size_t wrong;    /* rules that its values break */
};

static void count(struct adi_sink *sink, const struct adi_found *finding) {
    ((struct check *)(void *)sink)->wrong += adi_play_is_of_values(finding->rule);
}

static bool has_come(void *check_at) {
    struct check *check = check_at, again = {.filter.sink.violated = count};
    check->sound = adi_check_array(check->schema, check->array, check->device, &again.filter.sink);
    return again.wrong == 0;
}

static void tell(struct adi_sink *sink, const struct adi_found *finding) {
    struct check *check = (struct check *)(void *)sink;
    const bool of_values = adi_play_is_of_values(finding->rule);
    if (of_values && !check->late && check->wrong == 0 &&
        adi_play_is_late(check->device, check->array, has_come, check, &check->is_starved)) {
        check->late = true;
        adi_play_report_late(check->filter.out, finding->message);
    }
    check->wrong += of_values;
    if (!of_values || !(check->late || check->is_starved))
        check->filter.out->violated(check->filter.out, finding);
}

bool adi_play_check_ready(struct adi_sink *sink, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array, struct adi_device *device,
                          bool *is_starved) {
    struct check check = {.filter = {{.violated = tell, .satisfied = pass_satisfied}, sink},
                          .schema = schema,
                          .array = array,
                          .device = device};
    bool sound = adi_check_array(schema, array, device, &check.filter.sink);
    *is_starved = check.is_starved;
    return check.late ? check.sound : sound;
}

/* ---- what the implementation reads where it only imports ---- */

struct control {
    struct adi_test test;
    const struct adi_rule *rule; /* that the export breaks */
};

/* A host copy is an export, too: where it breaks the same rule, that says nothing of the import. */
static void count_misread(struct adi_sink *sink, const struct adi_found *finding) {
    struct control *control = (struct control *)(void *)adi_trial_of(sink);
    control->test.n_findings +=
        strcmp(finding->rule->id, "array/misread") == 0 && finding->copied != control->rule;
}

static bool consumes_on_cpu(struct adi_adapter *adapter) {
    return (adi_call_roles(adapter, adi_device_cpu.type, -1) & ADI_CONSUMES) &&
           adapter->consume != NULL;
}

bool adi_play_misreads(const struct adi_test *test, const struct adi_rule *rule) {
    struct adi_device cpu;
    if (adi_role_imports(test->now->scenario->role) || !consumes_on_cpu(test->adapter) ||
        adi_device_cpu.open(-1, &cpu, NULL) != 0)
        return false;
    struct control control = {.test = *test, .rule = rule};
    control.test.device = &cpu;
    control.test.muted = true;
    control.test.n_findings = 0;
    control.test.sink = (struct adi_sink){.violated = count_misread};
    adi_play_consume(&control.test);
    adi_device_cpu.close(&cpu);
    return control.test.n_findings > 0;
}

/* ---- whom it is charged to ---- */

struct charging {
    struct filter filter; /* first */
    struct adi_test *test;
    const struct adi_exported *exported;
    bool misread; /* that has been said */
};

static void charge(struct adi_sink *sink, const struct adi_found *finding) {
    struct charging *charging = (struct charging *)(void *)sink;
    struct adi_sink *out = charging->filter.out;
    bool misread = adi_play_is_of_values(finding->rule) &&
                   (charging->misread || adi_play_misreads(charging->test, finding->rule));
    struct adi_found told = *finding;
    const struct adi_exported *exported = charging->exported;
    const struct adi_text_of text = {exported->schema, exported->array, exported->wanted_schema,
                                     exported->wanted};
    bool explained = adi_play_explains_text(&text, charging->test->device, &told);
    if (!misread && explained)
        adi_report(out, "array/data-differs", ADI_PRODUCER, told.seen, told.wanted, "%s",
                   told.message);
    else if (!misread)
        out->violated(out, finding);
    else if (!charging->misread)
        adi_play_report_misread(out, &told);
    charging->misread = charging->misread || misread;
}

bool adi_play_check_array(struct adi_test *test, const struct adi_exported *out) {
    struct charging charging = {
        {{.violated = charge, .satisfied = pass_satisfied}, &test->sink}, test, out, false};
    bool is_starved, sound = adi_play_check_ready(&charging.filter.sink, out->schema, out->array,
                                                  test->device, &is_starved);
    if (is_starved) adi_play_starved(test);
    return sound;
}

struct explaining {
    struct filter filter; /* first */
    const struct adi_text_of *text;
    struct adi_device *device;
    const struct adi_rule **before;
};

static void explain(struct adi_sink *sink, const struct adi_found *finding) {
    struct explaining *explaining = (struct explaining *)(void *)sink;
    struct adi_found told = *finding;
    *explaining->before = finding->rule;
    if (adi_play_explains_text(explaining->text, explaining->device, &told))
        told.rule = adi_rule_named("array/data-differs");
    explaining->filter.out->violated(explaining->filter.out, &told);
    *explaining->before = NULL;
}

bool adi_play_check_text(struct adi_sink *sink, const struct adi_text_of *text,
                         struct adi_device *device, const struct adi_rule **before,
                         bool *is_starved) {
    struct explaining explaining = {
        {{.violated = explain, .satisfied = pass_satisfied}, sink}, text, device, before};
    return adi_play_check_ready(&explaining.filter.sink, text->schema, text->array, device,
                                is_starved);
}

void adi_play_report_misread(struct adi_sink *sink, const struct adi_found *finding) {
    adi_report(sink, "array/misread", ADI_CONSUMER, finding->seen, finding->wanted,
               "%s: `consume` on the CPU misreads the sample as well, so that `produce` has "
               "imported it wrongly",
               finding->message);
}
