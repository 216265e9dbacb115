/* SPDX-License-Identifier: Apache-2.0
 *
 * What a violation says, in the log or on standard error, and to whoever listens.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"

#define TEXT 1024 /* of a violation; a line of the log has twice as much */

enum level {
    ERROR,
    NOTE,
};

static const struct {
    const char *name;
    enum level level;
    const char *statement, *mend;
} violations[] = {
#define VIOLATION(id, name, level, statement, mend) [SIM_##id] = {name, level, statement, mend},
#include "violations.def"
#undef VIOLATION
};

static const char *const level_names[] = {[ERROR] = "error", [NOTE] = "note"};

static void say_violation(enum sim_violation violation, const char *text, bool is_quiet) {
    sim_log("\"violation\":\"%s\",\"level\":\"%s\",\"call\":%" PRIu64
            ",\"in\":\"%s\",\"phase\":\"%s\",\"text\":\"%s\",\"means\":\"%s\",\"mend\":\"%s\"",
            violations[violation].name, level_names[violations[violation].level], sim.site.call,
            sim.site.name, sim.phase, text, violations[violation].statement,
            violations[violation].mend);
    if (is_quiet) return;
    sim_say("%s: %s\n  in %s (call %" PRIu64 ")%s%s\n  mend: %s\n", violations[violation].name,
            text, sim.site.name, sim.site.call, *sim.phase == '\0' ? "" : ", phase ", sim.phase,
            violations[violation].mend);
}

void sim_violate(enum sim_violation violation, const char *format, ...) {
    char text[TEXT];
    va_list arguments;
    int before = errno;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool is_error = violations[violation].level == ERROR;
    bool is_quiet = !is_error || (sim_is_watched() && sim.site.party != 0);
    if (is_error) sim.errors++;
    struct sim_about about = sim.about;
    if (!about.set) about.party = sim.site.party;
    sim.about = (struct sim_about){0};
    if (!sim_merge(violations[violation].name, text, is_quiet))
        say_violation(violation, text, is_quiet);
    sim_tell(&(struct adi_sim_report){violations[violation].name, text, sim.site.name, sim.phase,
                                      is_error, about.is_event, about.is_open, sim.site.party,
                                      about.party, violations[violation].mend});
    errno = before;
}

bool sim_violation_named(const char *name, enum sim_violation *out) {
    for (size_t i = 0; i < sizeof violations / sizeof *violations; i++)
        if (strcmp(violations[i].name, name) == 0) {
            *out = (enum sim_violation)i;
            return true;
        }
    return false;
}
