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

void adi_play_say(struct adi_test *test, enum adi_log_kind kind, int64_t index, const char *text,
                  const char *message) {
    if (!test->muted) adi_log_write(test->log, kind, index, ADI_BOTH, 0, text, message, NULL, NULL);
}

void adi_play_step(struct adi_test *test, const char *what, const char *format, ...) {
    char text[ADI_FINDING_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    adi_log_move_on(test->log);
    if (!test->brief || strcmp(what, "schedule") == 0)
        adi_play_say(test, ADI_LOG_STEP, 0, what, text);
    adi_trace_step(what, text);
}

void adi_play_program(struct adi_test *test, const struct adi_program *program) {
    char packed[ADI_PROGRAM_PACKED], text[ADI_PROGRAM_TEXT];
    adi_program_pack(program, packed);
    adi_play_say(test, ADI_LOG_PROGRAM, 0, NULL, packed);
    adi_trace_step("program", adi_program_text(program, text, sizeof text));
}

void adi_play_skip(struct adi_test *test, const char *why) {
    test->skipped = true;
    adi_play_say(test, ADI_LOG_SKIP, 0, NULL, why);
}

void adi_play_error(struct adi_test *test, const char *what, const struct adi_error *error) {
    char message[ADI_FINDING_SIZE + ADI_ERROR_SIZE];
    snprintf(message, sizeof message, "%s%s%s", what, what[0] == '\0' ? "" : ": ",
             error->text[0] != '\0' ? error->text : strerror(ENOMEM));
    test->skipped = true;
    adi_play_say(test, ADI_LOG_ERROR, 0, NULL, message);
}

bool adi_play_device_is_lost(struct adi_test *test) {
    struct adi_device *device = test->device;
    struct adi_error why;
    if (device->ops == NULL || !ADI_DEVICE_HAS(device->ops, is_lost)) return false;
    if (!device->ops->is_lost(device, &why)) return false;
    const bool muted = test->muted;
    test->muted = false;
    if (!test->lost && !test->skipped) adi_play_error(test, "", &why);
    test->muted = muted;
    test->lost = true;
    return true;
}

void adi_play_crash_rule(struct adi_test *test, const char *rule) {
    const struct adi_rule *broken = rule != NULL           ? adi_rule_named(rule)
                                    : test->mistake.of_all ? test->mistake.rule
                                                           : NULL;
    int64_t index = broken == NULL ? -1 : (int64_t)adi_rule_index(broken);
    test->crash_rule = rule;
    adi_play_say(test, ADI_LOG_CRASH_RULE, index, NULL, NULL);
}

void adi_play_waited(struct adi_test *test) {
    adi_play_say(test, ADI_LOG_WAITED, 0, NULL, NULL);
}

void adi_play_starved(struct adi_test *test) {
    adi_play_skip(test, "nothing can be said: what was waited for had no processor for most of the "
                        "time, the machine is busy");
}

void adi_play_tell_as(struct adi_test *test, const char *rule) {
    test->mistake = adi_mistake(rule, true);
    adi_play_crash_rule(test, rule);
}

bool adi_test_is_long(const struct adi_test *test) {
    return test->step_ns > 0 && adi_now_ns() - test->begun_ns > ADI_CASE_LIMITS * test->step_ns;
}

void adi_test_leaks(struct adi_test *test, struct adi_weight lost) {
    char what[ADI_WEIGHT_TEXT];
    if (lost.is_starved) adi_play_starved(test);
    if (test->strays == 0 && adi_weight_text(lost, what))
        /* CD-085, DV-009, DV-031: the callback frees what the structure owns, on the device too. */
        adi_charge(&test->sink, ADI_CHARGE_LOSS, false, test->party, NULL, what);
}
