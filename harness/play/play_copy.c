/* SPDX-License-Identifier: Apache-2.0
 *
 * Is what a consumer copied to the host what it was given?
 */
#include <errno.h>

#include "check.h"
#include "compare.h"
#include "devices.h"
#include "play.h"
#include "schema.h"

/* The first thing that the rules find wrong with a copy. */
struct first_sight {
    struct adi_sink sink;
    struct adi_sight sight;
    bool any;
};

static void keep_first(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                       const struct adi_sight *sight) {
    struct first_sight *first = (struct first_sight *)sink;
    (void)rule, (void)party;
    if (!first->any) first->sight = *sight;
    first->any = true;
}

static int unsound(struct adi_sink *sink, const struct first_sight *first, int code,
                   struct adi_error *why) {
    if (!first->any) return adi_error_set(why, ENOMEM, "out of memory");
    adi_report(sink, "array/misread", ADI_CONSUMER, first->sight.seen, first->sight.wanted,
               "the host copy is unsound: %s", first->sight.message);
    return code;
}

int adi_play_judge_copy(struct adi_sink *sink, const struct ArrowSchema *schema,
                        const struct ArrowArray *copy, const struct ArrowSchema *wanted_schema,
                        const struct ArrowArray *wanted, struct adi_error *why) {
    struct first_sight first = {.sink = {.broken = keep_first}};
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = {
        .array = *copy, .device_id = -1, .device_type = ARROW_DEVICE_CPU};
    if (!adi_check_schema(schema, &first.sink)) return unsound(sink, &first, EINVAL, why);
    if (!adi_check_array(schema, &array, NULL, &first.sink))
        return unsound(sink, &first, EBADMSG, why);
    int code = adi_schema_compare_type(schema, wanted_schema, why);
    if (code != 0) {
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "the copy's type: %s",
                   why->text);
        return code;
    }
    /* Bytes that were read too early may be any offset or index. */
    if (!adi_check_array(schema, &array, &cpu, &first.sink))
        return unsound(sink, &first, EILSEQ, why);
    code = adi_array_compare(schema, copy, wanted_schema, wanted, why);
    if (code != 0 && code != ENOMEM)
        adi_report(sink, "array/misread", ADI_CONSUMER, NULL, NULL, "%s", why->text);
    return code;
}
