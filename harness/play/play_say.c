/* SPDX-License-Identifier: Apache-2.0
 *
 * What a case tells while it is played.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "charge.h"
#include "play.h"
#include "trace.h"

void adi_play_say(struct adi_trial *trial, enum adi_log_kind kind, int64_t index, const char *text,
                  const char *message) {
    if (!trial->muted)
        adi_log_write(trial->log, kind, index, ADI_BOTH, 0, text, message, NULL, NULL);
}

void adi_play_step(struct adi_trial *trial, const char *what, const char *format, ...) {
    char text[ADI_FINDING_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    adi_log_move_on(trial->log);
    adi_play_say(trial, ADI_LOG_STEP, 0, what, text);
    adi_trace_step(what, text);
}

void adi_play_program(struct adi_trial *trial, const struct adi_program *program) {
    char packed[ADI_PROGRAM_PACKED], text[ADI_PROGRAM_TEXT];
    adi_program_pack(program, packed);
    adi_play_say(trial, ADI_LOG_PROGRAM, 0, NULL, packed);
    adi_trace_step("program", adi_program_text(program, text, sizeof text));
}

void adi_play_skip(struct adi_trial *trial, const char *why) {
    trial->skipped = true;
    adi_play_say(trial, ADI_LOG_SKIP, 0, NULL, why);
}

void adi_play_error(struct adi_trial *trial, const char *what, const struct adi_error *error) {
    char message[ADI_FINDING_SIZE + ADI_ERROR_SIZE];
    snprintf(message, sizeof message, "%s%s%s", what, what[0] == '\0' ? "" : ": ",
             error->text[0] != '\0' ? error->text : strerror(ENOMEM));
    trial->skipped = true;
    adi_play_say(trial, ADI_LOG_ERROR, 0, NULL, message);
}

void adi_play_closer(struct adi_trial *trial, const char *rule) {
    int64_t index = rule == NULL ? -1 : (int64_t)adi_rule_index(adi_rule_named(rule));
    adi_play_say(trial, ADI_LOG_CLOSER, index, NULL, NULL);
}

void adi_play_tell_as(struct adi_trial *trial, const char *rule) {
    adi_play_closer(trial, rule);
    trial->mistake = adi_mistake(rule, true);
}

bool adi_trial_is_long(const struct adi_trial *trial) {
    return trial->step_ns > 0 && adi_now_ns() - trial->begun_ns > ADI_CASE_LIMITS * trial->step_ns;
}

void adi_trial_lost(struct adi_trial *trial, struct adi_weight lost) {
    char what[ADI_WEIGHT_TEXT];
    if (trial->strays == 0 && adi_weight_text(lost, what))
        /* CD-085, DV-009, DV-031: the callback frees what the structure owns, on the device too. */
        adi_charge(&trial->sink, ADI_CHARGE_LOSS, false, trial->party, NULL, what);
}
