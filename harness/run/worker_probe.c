/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "../devices/devices.h"
#include "nearest.h"
#include "play.h"
#include "worker_internal.h"

#define LAST_TYPE 64 /* an adapter is asked for devices of types up to this */

const struct adi_device_ops *adi_worker_ops(struct adi_adapter *adapter, ArrowDeviceType type,
                                            bool from_adapter) {
    if (!from_adapter) return adi_device_of(type);
    return adapter->device != NULL ? adapter->device(adapter, type) : NULL;
}

static bool is_left_alone(const struct adi_job *job, ArrowDeviceType type) {
    for (size_t i = 0; i < job->n_numbers; i++)
        if (job->numbers[i] == (size_t)type) return true;
    return false;
}

/* A role whose slot is NULL cannot be called: the adapter's mistake, and nobody's violation. */
static void refuse_empty_slots(const struct adi_adapter *adapter, unsigned roles,
                               struct adi_log *log) {
    const struct {
        unsigned role;
        bool is_filled;
        const char *name, *slot;
    } slots[] = {
        {ADI_PRODUCES, adapter->produce != NULL, "ADI_PRODUCES", "produce"},
        {ADI_CONSUMES, adapter->consume != NULL, "ADI_CONSUMES", "consume"},
        {ADI_RELAYS, adapter->relay != NULL, "ADI_RELAYS", "relay"},
        {ADI_PRODUCES_STREAM, adapter->produce_stream != NULL, "ADI_PRODUCES_STREAM",
         "produce_stream"},
        {ADI_CONSUMES_STREAM, adapter->consume_stream != NULL, "ADI_CONSUMES_STREAM",
         "consume_stream"},
        {ADI_RELAYS_STREAM, adapter->relay_stream != NULL, "ADI_RELAYS_STREAM", "relay_stream"},
        {ADI_CONSUMES_ASYNC,
         adapter->consume_async != NULL && adapter->consume_async_finish != NULL,
         "ADI_CONSUMES_ASYNC", "consume_async"},
        {ADI_PRODUCES_ASYNC, adapter->produce_async != NULL, "ADI_PRODUCES_ASYNC", "produce_async"},
        {ADI_PRODUCES_DLPACK, adapter->produce_dlpack != NULL, "ADI_PRODUCES_DLPACK",
         "produce_dlpack"},
        {ADI_CONSUMES_DLPACK, adapter->consume_dlpack != NULL, "ADI_CONSUMES_DLPACK",
         "consume_dlpack"},
    };
    char text[160];
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if ((roles & slots[i].role) == 0 || slots[i].is_filled) continue;
        snprintf(
            text, sizeof text,
            "its roles() gives %s, and its slot `%s` is NULL: fill it in, or leave the role out",
            slots[i].name, slots[i].slot);
        adi_worker_say(log, ADI_SAYS_REFUSAL, 0, 0, text, NULL, NULL);
    }
}

static void say_roles(struct adi_adapter *adapter, const struct adi_device_ops *ops, int64_t id,
                      const struct adi_device_probe *probe, bool own, struct adi_log *log) {
    adi_worker_say(log, ADI_SAYS_DEVICE, ops->type, id, ops->name, probe->runtime,
                   own ? "adapter" : "");
    unsigned roles = adi_call_roles(adapter, ops->type, id);
    refuse_empty_slots(adapter, roles, log);
    unsigned unobservable = ADI_DEVICE_HAS(ops, unobservable) ? ops->unobservable(id) : 0;
    adi_worker_say(log, ADI_SAYS_ROLES, roles, unobservable, probe->lacks.text, probe->why.text,
                   NULL);
}

/* Returns whether there is a device of the type. */
static bool probe_type(struct adi_adapter *adapter, const struct adi_device_ops *ops, bool own,
                       struct adi_log *log) {
    struct adi_device_probe probe = {0};
    adi_worker_say(log, ADI_SAYS_PROBING, ops->type, own, ops->name, NULL, NULL);
    ops->probe(&probe);
    adi_worker_say(log, ADI_SAYS_PROBING, -1, 0, NULL, NULL, NULL);
    int count = probe.count < ADI_DEVICE_IDS ? probe.count : ADI_DEVICE_IDS;
    for (int i = 0; i < count; i++) say_roles(adapter, ops, probe.ids[i], &probe, own, log);
    if (count <= 0)
        adi_worker_say(log, ADI_SAYS_ABSENT, ops->type, 0, ops->name, probe.runtime,
                       probe.why.text);
    return count > 0;
}

void adi_worker_probe(struct adi_adapter *adapter, const struct adi_job *job, struct adi_log *log) {
    bool is_there[LAST_TYPE + 1] = {0};
    adi_worker_say(log, ADI_SAYS_NAME, 0, 0, adapter->name, adapter->release_name, NULL);
    const struct adi_device_ops *ops;
    for (size_t i = 0; (ops = adi_device_at(i)) != NULL; i++) {
        bool asked =
            adi_glob_may_match_type(job->device, ops->name) && !is_left_alone(job, ops->type);
        if (asked && probe_type(adapter, ops, false, log) && ops->type <= LAST_TYPE)
            is_there[ops->type] = true;
    }
    for (ArrowDeviceType type = 1; adapter->device != NULL && type <= LAST_TYPE; type++) {
        if (is_there[type] || is_left_alone(job, type)) continue;
        ops = adapter->device(adapter, type);
        if (ops == NULL || !adi_glob_may_match_type(job->device, ops->name)) continue;
        if (ops->type == type) probe_type(adapter, ops, true, log);
    }
}
