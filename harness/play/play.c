/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compare.h"
#include "helper.h"
#include "import.h"
#include "move.h"
#include "patience.h"
#include "schema.h"
#include "trace.h"
#include "tree.h"

/* How late somebody may be: with a release, with data. On a busy machine it is more. */
#define RELEASE_LATE_MS 1000
#define AT_ONCE_MS      20  /* with a release that does not wait for anything else */
#define NEXT_MS         200 /* with one that waits for the next import */
#define DATA_LATE_MS    25

/* ---- saying what happens ---- */

static void say(struct adi_trial *trial, enum adi_log_kind kind, int64_t index, const char *text,
                const char *message) {
    if (!trial->muted)
        adi_log_write(trial->log, kind, index, ADI_BOTH, 0, text, message, NULL, NULL);
}

void adi_play_step(struct adi_trial *trial, const char *what, const char *format, ...) {
    char text[ADI_SIGHT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    adi_log_move_on(trial->log);
    say(trial, ADI_LOG_STEP, 0, what, text);
    adi_trace_step(what, text);
}

void adi_play_program(struct adi_trial *trial, const struct adi_program *program) {
    char packed[ADI_PROGRAM_PACKED], text[ADI_PROGRAM_TEXT];
    adi_program_pack(program, packed);
    say(trial, ADI_LOG_PROGRAM, 0, NULL, packed);
    adi_trace_step("program", adi_program_text(program, text, sizeof text));
}

void adi_play_skip(struct adi_trial *trial, const char *why) {
    trial->skipped = true;
    say(trial, ADI_LOG_SKIP, 0, NULL, why);
}

void adi_play_refused(struct adi_trial *trial, int code) {
    const char *text = adi_call_error(trial->adapter);
    char message[ADI_SIGHT_SIZE];
    snprintf(message, sizeof message, "%s (%s)", *text != '\0' ? text : "refused", strerror(code));
    trial->refused = true;
    say(trial, ADI_LOG_REFUSED, 0, NULL, message);
}

void adi_play_error(struct adi_trial *trial, const char *what, const struct adi_error *error) {
    char message[ADI_SIGHT_SIZE + ADI_ERROR_SIZE];
    snprintf(message, sizeof message, "%s%s%s", what, what[0] == '\0' ? "" : ": ",
             error->text[0] != '\0' ? error->text : strerror(ENOMEM));
    trial->skipped = true;
    say(trial, ADI_LOG_ERROR, 0, NULL, message);
}

void adi_play_closer(struct adi_trial *trial, const char *rule) {
    int64_t index = rule == NULL ? -1 : (int64_t)adi_rule_index(adi_rule_named(rule));
    say(trial, ADI_LOG_CLOSER, index, NULL, NULL);
}

void adi_play_tell_as(struct adi_trial *trial, const char *rule) {
    adi_play_closer(trial, rule);
    trial->mistake = adi_mistake(rule, true);
}

/* ---- samples ---- */

bool adi_goods_make(struct adi_trial *trial, uint64_t more, struct adi_goods *goods) {
    struct adi_error error = {""};
    const struct adi_case *now = trial->now;
    uint64_t seed = trial->seed + more;
    memset(goods, 0, sizeof *goods);
    if (adi_sample(now->type, now->shape, seed, &goods->schema, &goods->host, &error) == 0 &&
        adi_sample(now->type, now->shape, seed, &goods->wanted_schema, &goods->wanted, &error) == 0)
        return true;
    adi_goods_free(goods);
    adi_play_error(trial, "no sample", &error);
    return false;
}

void adi_goods_free(struct adi_goods *goods) {
    adi_schema_release(&goods->schema);
    adi_schema_release(&goods->wanted_schema);
    adi_array_release(&goods->host);
    adi_array_release(&goods->wanted);
}

/* ---- inputs ---- */

bool adi_inputs_watch(struct adi_trial *trial, struct adi_goods *goods, struct adi_inputs *inputs) {
    *inputs = (struct adi_inputs){.schema = &goods->schema, .array = &goods->host};
    inputs->schema_watch =
        adi_watch_open(&adi_kind_schema, inputs->schema, &trial->sink, false, true);
    inputs->array_watch = adi_watch_open(&adi_kind_array, inputs->array, &trial->sink, false, true);
    return inputs->schema_watch != NULL && inputs->array_watch != NULL;
}

static size_t live_inputs(const struct adi_inputs *inputs) {
    if (inputs->stage != NULL) return adi_monitor_live(inputs->stage);
    return adi_watch_live(inputs->schema_watch) + adi_watch_live(inputs->array_watch);
}

/* Another thread may be about to release. */
static bool await_release(const struct adi_inputs *inputs, int most_ms) {
    struct adi_patience patience = adi_patience(most_ms);
    while (live_inputs(inputs) > 0 && adi_other_threads() > 0 && adi_patience_nap(&patience))
        continue;
    return live_inputs(inputs) == 0;
}

/* CD-088, DV-033: who moves a structure sets `release` of the source to NULL. */
static void report_kept(struct adi_trial *trial, const char *which, bool released) {
    if (!released)
        adi_report(&trial->sink, "life/move-source-not-released", ADI_CONSUMER, "release is set",
                   "NULL: moved, or released in place",
                   "the input %s was taken, but not marked released", which);
}

/* CD-015: a consumer may refuse a type; a refused input is untouched, or released once. */
void adi_inputs_judge(struct adi_trial *trial, struct adi_inputs *inputs, int code) {
    bool schema_gone = inputs->schema->release == NULL, array_gone = inputs->array->release == NULL;
    if (code == 0) {
        report_kept(trial, "schema", schema_gone);
        report_kept(trial, "array", array_gone);
    }
    /* On failure: what is marked released must really be released; on success it may live on
     * elsewhere. */
    if (!schema_gone) adi_call_release_schema(inputs->schema);
    if (!array_gone) adi_call_release_array(inputs->array);
    if (code == 0) return;
    if (!await_release(inputs, RELEASE_LATE_MS))
        adi_report(&trial->sink, "life/failure-keeps-inputs", trial->party,
                   "marked released, and its release callback never called",
                   "untouched, or released once", "a failing call lost its input%s%s",
                   schema_gone ? " schema" : "", array_gone ? " array" : "");
}

/* With the next import, or in `close`. */
static bool is_released_late(struct adi_trial *trial, const struct adi_inputs *inputs) {
    const struct adi_case *now = trial->now;
    const struct adi_importer importer = {trial->adapter, trial->device, now->scenario->role,
                                          now->type,      now->shape,    trial->seed};
    if (trial->closed) return false;
    /* What keeps only the newest has to release that when it ends. */
    if (!trial->last) {
        adi_play_step(trial, "import", "once more: what it has kept until then is released now");
        adi_import_once_more(&importer);
        if (await_release(inputs, NEXT_MS)) return true;
    }
    if (trial->nested) return false;
    adi_play_step(trial, "close", "what it still keeps is released now at the latest");
    trial->closed = true;
    adi_call_close(trial->adapter);
    return await_release(inputs, RELEASE_LATE_MS);
}

void adi_inputs_end(struct adi_trial *trial, struct adi_inputs *inputs) {
    const bool muted = trial->muted;
    /* Where something was broken that is muted now, what came out of the call is still there. */
    bool gives_up = trial->muted && trial->broken > 0;
    bool kept =
        !await_release(inputs, AT_ONCE_MS) && (gives_up || !is_released_late(trial, inputs));
    trial->over = trial->over || (kept && !trial->nested);
    trial->muted = muted || (kept && trial->nested); /* it may still release it */
    adi_watch_close(inputs->schema_watch);
    adi_watch_close(inputs->array_watch);
    trial->muted = muted;
}

void adi_play_skip_ended(struct adi_trial *trial) {
    if (trial->closed && trial->broken == 0)
        adi_play_skip(trial, "not played further: the implementation releases what it has taken "
                             "over when it ends (`close`)");
}

/* ---- outputs ---- */

bool adi_exported_prepare(struct adi_trial *trial, struct adi_exported *out) {
    *out = (struct adi_exported){.schema = malloc(sizeof *out->schema),
                                 .array = malloc(sizeof *out->array)};
    if (out->schema != NULL && out->array != NULL) {
        memset(out->schema, ADI_POISON_BYTE, sizeof *out->schema);
        memset(out->array, ADI_POISON_BYTE, sizeof *out->array);
        return true;
    }
    free(out->schema);
    free(out->array);
    *out = (struct adi_exported){0};
    adi_play_error(trial, "no room for outputs", &(struct adi_error){"out of memory"});
    return false;
}

static bool untouched(const void *release) {
    unsigned char poison[sizeof release];
    memset(poison, ADI_POISON_BYTE, sizeof poison);
    return release == NULL || memcmp(&release, poison, sizeof poison) == 0;
}

void adi_exported_untouched(struct adi_trial *trial, const struct adi_exported *out) {
    const char *which =
        !untouched(adi_kind_pointer(out->schema, adi_kind_schema.release))         ? "schema"
        : !untouched(adi_kind_pointer(&out->array->array, adi_kind_array.release)) ? "array"
                                                                                   : NULL;
    if (which != NULL)
        adi_report(&trial->sink, "life/failure-leaves-output", trial->party, "release is set",
                   "untouched, or NULL", "a failing call left something in its output %s", which);
}

bool adi_exported_check(struct adi_trial *trial, struct adi_exported *out) {
    bool sound = adi_check_schema(out->schema, &trial->sink) && adi_play_check_array(trial, out);
    if (!sound) return false;
    out->schema_watch = adi_watch_open(&adi_kind_schema, out->schema, &trial->sink, true, false);
    out->array_watch =
        adi_watch_open(&adi_kind_array, &out->array->array, &trial->sink, true, false);
    return out->schema_watch != NULL && out->array_watch != NULL;
}

/* CD-042: the values are those from the offset on. */
/* The rules have read each buffer once. This waits on the event and reads once more, and is there
 * to see what others have overwritten since, values (pool_rewritten) or an event in the place of
 * another's (opencl_event_in_one_place), and values that come late (data_comes_late). */
bool adi_exported_compare(struct adi_trial *trial, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          const char *rule, struct ArrowArray *kept) {
    struct adi_error why = {""}, first = {""};
    struct ArrowArray copy = {0};
    int code = adi_schema_compare_type(schema, wanted_schema, &why);
    if (code != 0) {
        adi_report(&trial->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s",
                   why.text);
        return false;
    }
    struct adi_patience patience = adi_patience(DATA_LATE_MS);
    for (bool again = false;; again = true) {
        adi_array_release(&copy);
        code = adi_copy_to_host(trial->device, schema, array, &copy, &why);
        if (code == 0) code = adi_play_compare_copy(schema, &copy, wanted_schema, wanted, &why);
        if (code == ENOMEM && !adi_play_is_sound(schema, array, trial->device, &why)) code = EILSEQ;
        if (!again) first = why;
        if (code == 0 || code == ENOMEM || !adi_patience_nap(&patience)) break;
    }
    bool same = code == 0 && first.text[0] == '\0';
    if (same && kept != NULL) adi_array_move(&copy, kept);
    adi_array_release(&copy);
    if (code == ENOMEM) { /* ours */
        adi_play_error(trial, "it cannot be compared", &why);
        return false;
    }
    trial->judged = true;
    if (code != 0 && adi_play_misreads(trial)) {
        struct adi_sight sight = {.moot = false};
        adi_see(&sight, NULL, NULL, "%s", first.text);
        adi_play_report_misread(&trial->sink, &sight);
    } else if (code != 0)
        adi_report(&trial->sink, rule, ADI_PRODUCER, NULL, NULL, "%s", first.text);
    else if (!same)
        adi_play_report_late(&trial->sink, first.text);
    return same;
}

void adi_exported_sums(struct adi_trial *trial, const struct adi_exported *out,
                       struct ArrowArray *copy) {
    struct adi_error why = {""};
    if (!ADI_DEVICE_HAS(trial->device->ops, checksum)) return;
    int code = adi_compare_sums(trial->device, out->schema, out->array, copy, &why);
    if (code == EBADMSG || code == EFAULT)
        adi_report(&trial->sink,
                   code == EFAULT ? "device/buffer-not-accessible" : "array/data-differs",
                   ADI_PRODUCER, NULL, "the same bytes for the device and the host",
                   "the device does not have what the host reads: %s", why.text);
    else if (code != 0 && code != ENOTSUP)
        adi_play_error(trial, "the device cannot sum it", &why);
}

void adi_exported_free(struct adi_trial *trial, struct adi_exported *out) {
    if (out->array_watch != NULL) {
        bool schema_first = strlen(trial->now->name) % 2 == 0;
        if (schema_first && out->schema->release != NULL) adi_call_release_schema(out->schema);
        if (out->array->array.release != NULL) adi_call_release_array(&out->array->array);
        if (out->schema->release != NULL) adi_call_release_schema(out->schema);
        adi_watch_close(out->schema_watch);
        adi_watch_close(out->array_watch);
    }
    free(out->schema);
    free(out->array);
}
