/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "oneapi.h"

static const char *const kinds[] = {
    [ONEAPI_DEVICE] = "device",   [ONEAPI_PLATFORM] = "platform", [ONEAPI_SELECTOR] = "selector",
    [ONEAPI_CONTEXT] = "context", [ONEAPI_VECTOR] = "vector",     [ONEAPI_EVENT] = "event"};

void *oneapi_make(struct oneapi_object object) {
    adi_sim_reference reference;
    struct oneapi_object *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    *made = object;
    if (adi_sim_reference_create((uintptr_t)made, &reference) != 0) {
        free(made);
        return NULL;
    }
    if (object.context != NULL) object.context->refs++;
    return reference;
}

struct oneapi_object *oneapi_find(const void *reference, enum oneapi_kind kind) {
    uint64_t label;
    if (reference == NULL) {
        adi_sim_remark(kinds[kind], "a reference is NULL");
        return NULL;
    }
    if (adi_sim_reference_label((adi_sim_reference)(uintptr_t)reference, &label) != 0) return NULL;
    struct oneapi_object *object = (struct oneapi_object *)(uintptr_t)label;
    if (object->kind == kind) return object;
    adi_sim_remark(kinds[kind], "a reference is one to an object of another kind");
    return NULL;
}

/* NULL is deleted like any other, and that is nothing. */
void oneapi_delete(const void *reference, enum oneapi_kind kind) {
    adi_sim_reference handle = (adi_sim_reference)(uintptr_t)reference;
    bool is_live = adi_sim_is_live(reference, NULL);
    struct oneapi_object *object = is_live ? oneapi_find(reference, kind) : NULL;
    if (reference == NULL || (is_live && object == NULL)) return;
    if (adi_sim_reference_destroy(handle) != 0) return;
    if (object->context != NULL) oneapi_context_release(object->context);
    free(object->elements);
    free(object);
}

void *oneapi_copy(const void *reference, enum oneapi_kind kind) {
    const struct oneapi_object *object = oneapi_find(reference, kind);
    return object == NULL ? NULL : oneapi_make(*object);
}

static bool same(const struct oneapi_object *one, const struct oneapi_object *other) {
    return one->device == other->device && one->context == other->context;
}

bool oneapi_equal(const void *one, const void *other, enum oneapi_kind kind) {
    const struct oneapi_object *a = oneapi_find(one, kind), *b = oneapi_find(other, kind);
    return a != NULL && b != NULL && same(a, b);
}

size_t oneapi_hash(const void *reference, enum oneapi_kind kind) {
    const struct oneapi_object *object = oneapi_find(reference, kind);
    if (object == NULL) return 0;
    return object->context != NULL ? (size_t)(uintptr_t)object->context
                                   : (size_t)object->device + 1;
}

int oneapi_number_of(const void *reference, enum oneapi_kind kind, int value) {
    return oneapi_find(reference, kind) == NULL ? 0 : value;
}

const char *oneapi_text(const char *text) {
    return strdup(text);
}

void oneapi_text_delete(const char *text) {
    free((char *)(uintptr_t)text);
}

const char *oneapi_text_of(const void *reference, enum oneapi_kind kind, const char *text) {
    return oneapi_find(reference, kind) == NULL ? NULL : oneapi_text(text);
}
