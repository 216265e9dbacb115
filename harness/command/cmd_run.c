/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck run and adicheck fuzz: the options are checked, the reports opened, the adapters judged
 * in turn, the reports written. Whatever happens in between, what was found out is written.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter_load.h"
#include "cmd_environment.h"
#include "cmd_output.h"
#include "cmd_signals.h"
#include "known.h"
#include "last.h"
#include "log.h"
#include "run.h"
#include "run_need.h"
#include "run_options.h"

#define FUZZ_SECONDS 60

static const struct {
    const char *option;
    int (*write)(struct adi_report *const *reports, size_t n, FILE *out);
} formats[ADI_FORMATS] = {
    [ADI_FORMAT_JSON] = {"json", adi_report_json}, [ADI_FORMAT_JUNIT] = {"junit", adi_report_junit},
    [ADI_FORMAT_TAP] = {"tap", adi_report_tap},    [ADI_FORMAT_SARIF] = {"sarif", adi_report_sarif},
    [ADI_FORMAT_HTML] = {"html", adi_report_html},
};

/* A run in the making. */
struct session {
    const struct adi_command *command;
    struct adi_cmd_run_options wanted;
    struct adi_options options;
    struct adi_known *known; /* NULL: none */
    struct adi_output outputs[ADI_FORMATS];
    int64_t started_ns;
    struct adi_report **reports;
    size_t n_reports;
};

static volatile sig_atomic_t stopped;

static void stop(void) {
    stopped = 1;
    adi_run_interrupt();
}

/* A call that hangs in this process would never come to look at a flag. */
static void stop_here(void) {
    static const char said[] = "adicheck run: interrupted; the case was not played to its end\n";
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
    (void)written;
    _exit(ADI_EXIT_UNDECIDED);
}

static int open_outputs(struct session *session) {
    struct adi_error error;
    for (size_t i = 0; i < ADI_FORMATS; i++) {
        const char *path = session->wanted.paths[i];
        if (path == NULL) continue;
        int code = adi_output_open(&session->outputs[i], path, &error);
        if (code != 0)
            return adi_cmd_refuse(
                code, adi_usage(session->command, "--%s: %s", formats[i].option, error.text));
        for (size_t k = 0; k < i; k++)
            if (adi_output_same(&session->outputs[i], &session->outputs[k]))
                return adi_usage(session->command,
                                 "--%s and --%s both go to %s; give one of them a file of its own",
                                 formats[k].option, formats[i].option, path);
    }
    return 0;
}

static int prepare(struct session *session) {
    struct adi_error error;
    const char *known = session->wanted.known;
    ADI_TRY(adi_cmd_run_options_check(session->command, &session->wanted,
                                      session->options.n_arguments > 0));
    if (session->wanted.run.profile != NULL) session->wanted.run.device = "cpu";
    ADI_TRY(adi_cmd_environment_check(session->command));
    int code = known == NULL ? 0 : adi_known_read(known, &session->known, &error);
    if (code != 0)
        return adi_cmd_refuse(code, adi_usage(session->command, "--known: %s", error.text));
    for (size_t i = 0; i < session->options.n_arguments; i++)
        if ((code = adi_adapter_look(session->options.arguments[i], &error)) != 0)
            return adi_cmd_refuse(code, adi_usage(session->command, "%s", error.text));
    session->reports = adi_need(calloc(session->options.n_arguments + 1, sizeof *session->reports));
    return open_outputs(session);
}

static void say_sim_log(const struct session *session, const struct adi_report *report) {
    if (report->sim_log_error != 0)
        fprintf(stderr, "adicheck %s: ADI_SIM_LOG: %s could not be written to its end: %s\n",
                session->command->name, getenv("ADI_SIM_LOG"), strerror(report->sim_log_error));
}

/* Of the time limit of the run, which is one for all adapters; more than nothing. */
static double time_left(const struct session *session) {
    double gone = (double)(adi_now_ns() - session->started_ns) / 1e9;
    double left = session->wanted.run.time_limit - gone;
    return left > 1e-6 ? left : 1e-6;
}

/* Judges one adapter; after an interruption its report stays empty. 0: there is a report, whatever
 * it says. */
