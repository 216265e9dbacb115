/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose calls are whose, and who is told of violations.
 */
#include "public.h"

/* Initial-exec: a signal handler reads it. */
static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned party;

static struct {
    void (*on_report)(void *context, const struct adi_sim_report *report);
    void *context;
} subscriber;

unsigned sim_party(void) {
    return party;
}

bool sim_is_foreign(unsigned maker) {
    return maker != 0 && sim.site.party == 0;
}

bool sim_is_watched(void) {
    return subscriber.on_report != NULL;
}

void sim_tell(const struct adi_sim_report *report) {
    if (sim_is_watched()) subscriber.on_report(subscriber.context, report);
}

unsigned sim_set_party(unsigned whose) {
    unsigned before = party;
    if (whose < ADI_SIM_PARTIES) party = whose;
    return before;
}

int sim_listen(void (*on_report)(void *context, const struct adi_sim_report *report),
               void *context) {
    subscriber.on_report = on_report;
    subscriber.context = context;
    return 0;
}
