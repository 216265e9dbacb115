/* SPDX-License-Identifier: Apache-2.0 */
#include "run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../devices/devices.h"
#include "case.h"
#include "device_types.h"

#define RUN(member)    offsetof(struct adi_cmd_run_options, run.member)
#define REPORT(format) offsetof(struct adi_cmd_run_options, paths[format])
#define DEVICE_NAME    48

/* What a judgement takes, whatever is played. */
#define WORKERS                                                                                    \
    {"device", "GLOB", "only these devices: cpu, 'opencl:*'", adi_take_text, RUN(device)},         \
        {"jobs", "N",                                                                              \
         "workers at once (as many as there are processors to use, more for what waits)",          \
         adi_take_jobs, RUN(jobs)},                                                                \
        {"seed", "S", "of what is made up (1)", adi_take_seed, RUN(seed)},                         \
        {"timeout", "SEC", "seconds a step of a case may take (10)", adi_take_seconds,             \
         RUN(timeout)},                                                                            \
        {"memory", "MB", "resident memory a worker may take (2048)", adi_take_memory,              \
         RUN(memory_mb)},                                                                          \
        {"strict", NULL, "warnings and notes count too", adi_take_flag, RUN(strict)},              \
        {"known", "FILE", "known deviations", adi_take_text,                                       \
         offsetof(struct adi_cmd_run_options, known)},                                             \
    {                                                                                              \
        "require", "LIST", "devices that must be there: cpu,opencl", adi_take_text, RUN(require)   \
    }
#define REPORTS                                                                                    \
    {"json", "FILE", "the record (- is standard output)", adi_take_text, REPORT(ADI_FORMAT_JSON)}, \
        {"junit", "FILE", "JUnit", adi_take_text, REPORT(ADI_FORMAT_JUNIT)},                       \
        {"tap", "FILE", "TAP", adi_take_text, REPORT(ADI_FORMAT_TAP)},                             \
        {"sarif", "FILE", "SARIF", adi_take_text, REPORT(ADI_FORMAT_SARIF)},                       \
        {"source", "FILE", "the adapter's source, for SARIF to point to", adi_take_text,           \
         offsetof(struct adi_cmd_run_options, source)},                                            \
    {                                                                                              \
        "html", "FILE", "a page", adi_take_text, REPORT(ADI_FORMAT_HTML)                           \
    }

const struct adi_option adi_run_table[] = {
    {"rule", "GLOB", "only these rules: 'life/*'", adi_take_text, RUN(rule)},
    {"case", "GLOB", "only these cases: 'int32/*/export'", adi_take_text, RUN(case_name)},
    WORKERS,
    {"time-limit", "SEC", "seconds the run may take; what is left then is skip", adi_take_seconds,
     RUN(time_limit)},
    {"profile", "NAME", "cpu: what a library without devices needs, in seconds", adi_take_text,
     RUN(profile)},
    {"schedule", "TEXT", "of asynchronous streams: one schedule, or all", adi_take_text,
     RUN(schedule)},
    {"robustness", NULL, "malformed input as well", adi_take_flag, RUN(robustness)},
    {"rules", "VERSION", "only rules of this version of the rule set (" ADI_RULES_VERSION ")",
     adi_take_text, RUN(rules)},
    {"in-process", NULL, "one case in this process, for a debugger", adi_take_flag,
     RUN(in_process)},
    REPORTS,
    {0},
};

const struct adi_option adi_fuzz_table[] = {
    {"time", "SEC", "seconds to make programs up for, shared among adapters and devices (60)",
     adi_take_seconds, RUN(fuzz)},
    WORKERS,
    REPORTS,
    {0},
};

void adi_cmd_run_options_init(struct adi_cmd_run_options *wanted) {
    *wanted = (struct adi_cmd_run_options){.run = {.seed = 1,
                                                   .timeout = 10,
                                                   .memory_mb = 2048,
                                                   .rules = ADI_RULES_VERSION,
                                                   .progress = isatty(STDERR_FILENO) == 1}};
}

static int check_glob(const struct adi_command *command, const char *option, const char *glob,
                      adi_name_at *names, const char *what) {
    if (glob == NULL || adi_glob_matches_any(glob, names)) return 0;
    return adi_unknown(command, glob, names, "--%s '%s' matches no %s", option, glob, what);
}

