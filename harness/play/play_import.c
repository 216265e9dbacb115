/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose is it, where `produce` has to import what it was given before it exports? An adapter that
 * says when it imports is believed; and what the implementation misreads where it only imports, it
 * has misread here as well.
 */
#include <string.h>

#include "devices.h"
#include "play.h"

/* ---- what it reads where it only imports ---- */

static void count_misread(struct adi_sink *sink, const struct adi_sight *sight) {
    struct adi_trial *control =
        (struct adi_trial *)(void *)((char *)sink - offsetof(struct adi_trial, sink));
    control->broken += strcmp(sight->rule->id, "array/misread") == 0;
}

static bool consumes_on_cpu(struct adi_adapter *adapter) {
    return (adi_call_roles(adapter, adi_device_cpu.type, -1) & ADI_CONSUMES) &&
           adapter->consume != NULL;
}

bool adi_play_misreads(const struct adi_trial *trial) {
    struct adi_device cpu;
    if (trial->now->scenario->role != ADI_PRODUCES || !consumes_on_cpu(trial->adapter) ||
        adi_device_cpu.open(-1, &cpu, NULL) != 0)
        return false;
    struct adi_trial control = *trial;
    control.device = &cpu;
    control.muted = true;
    control.broken = 0;
    control.sink = (struct adi_sink){.broken = count_misread};
    adi_play_consume(&control);
    adi_device_cpu.close(&cpu);
    return control.broken > 0;
}

/* ---- whom it is charged to ---- */

struct charging {
    struct adi_sink sink; /* first */
    struct adi_trial *trial;
    bool misread; /* that has been said */
};

static void charge(struct adi_sink *sink, const struct adi_sight *sight) {
    struct charging *charging = (struct charging *)(void *)sink;
    struct adi_sink *out = &charging->trial->sink;
    bool misread = adi_play_is_of_values(sight->rule) &&
                   (charging->misread || adi_play_misreads(charging->trial));
    if (!misread)
        out->broken(out, sight);
    else if (!charging->misread)
        adi_play_report_misread(out, sight);
    charging->misread = charging->misread || misread;
}

static void pass_held(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_sink *out = &((struct charging *)(void *)sink)->trial->sink;
    if (out->held != NULL) out->held(out, rule);
}

bool adi_play_check_array(struct adi_trial *trial, const struct adi_exported *out) {
    struct charging charging = {.sink = {.broken = charge, .held = pass_held}, .trial = trial};
    return adi_play_check_ready(&charging.sink, out->schema, out->array, trial->device);
}

void adi_play_report_misread(struct adi_sink *sink, const struct adi_sight *sight) {
    adi_report(sink, "array/misread", ADI_CONSUMER, sight->seen, sight->wanted,
               "%s: `consume` on the CPU misreads the sample as well, so that `produce` has "
               "imported it wrongly",
               sight->message);
}