static int judge(struct session *session, const char *adapter) {
    struct adi_run_options left = session->wanted.run, *wanted = &left;
    if (left.time_limit > 0) left.time_limit = time_left(session);
    if (session->options.n_arguments > 1) left.fuzz /= (double)session->options.n_arguments;
    struct adi_error error = {""};
    struct adi_report *report = adi_report_new();
    report->seed = wanted->seed;
    report->rules = wanted->rules;
    report->strict = wanted->strict;
    if (adapter != NULL) adi_result_set(&report->adapter, "%s", adapter);
    if (session->wanted.source != NULL)
        adi_result_set(&report->source, "%s", session->wanted.source);
    int code = stopped ? 0 : adi_run(adapter, wanted, report, &error);
    if (code == EINVAL) {
        adi_report_free(report);
        return adi_usage(session->command, "%s", error.text);
    }
    if (code != 0) {
        struct adi_result *result = adi_report_add(report);
        result->verdict = ADI_ERROR;
        adi_result_set(&result->message, "%s", error.text[0] == '\0' ? strerror(code) : error.text);
    }
    if (stopped) report->interrupted = true;
    say_sim_log(session, report);
    char today[ADI_DATE_SIZE];
    adi_today(today);
    if (session->known != NULL) adi_known_apply(session->known, report, wanted, today);
    session->reports[session->n_reports++] = report;
    return 0;
}

/* The reference alone where no adapter is named. */
static int judge_all(struct session *session) {
    size_t n = session->options.n_arguments;
    if (n == 0) return judge(session, NULL);
    for (size_t i = 0; i < n; i++) ADI_TRY(judge(session, session->options.arguments[i]));
    return 0;
}

static bool wants_colour(FILE *out) {
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (none != NULL && none[0] != '\0') return false;
    if (terminal != NULL && strcmp(terminal, "dumb") == 0) return false;
    return isatty(fileno(out)) == 1;
}

/* What is read: on standard output, unless a report goes there. */
static int write_text(const struct session *session) {
    FILE *text = stdout;
    for (size_t i = 0; i < ADI_FORMATS; i++)
        if (session->outputs[i].file == stdout) text = stderr;
    int code = adi_report_text(session->reports, session->n_reports, text, wants_colour(text));
    if (code == 0 && fflush(text) != 0) code = errno;
    if (code == 0) return 0;
    fprintf(stderr, "adicheck %s: the text could not be written: %s\n", session->command->name,
            strerror(code));
    adi_output_give_up(text);
    return ADI_EXIT_UNDECIDED;
}

/* Writes every report; returns 0, or ADI_EXIT_UNDECIDED if one could not be written. */
static int write_reports(struct session *session) {
    int status = write_text(session);
    for (size_t i = 0; i < ADI_FORMATS; i++) {
        struct adi_output *output = &session->outputs[i];
        struct adi_error error = {""};
        if (output->path == NULL) continue;
        int failed = adi_output_begin(output, &error);
        errno = 0;
        if (failed == 0)
            failed = formats[i].write(session->reports, session->n_reports, output->file);
        if (adi_output_end(output, failed == 0, &error) == 0 && failed == 0) continue;
        fprintf(stderr, "adicheck %s: --%s: %s\n", session->command->name, formats[i].option,
                error.text[0] == '\0' ? strerror(failed) : error.text);
        status = ADI_EXIT_UNDECIDED;
    }
    return status;
}

/* The worst of all: 1, then 2, then 0. */
static int status_of(const struct session *session, int written) {
    int worst = written;
    for (size_t i = 0; i < session->n_reports; i++) {
        int status = adi_report_exit(session->reports[i]);
        if (status == ADI_EXIT_BROKEN) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

static void end(struct session *session) {
    for (size_t i = 0; i < ADI_FORMATS; i++) adi_output_end(&session->outputs[i], false, NULL);
    for (size_t i = 0; i < session->n_reports; i++) adi_report_free(session->reports[i]);
    free(session->reports);
    adi_known_free(session->known);
    adi_options_free(&session->options);
}

static int run(const struct adi_command *command, const struct adi_option *table, double fuzz,
               int argc, const char **argv) {
    struct session session = {.command = command};
    adi_cmd_run_options_init(&session.wanted);
    session.wanted.run.fuzz = fuzz;
    int status = adi_options_read(&session.options, command, table, argc, argv, &session.wanted);
    if (status == 0) status = prepare(&session);
    if (status == 0) {
        if (session.wanted.run.in_process)
            adi_signals_catch_ends(stop_here);
        else
            adi_signals_catch(stop);
        session.started_ns = adi_now_ns();
        status = judge_all(&session);
        int written = session.n_reports == 0 ? 0 : write_reports(&session);
        if (session.n_reports > 0) adi_last_keep(session.reports, session.n_reports);
        if (status == 0) status = status_of(&session, written);
    }
    end(&session);
    return status < 0 ? ADI_EXIT_OK : status;
}

int adi_cmd_run(const struct adi_command *command, int argc, const char **argv) {
    return run(command, adi_run_table, 0, argc, argv);
}

int adi_cmd_fuzz(const struct adi_command *command, int argc, const char **argv) {
    return run(command, adi_fuzz_table, FUZZ_SECONDS, argc, argv);
}
