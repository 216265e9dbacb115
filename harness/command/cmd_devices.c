/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../devices/devices.h"
#include "cmd_options.h"
#include "cmd_output.h"
#include "device_types.h"
#include "report_json.h"

#define ROWS 128 /* types times ids, and more */

struct wishes {
    const char *json;
};

static const struct adi_option table[] = {
    {"json", "FILE", "write them as JSON (- is standard output)", adi_take_text,
     offsetof(struct wishes, json)},
    {0},
};

/* The rows of one type, appended to `rows`; returns how many there are then. */
static size_t find_devices(const struct adi_device_type *type, struct adi_report_device *rows,
                           size_t n) {
    const struct adi_device_ops *ops = adi_device_of(type->type);
    struct adi_device_probe probe = {.runtime = ""};
    struct adi_report_device row = {.type = type->type};
    if (ops == NULL)
        adi_error_set(&probe.why, 0, "no backend in this build");
    else
        ops->probe(&probe);
    if (probe.count == 0) {
        snprintf(row.name, sizeof row.name, "%s", type->name);
        memcpy(row.why, probe.why.text, sizeof row.why);
        rows[n++] = row;
    }
    for (int i = 0; i < probe.count && n < ROWS; i++) {
        snprintf(row.name, sizeof row.name, "%s:%" PRId64, type->name, probe.ids[i]);
        snprintf(row.runtime, sizeof row.runtime, "%s", probe.runtime);
        row.available = true;
        rows[n++] = row;
    }
    return n;
}

static void write_text(const struct adi_report_device *rows, size_t n, FILE *out) {
    for (size_t i = 0; i < n; i++) {
        if (rows[i].available)
            fprintf(out, "%-16s  found  %s\n", rows[i].name, rows[i].runtime);
        else
            fprintf(out, "%-16s  none   %s\n", rows[i].name, rows[i].why);
    }
}

static int write_json(const struct adi_report_device *rows, size_t n, FILE *out) {
    struct adi_json record = adi_json_begin();
    adi_json_text(&record, "adicheck", ADI_VERSION);
    adi_json_value(&record, "devices", adi_json_devices(rows, n));
    return adi_json_write(adi_json_end(&record), out);
}

static int devices(const struct adi_command *command, const struct adi_options *options,
                   const struct wishes *wishes) {
    static struct adi_report_device rows[ROWS];
    const struct adi_device_type *type;
    struct adi_output json = {0};
    struct adi_error error;
    size_t n = 0;
    if (options->n_arguments > 0)
        return adi_usage(command, "takes no argument; leave out %s", options->arguments[0]);
    if (wishes->json != NULL && adi_output_open(&json, wishes->json, &error) != 0)
        return adi_usage(command, "--json: %s", error.text);
    for (size_t i = 0; (type = adi_device_type_at(i)) != NULL && n < ROWS; i++)
        n = find_devices(type, rows, n);
    if (json.file != stdout) write_text(rows, n, stdout);
    errno = 0;
    int failed = json.file == NULL ? 0 : write_json(rows, n, json.file);
    int broken = adi_output_close(&json, &error);
    if (failed == 0 && broken == 0) return ADI_EXIT_OK;
    fprintf(stderr, "adicheck devices: %s\n", broken != 0 ? error.text : strerror(failed));
    return ADI_EXIT_UNDECIDED;
}

int adi_cmd_devices(const struct adi_command *command, int argc, const char **argv) {
    struct adi_options options;
    struct wishes wishes = {0};
    int status = adi_options_read(&options, command, table, argc, argv, &wishes);
    if (status == 0) status = devices(command, &options, &wishes);
    adi_options_free(&options);
    return status < 0 ? ADI_EXIT_OK : status;
}
