/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector owns its elements, and gives copies of them out.
 */
#include <stdlib.h>

#include "oneapi.h"

static void *copy_element(enum oneapi_kind kind, const void *element) {
    return kind == ONEAPI_EVENT ? oneapi_event_copy(element) : oneapi_copy(element, kind);
}

static void delete_element(enum oneapi_kind kind, const void *element) {
    if (kind == ONEAPI_EVENT)
        oneapi_event_delete(element);
    else
        oneapi_delete(element, kind);
}

void *oneapi_vector(enum oneapi_kind of) {
    return oneapi_make((struct oneapi_object){.kind = ONEAPI_VECTOR, .of = of});
}

int oneapi_vector_add(const void *vector, void *element) {
    struct oneapi_object *object = oneapi_find(vector, ONEAPI_VECTOR);
    if (object == NULL || element == NULL) return ENOMEM;
    void **more = realloc(object->elements, (object->n + 1) * sizeof *more);
    if (more == NULL) {
        delete_element(object->of, element);
        return ENOMEM;
    }
    object->elements = more;
    more[object->n++] = element;
    return 0;
}

void *oneapi_vector_from(enum oneapi_kind of, size_t n, void *const *elements) {
    void *vector = oneapi_vector(of);
    for (size_t i = 0; vector != NULL && i < n; i++)
        oneapi_vector_add(vector, copy_element(of, elements[i]));
    return vector;
}

void oneapi_vector_clear(const void *vector) {
    struct oneapi_object *object = vector == NULL ? NULL : oneapi_find(vector, ONEAPI_VECTOR);
    if (object == NULL) return;
    for (size_t i = 0; i < object->n; i++) delete_element(object->of, object->elements[i]);
    object->n = 0;
}

void oneapi_vector_delete(const void *vector) {
    if (vector == NULL) return;
    if (adi_sim_is_live(vector, NULL)) oneapi_vector_clear(vector);
    oneapi_delete(vector, ONEAPI_VECTOR);
}

size_t oneapi_vector_size(const void *vector) {
    const struct oneapi_object *object = oneapi_find(vector, ONEAPI_VECTOR);
    return object == NULL ? 0 : object->n;
}

void *oneapi_vector_at(const void *vector, size_t index) {
    const struct oneapi_object *object = oneapi_find(vector, ONEAPI_VECTOR);
    if (object == NULL || index >= object->n) return NULL;
    return copy_element(object->of, object->elements[index]);
}

/* Which events it has waited for is not kept: none. */
void *oneapi_event_list(const void *event) {
    return oneapi_event_backend(event) == 0 ? NULL : oneapi_vector(ONEAPI_EVENT);
}
