/* SPDX-License-Identifier: Apache-2.0
 *
 * Is what a consumer copied to the host what it was given?
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "compare.h"
#include "device_types.h"
#include "devices.h"
#include "move.h"
#include "play.h"
#include "schema.h"
#include "tree.h"

/* Values that were misread may break these, wherever they are exported to. */
bool adi_play_is_of_values(const struct adi_rule *rule) {
    static const char *const of_values[] = {
        "array/data-differs",
        "array/null-count-differs",
        "array/not-utf8",
        "array/nulls-in-non-nullable",
        "array/offsets-decreasing",
        "array/offset-out-of-range",
        "array/view-out-of-range",
        "array/list-view-out-of-range",
        "array/run-ends-invalid",
        "array/run-ends-too-short",
        "array/type-id-unknown",
        "array/union-offset-out-of-range",
        "array/dictionary-index-out-of-range",
    };
    for (size_t i = 0; i < sizeof of_values / sizeof of_values[0]; i++)
        if (strcmp(rule->id, of_values[i]) == 0) return true;
    return false;
}

bool adi_play_exports_on_cpu(struct adi_adapter *adapter) {
    return adi_call_roles(adapter, adi_device_cpu.type, -1) & (ADI_PRODUCES | ADI_RELAYS);
}

/* The gravest thing that the rules find wrong with a copy; of equals the first. A null count is
 * kept beside it, where the copy is an export: no value hangs on it. */
struct gravest {
    struct adi_sink sink;
    bool exports;
    struct adi_found finding; /* its rule NULL: nothing */
    struct adi_found count;   /* the same */
};

static bool is_of_count(const struct adi_rule *rule) {
    return strcmp(rule->id, "array/null-count-differs") == 0 ||
           strcmp(rule->id, "array/null-count-out-of-range") == 0;
}

/* What makes a copy unsound is graver than what does not, a MUST than a SHOULD, and what a document
 * says than what we read into it. */
static int gravity(const struct adi_rule *rule) {
    return (adi_violation_is_harmless(rule) ? 0 : 8) + 2 * ((int)ADI_MAY - (int)rule->level) +
           adi_rule_is_written(rule);
}

static void keep_gravest(struct adi_sink *sink, const struct adi_found *finding) {
    struct gravest *gravest = (struct gravest *)sink;
    if (gravest->exports && is_of_count(finding->rule)) {
        if (gravest->count.rule == NULL) gravest->count = *finding;
        return;
    }
    if (gravest->finding.rule != NULL && gravity(gravest->finding.rule) >= gravity(finding->rule))
        return;
    gravest->finding = *finding;
}

/* However wrongly an array was read: what does not fit together in its structures, values apart,
 * was exported so. */
static int unsound(struct adi_sink *sink, const struct gravest *gravest, int code,
                   const struct adi_text_of *text, struct adi_error *why) {
    const struct adi_found *found = &gravest->finding;
    if (found->rule == NULL) return adi_error_set(why, ENOMEM, "out of memory");
    struct adi_found told = {
        .rule = adi_rule_named("array/misread"), .party = ADI_CONSUMER, .copied = found->rule};
    struct adi_found explained = *found;
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    if (adi_play_explains_text(text, &cpu, &explained))
        adi_see(&told, explained.seen, explained.wanted, "%s", explained.message);
    else
        adi_see(&told, found->seen, found->wanted, "the host copy is unsound: %s: %s",
                found->rule->id, found->message);
    if (gravest->exports && !adi_play_is_of_values(found->rule))
        adi_report(sink, found->rule->id, ADI_PRODUCER, found->seen, found->wanted,
                   "the host copy: %s", found->message);
    else
        sink->violated(sink, &told);
    return code;
}

/* Is there nothing wrong with the copy but a null count? */
static bool is_only_miscounted(const struct gravest *found) {
    return found->count.rule != NULL &&
           (found->finding.rule == NULL || adi_violation_is_harmless(found->finding.rule));
}

bool adi_play_is_sound(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                       struct adi_device *device, struct adi_error *why) {
    struct gravest found = {.sink = {.violated = keep_gravest}};
    if (adi_check_array(schema, array, device, &found.sink) || found.finding.rule == NULL)
        return true;
    adi_error_set(why, EILSEQ, "unsound: %s: %s", found.finding.rule->id, found.finding.message);
    return false;
}

int adi_play_compare_copy(const struct ArrowSchema *schema, const struct ArrowArray *copy,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          struct adi_error *why) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = adi_device_array_of_cpu(copy);
    if (!adi_play_is_sound(schema, &array, &cpu, why)) return EILSEQ;
    return adi_array_compare(schema, copy, wanted_schema, wanted, why);
}

static int compare_type(struct adi_sink *sink, const struct ArrowSchema *schema,
                        const struct ArrowSchema *wanted_schema, struct adi_error *why) {
    int code = adi_schema_compare_type(schema, wanted_schema, why);
    if (code != 0)
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "the copy's type: schema.%s",
                   why->text);
    return code;
}

int adi_play_judge_copied_schema(struct adi_sink *sink, bool exports,
                                 const struct ArrowSchema *schema,
                                 const struct ArrowSchema *wanted_schema, struct adi_error *why) {
    struct gravest found = {.sink = {.violated = keep_gravest}, .exports = exports};
    if (!adi_check_schema(schema, &found.sink))
        return unsound(sink, &found, EINVAL, &(struct adi_text_of){.wanted = NULL}, why);
    return compare_type(sink, schema, wanted_schema, why);
}

/* DV-005: a CPU device array is a plain ArrowArray: the host copy is checked as one. */
int adi_play_judge_copy(struct adi_sink *sink, bool exports, const struct ArrowSchema *schema,
                        const struct ArrowArray *copy, const struct ArrowSchema *wanted_schema,
                        const struct ArrowArray *wanted, struct adi_error *why) {
    struct gravest found = {.sink = {.violated = keep_gravest}, .exports = exports};
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = adi_device_array_of_cpu(copy);
    const struct adi_text_of unread = {.wanted = NULL},
                             text = {schema, &array, wanted_schema, wanted};
    if (!adi_check_schema(schema, &found.sink)) return unsound(sink, &found, EINVAL, &unread, why);
    if (!adi_check_array(schema, &array, NULL, &found.sink) && !is_only_miscounted(&found))
        return unsound(sink, &found, EBADMSG, &unread, why);
    int code = compare_type(sink, schema, wanted_schema, why);
    if (code != 0) return code;
    /* Bytes that were read too early may be any offset or index. */
    if (!adi_check_array(schema, &array, &cpu, &found.sink) && !is_only_miscounted(&found))
        return unsound(sink, &found, EILSEQ, &text, why);
    code = adi_array_compare(schema, copy, wanted_schema, wanted, why);
    if (code != 0 && code != ENOMEM)
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "%s", why->text);
    if (code != 0 || found.count.rule == NULL) return code;
    adi_report(sink, found.count.rule->id, ADI_PRODUCER, found.count.seen, found.count.wanted,
               "the host copy contradicts itself: %s", found.count.message);
    return adi_error_set(why, EILSEQ, "%s", found.count.message);
}