/* Is there a type that the glob could mean? With an id it must be one that somebody can bring;
 * whether there is such an id shows when the devices are looked for (run.c). */
static int check_device(const struct adi_command *command, const char *glob, bool adapters) {
    bool has_id = glob != NULL && strchr(glob, ':') != NULL;
    const struct adi_device_type *type;
    for (size_t i = 0; (type = adi_device_type_at(i)) != NULL; i++)
        if (adi_glob_may_match_type(glob, type->name) &&
            (!has_id || adapters || adi_device_of(type->type) != NULL))
            return 0;
    return check_glob(command, "device", glob, adi_device_type_name_at, "device");
}

static int check_require(const struct adi_command *command, const char *list) {
    for (const char *at = list, *comma; at != NULL; at = comma == NULL ? NULL : comma + 1) {
        comma = strchr(at, ',');
        char name[DEVICE_NAME] = "", type[DEVICE_NAME];
        size_t length = strcspn(at, ",");
        if (length < sizeof name) memcpy(name, at, length);
        memcpy(type, name, sizeof type);
        type[strcspn(type, ":")] = '\0';
        if (adi_device_type_named(type) == NULL)
            return adi_unknown(command, name, adi_device_type_name_at,
                               "--require: no device type is named '%.*s'", (int)length, at);
    }
    return 0;
}

static int check_rules(const struct adi_command *command, const char *version) {
    int major, minor, ours_major, ours_minor;
    char behind;
    int read = sscanf(version, "%4d.%4d%c", &major, &minor, &behind);
    sscanf(ADI_RULES_VERSION, "%d.%d", &ours_major, &ours_minor);
    if (read != 2 || major < 1 || minor < 0)
        return adi_usage(command, "--rules '%s': wanted a version such as %s", version,
                         ADI_RULES_VERSION);
    if (major < ours_major || (major == ours_major && minor <= ours_minor)) return 0;
    return adi_usage(command, "--rules %s: this build has the rules up to %s", version,
                     ADI_RULES_VERSION);
}

static const char *profile_at(size_t index) {
    return index == 0 ? "cpu" : NULL;
}

static int check_profile(const struct adi_command *command, const struct adi_run_options *run) {
    if (run->profile == NULL) return 0;
    if (strcmp(run->profile, profile_at(0)) != 0)
        return adi_unknown(command, run->profile, profile_at, "--profile '%s' is none",
                           run->profile);
    if (run->device == NULL || strcmp(run->device, "cpu") == 0) return 0;
    return adi_usage(command, "--profile cpu is for the CPU; leave out --device %s", run->device);
}

/* Some case must be left to play, and one only where a debugger waits. */
static int check_cases(const struct adi_command *command, const struct adi_run_options *run) {
    const struct adi_case *a_case;
    size_t matching = 0, played = 0;
    for (size_t i = 0; (a_case = adi_case(i)) != NULL; i++) {
        if (!adi_glob_matches(run->case_name, a_case->name)) continue;
        matching++;
        played += run->robustness || !a_case->scenario->robustness;
    }
    if (matching > 0 && played == 0)
        return adi_usage(command,
                         "--case '%s' matches cases of malformed input only; add "
                         "--robustness to play them",
                         run->case_name);
    if (run->in_process && (run->case_name == NULL || played != 1))
        return adi_usage(command,
                         "--in-process plays one case, and --case chooses %zu; "
                         "`adicheck list cases` lists them",
                         played);
    return 0;
}

int adi_cmd_run_options_check(const struct adi_command *command,
                              const struct adi_cmd_run_options *wanted, bool adapters) {
    const struct adi_run_options *run = &wanted->run;
    ADI_TRY(check_profile(command, run));
    ADI_TRY(check_device(command, run->device, adapters));
    ADI_TRY(check_glob(command, "rule", run->rule, adi_rule_id_at, "rule"));
    ADI_TRY(check_glob(command, "case", run->case_name, adi_case_name_at, "case"));
    ADI_TRY(check_cases(command, run));
    ADI_TRY(check_rules(command, run->rules));
    return check_require(command, run->require);
}
