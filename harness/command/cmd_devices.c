/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "cmd_environment.h"
#include "cmd_options.h"
#include "cmd_output.h"
#include "device_types.h"
#include "report_json.h"
#include "run.h"

struct wanted {
    const char *json;
};

static const struct adi_option table[] = {
    {"json", "FILE", "write them as JSON (- is standard output)", adi_take_text,
     offsetof(struct wanted, json)},
    {0},
};

static bool has_type(const struct adi_report *report, ArrowDeviceType type) {
    for (size_t i = 0; i < report->n_devices; i++)
        if (report->devices[i].type == type) return true;
    return false;
}

/* Types without a backend come last. */
static void add_types(struct adi_report *report) {
    const struct adi_device_type *type;
    for (size_t i = 0; (type = adi_device_type_at(i)) != NULL; i++) {
        if (has_type(report, type->type)) continue;
        struct adi_report_device *row = adi_report_add_device(report);
        row->type = type->type;
        snprintf(row->name, sizeof row->name, "%s", type->name);
        snprintf(row->why, sizeof row->why, "no backend in this build");
    }
}

static void write_text(const struct adi_report_device *rows, size_t n, FILE *out) {
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%-16s  %s", rows[i].name, rows[i].available ? "found  " : "none   ");
        if (rows[i].available) adi_clean_put(out, rows[i].runtime);
        adi_clean_between(out, "; ", rows[i].remark, "");
        adi_clean_between(out, rows[i].available ? "; not judged: " : "", rows[i].why, "");
        fputc('\n', out);
    }
}

static int write_json(const struct adi_report_device *rows, size_t n, FILE *out) {
    json_t *list = adi_json_devices(rows, n);
    return adi_json_write(json_pack("{s:s, s:o}", "adicheck", ADI_VERSION, "devices", list), out);
}

static int devices(const struct adi_command *command, const struct adi_options *options,
                   void *wanted_at) {
    const struct wanted *wanted = wanted_at;
    struct adi_output json = {0};
    struct adi_error error = {""};
    if (options->n_arguments > 0)
        return adi_usage(command, "takes no argument; leave out %s", options->arguments[0]);
    ADI_TRY(adi_cmd_environment_check(command));
    if (wanted->json != NULL && adi_output_open(&json, wanted->json, &error) != 0)
        return adi_usage(command, "--json: %s", error.text);
    struct adi_report *report = adi_report_new();
    int failed = adi_run_find_devices(report, &error);
    add_types(report);
    if (json.file != stdout) write_text(report->devices, report->n_devices, stdout);
    if (json.path != NULL && failed == 0) failed = adi_output_begin(&json, &error);
    errno = 0;
    if (json.path != NULL && failed == 0)
        failed = write_json(report->devices, report->n_devices, json.file);
    adi_report_free(report);
    int broken = adi_output_end(&json, failed == 0, &error);
    if (failed == 0 && broken == 0) return ADI_EXIT_OK;
    fprintf(stderr, "adicheck devices: %s\n",
            error.text[0] != '\0' ? error.text : strerror(failed));
    return ADI_EXIT_UNDECIDED;
}

int adi_cmd_devices(const struct adi_command *command, int argc, const char **argv) {
    struct wanted wanted = {0};
    return adi_options_act(command, table, argc, argv, &wanted, devices);
}
