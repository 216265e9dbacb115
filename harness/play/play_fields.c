/* SPDX-License-Identifier: Apache-2.0
 *
 * What a schema says beside the type: flags, names, metadata. Were they handed on?
 */
#include <stdint.h>
#include <string.h>

#include "metadata.h"
#include "play.h"
#include "schema.h"

static const char *name_of(const struct ArrowSchema *field) {
    return field->name == NULL ? "" : field->name;
}

static bool says_flags(const struct ArrowSchema *seen, const struct ArrowSchema *wanted) {
    return (wanted->flags & ~seen->flags) == 0;
}

/* It may be left out. */
static bool says_name(const struct ArrowSchema *seen, const struct ArrowSchema *wanted) {
    return *name_of(seen) == '\0' || strcmp(name_of(seen), name_of(wanted)) == 0;
}

static bool same_pair(const struct adi_pair *a, const struct adi_pair *b) {
    return a->key_bytes == b->key_bytes && a->value_bytes == b->value_bytes &&
           memcmp(a->key, b->key, (size_t)a->key_bytes) == 0 &&
           memcmp(a->value, b->value, (size_t)a->value_bytes) == 0;
}

static bool has_pair(const char *metadata, const struct adi_pair *wanted) {
    struct adi_metadata_reader reader;
    struct adi_error unused;
    struct adi_pair pair;
    if (metadata == NULL || adi_metadata_open(metadata, SIZE_MAX, &reader, &unused) != 0)
        return false;
    while (adi_metadata_next(&reader, &pair, &unused) == 0)
        if (same_pair(&pair, wanted)) return true;
    return false;
}

static bool says_metadata(const struct ArrowSchema *seen, const struct ArrowSchema *wanted) {
    struct adi_metadata_reader reader;
    struct adi_error unused;
    struct adi_pair pair;
    if (wanted->metadata == NULL ||
        adi_metadata_open(wanted->metadata, SIZE_MAX, &reader, &unused) != 0)
        return true;
    while (adi_metadata_next(&reader, &pair, &unused) == 0)
        if (!has_pair(seen->metadata, &pair)) return false;
    return true;
}

typedef bool says_fn(const struct ArrowSchema *seen, const struct ArrowSchema *wanted);

/* The first field that does not say what its twin says, which becomes `*wanted`. NULL: all do. */
static const struct ArrowSchema *first_other(says_fn *says, const struct ArrowSchema *seen,
                                             const struct ArrowSchema **wanted) {
    const struct ArrowSchema *twin = *wanted, *found = says(seen, twin) ? NULL : seen;
    for (int64_t i = 0; i < seen->n_children && found == NULL; i++) {
        *wanted = twin->children[i];
        found = first_other(says, seen->children[i], wanted);
    }
    if (found == NULL && seen->dictionary != NULL) {
        *wanted = twin->dictionary;
        found = first_other(says, seen->dictionary, wanted);
    }
    return found;
}

void adi_exported_fields(struct adi_trial *trial, const struct ArrowSchema *schema,
                         const struct ArrowSchema *wanted) {
    const struct ArrowSchema *twin, *found;
    if (adi_schema_compare_type(schema, wanted, NULL) != 0) return;
    twin = wanted;
    found = first_other(says_flags, schema, &twin);
    if (found != NULL)
        adi_report(&trial->sink, "schema/flags-dropped", ADI_CONSUMER, NULL, NULL,
                   "the field \"%s\" has flags %lld where %lld were handed over", name_of(found),
                   (long long)found->flags, (long long)twin->flags);
    twin = wanted;
    found = first_other(says_name, schema, &twin);
    if (found != NULL)
        adi_report(&trial->sink, "schema/names-differ", ADI_PRODUCER, name_of(found), name_of(twin),
                   "a field came out under another name");
    twin = wanted;
    found =
        trial->now->scenario->role == ADI_RELAYS ? first_other(says_metadata, schema, &twin) : NULL;
    if (found != NULL)
        adi_report(&trial->sink, "schema/metadata-dropped", ADI_CONSUMER, NULL, NULL,
                   "the field \"%s\" has lost metadata that was handed over", name_of(twin));
}
