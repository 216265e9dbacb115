/* SPDX-License-Identifier: Apache-2.0
 *
 * What parts of an array stand on: those that were moved out on nothing but themselves, those of a
 * relay on what it was given.
 */
#include "execution_internal.h"

/* ---- what was moved out ---- */

static bool has_gone(const struct adi_exported_array *exported) {
    return exported != NULL && exported->gone;
}

/* When the stream and the chunk are both gone, it was the one that went last. */
const char *adi_execution_cause_of_part(const struct adi_execution_slot *slot) {
    const struct adi_exported_array *chunk = slot->exported;
    if (!has_gone(chunk->from)) return "life/child-depends-on-parent";
    if (!chunk->gone || slot->stands == ADI_STANDS_ON_STREAM) return chunk->from->outlived;
    return slot->stands == ADI_STANDS_ON_CHUNK ? "life/child-depends-on-parent" : NULL;
}

/* ---- what was relayed ---- */

/* Is any of what the array stands on guarded memory that has been released? Nothing is read of it.
 */
static bool is_gone(const struct ArrowArray *array) {
    bool gone = adi_guard_is_retired(array) || adi_guard_is_retired(array->buffers) ||
                adi_guard_is_retired(array->children);
    if (gone || array->release == NULL) return gone;
    for (int64_t i = 0; i < array->n_buffers && !gone; i++)
        gone = adi_guard_is_retired(array->buffers[i]);
    for (int64_t i = 0; i < array->n_children && !gone; i++) gone = is_gone(array->children[i]);
    return gone || (array->dictionary != NULL && is_gone(array->dictionary));
}

bool adi_execution_stands(struct adi_execution *p, const struct adi_execution_slot *slot) {
    const bool relays = p->binding.relay != NULL || p->binding.relay_stream != NULL;
    if (!relays || !slot->lives || slot->exported->watch == NULL) return true;
    if (!is_gone(&slot->array->array)) return true;
    const char *rule = slot->part ? adi_execution_cause_of_part(slot) : NULL;
    adi_report(&p->sink, rule == NULL ? "life/use-after-release" : rule, ADI_CONSUMER,
               "a released input", "an input that lives as long as what stands on it",
               "what was relayed points to what the relay has released by now");
    return false;
}

/* ---- a look ---- */

/* What is pending, or behind a queue that is paused, stays so. */
static bool may_look(const struct adi_execution *p, const struct adi_execution_slot *slot,
                     const struct adi_exported_array *exported) {
    const struct adi_exported_array *chunk = slot->exported;
    return slot->lives && slot->part && !slot->parted && chunk->from != NULL &&
           (chunk == exported || chunk->from == exported) && chunk->watch != NULL &&
           !chunk->deferred && !p->paused;
}

static void set_mistake(struct adi_execution *p, const struct adi_mistake *mistake,
                        const char *crash) {
    p->mistake = *mistake;
    if (p->binding.tell_crash != NULL) p->binding.tell_crash(p->binding.context, crash);
}

static int look_at_part(struct adi_execution *p, struct adi_execution_slot *slot) {
    const struct adi_mistake before = p->mistake;
    const char *rule = adi_execution_cause_of_part(slot);
    const struct adi_mistake of_part = adi_mistake(rule, false);
    set_mistake(p, &of_part, rule);
    int code = adi_execution_stands(p, slot) ? adi_execution_compare(p, slot) : 0;
    set_mistake(p, &before, NULL);
    slot->stands = slot->exported->gone             ? ADI_STANDS_ON_STREAM
                   : has_gone(slot->exported->from) ? ADI_STANDS_ON_CHUNK
                                                    : ADI_STANDS_ON_BOTH;
    return code;
}

int adi_execution_look_at_parts(struct adi_execution *p,
                                const struct adi_exported_array *exported) {
    const size_t before = p->n_findings;
    for (size_t i = 0; i < ADI_PROGRAM_SLOTS && p->n_findings == before; i++)
        if (may_look(p, &p->slots[i], exported)) ADI_TRY(look_at_part(p, &p->slots[i]));
    return 0;
}
