/* SPDX-License-Identifier: Apache-2.0
 *
 * Party 1 of the engine is the harness. What it does is nobody's fault; what the implementation
 * does is told it as misuse. What is pending is asked of the order of things.
 */
#include "interceptor.h"
#include "sim_engine.h"

#include <errno.h>
#include <string.h>

#define HARNESS 1

static const struct adi_sim *engine;

struct meaning {
    const char *violation;
    bool unreported;
    enum adi_misuse own, given;
};

static const struct meaning meanings[] = {
#define MISUSE(violation, own, given) {violation, false, ADI_MISUSE_##own, ADI_MISUSE_##given},
#define UNREPORTED(name)              {.violation = name, .unreported = true},
#include "sim_misuse.def"
#undef MISUSE
#undef UNREPORTED
};
static const struct meaning unmapped = {NULL, false, ADI_MISUSE_UNMAPPED, ADI_MISUSE_UNMAPPED};

/* Initial-exec: maybe in a signal handler. */
static _Thread_local __attribute__((tls_model("initial-exec"))) const char *own_mend;

static const char *mend(void) {
    return own_mend;
}

/* Maybe in a signal handler. */
void adi_sim_interceptor_on_report(void *unused, const struct adi_sim_report *report) {
    const struct meaning *means = &unmapped;
    (void)unused;
    if (report->party == HARNESS) return;
    bool given = report->other == HARNESS;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(report->violation, meanings[i].violation) == 0) means = &meanings[i];
    if (means->unreported) return;
    own_mend = report->mend;
    adi_misuse_tell(given ? means->given : means->own, report->is_event && given, "%s: %s",
                    report->call, report->text);
}

static bool enter(bool implementation) {
    return engine->party(implementation ? 0 : HARNESS) != HARNESS;
}

static void subscribe(void (*on_misuse)(void *context, enum adi_misuse misuse, bool is_event,
                                        const char *text),
                      void *context) {
    adi_misuse_subscribe(on_misuse, context);
    engine->listen(on_misuse == NULL ? NULL : adi_sim_interceptor_on_report, NULL);
}

static void pause_queues(bool implementation) {
    engine->hold(implementation ? 0 : HARNESS, true);
}

static void resume_queues(void) {
    for (unsigned party = 0; party < ADI_SIM_PARTIES; party++) engine->hold(party, false);
}

static bool pending(const void *object) {
    return engine->written(object, NULL) == EAGAIN;
}

static bool used(const void *buffer) {
    return engine->used(buffer) == EAGAIN;
}

static size_t references(void) {
    return engine->live(0);
}

static bool newest_held(char out[ADI_INTERCEPTOR_HELD]) {
    return engine->newest(0, out) == 0;
}

static bool covers(const void *event, const void *buffer) {
    return engine->written(buffer, (adi_sim_event)(uintptr_t)event) != EAGAIN;
}

static const void *at(const void *buffer, int64_t offset) {
    return (const char *)buffer + offset;
}

static bool pending_in(const void *buffer, int64_t offset, int64_t bytes) {
    return engine->written_in(at(buffer, offset), (size_t)bytes, NULL) == EAGAIN;
}

static bool covers_in(const void *event, const void *buffer, int64_t offset, int64_t bytes) {
    adi_sim_event behind = (adi_sim_event)(uintptr_t)event;
    return engine->written_in(at(buffer, offset), (size_t)bytes, behind) != EAGAIN;
}

static bool used_in(const void *buffer, int64_t offset, int64_t bytes) {
    return engine->used_in(at(buffer, offset), (size_t)bytes) == EAGAIN;
}

static void phase(const char *name) {
    engine->phase(name);
}

static void on_line(void *unused, unsigned party, const char *line) {
    (void)unused;
    adi_line_pass(party != HARNESS, line);
}

static void trace(void (*on_line_of)(bool implementation, const char *line)) {
    adi_line_subscribe(on_line_of);
    engine->tap(on_line_of == NULL ? NULL : on_line, NULL);
}

static bool name_of(const void *object, char out[48]) {
    return engine->name_of(object, out) == 0;
}

const struct adi_interceptor *adi_sim_interceptor(void) {
    static const struct adi_interceptor interceptor = {
        .size = sizeof interceptor,
        .enter = enter,
        .subscribe = subscribe,
        .pause = pause_queues,
        .resume = resume_queues,
        .pending = pending,
        .used = used,
        .references = references,
        .covers = covers,
        .phase = phase,
        .trace = trace,
        .name_of = name_of,
        .pending_in = pending_in,
        .covers_in = covers_in,
        .used_in = used_in,
        .mend = mend,
        .newest_held = newest_held,
    };
    engine = adi_sim_loaded();
    return engine == NULL ? NULL : &interceptor;
}
