/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to the schemas that streams hand out.
 */
#include "check.h"
#include "execution_internal.h"
#include "schema.h"

static int do_read(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    const struct ArrowSchema *schema = (const struct ArrowSchema *)(const void *)slot->array;
    struct adi_error why = {""};
    if (!adi_guard_touch(slot->array) || !adi_execution_may(slot, step->operation, slot->array))
        return 0;
    if (slot->exported->watch != NULL && !adi_check_schema(schema, &p->sink)) return 0;
    if (adi_schema_compare_type(schema, slot->schema, &why) != 0)
        adi_report(&p->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s",
                   why.text);
    return 0;
}

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    if (slot->exported->from->gone) return "stream/schema-depends-on-stream";
    if (operation == ADI_DO_release && p->elsewhere) return "life/release-on-other-thread";
    return slot->moved ? "life/depends-on-address" : NULL;
}

const struct adi_acts adi_acts_schema = {&adi_kind_schema,
                                         cause,
                                         {
                                             {ADI_DO_schema_read, do_read},
                                             {.act = NULL},
                                         }};
