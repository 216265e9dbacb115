/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch as the library offers it: it keeps what it hears until its owner asks.
 */
#include <stdlib.h>

#include "adicheck.h"
#include "devices.h"
#include "findings.h"
#include "watch.h"

/* What a watch of the library hears into. */
struct ear {
    struct adi_sink sink; /* first */
    struct adi_findings *heard;
};

static void hear(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                 const struct adi_sight *sight) {
    struct adi_sink *list = adi_findings_sink(((struct ear *)(void *)sink)->heard);
    list->broken(list, rule, party, sight);
}

struct adi_watch *adi_watch_device_array(struct ArrowDeviceArray *array) {
    if (array->array.release == NULL) return NULL;
    struct ear *ear = calloc(1, sizeof *ear);
    if (ear == NULL) return NULL;
    ear->sink.broken = hear;
    ear->heard = adi_findings_new();
    struct adi_watch *watch =
        ear->heard == NULL ? NULL
                           : adi_watch_open(&adi_kind_array, &array->array, &ear->sink, true, true);
    if (watch != NULL) return watch;
    adi_findings_free(ear->heard);
    free(ear);
    return NULL;
}

struct adi_watch *adi_watch_device_array_of(const struct ArrowSchema *schema,
                                            struct ArrowDeviceArray *array) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    if (array->array.release == NULL) return NULL;
    struct adi_node *before = adi_tree_copy(schema, array, &cpu);
    struct adi_watch *watch = before == NULL ? NULL : adi_watch_device_array(array);
    if (watch != NULL)
        adi_watch_compare(watch, before);
    else
        adi_tree_free(before);
    return watch;
}

void adi_watch_finish(struct adi_watch *watch, struct adi_findings *findings) {
    struct ear *ear = (struct ear *)(void *)adi_watch_sink(watch);
    adi_watch_close(watch);
    for (size_t i = 0; i < adi_findings_count(ear->heard); i++) {
        const struct adi_finding *found = adi_findings_get(ear->heard, i);
        enum adi_party party = found->party[0] == 'p' ? ADI_PRODUCER : ADI_CONSUMER;
        adi_report(adi_findings_sink(findings), found->rule, party, found->seen, found->wanted,
                   "%s", found->message);
    }
    adi_findings_free(ear->heard);
    free(ear);
}
