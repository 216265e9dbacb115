/* SPDX-License-Identifier: Apache-2.0
 *
 * What a schema says beside the type: flags, names, metadata. Were they handed on?
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "metadata.h"
#include "play.h"
#include "schema.h"

static const char *name_of(const struct ArrowSchema *field) {
    return field->name == NULL ? "" : field->name;
}

/* A schema beside the one that it is to say the same as, and where they are in the tree. */
struct twins {
    const struct ArrowSchema *seen, *wanted;
    bool of_dictionary; /* the schema of a dictionary's values */
    bool of_batches;    /* the schema of a stream of record batches */
    char place[160];    /* "schema.children[1].dictionary"; what is too long is cut */
};

static int64_t dropped_flags(const struct twins *twins) {
    return twins->wanted->flags & ~twins->seen->flags;
}

static bool says_order(const struct twins *twins) {
    return (dropped_flags(twins) & ARROW_FLAG_DICTIONARY_ORDERED) == 0;
}

/* What that does not look at, but whether the values of a dictionary or a record batch may be null:
 * the flag is of a field. Of a dictionary that is the index, and a batch is none. */
static bool says_flags(const struct twins *twins) {
    int64_t others = twins->of_dictionary || twins->of_batches ? ARROW_FLAG_NULLABLE : 0;
    return (dropped_flags(twins) & ~(others | ARROW_FLAG_DICTIONARY_ORDERED)) == 0;
}

/* CD-018: a producer may leave a name out, but not give another one. */
/* It may be left out. */
static bool says_name(const struct twins *twins) {
    const char *seen = name_of(twins->seen);
    return *seen == '\0' || strcmp(seen, name_of(twins->wanted)) == 0;
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

static bool has_all_pairs(const struct ArrowSchema *seen, const struct ArrowSchema *wanted) {
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

/* CD-023: a consumer may ignore metadata, so that lost metadata is for information only. */
static bool says_metadata(const struct twins *twins) {
    return has_all_pairs(twins->seen, twins->wanted);
}

typedef bool says_fn(const struct twins *twins);

static struct twins step_to(const struct twins *from, const struct ArrowSchema *seen,
                            const struct ArrowSchema *wanted, const char *step, int64_t index) {
    struct twins to = {.seen = seen, .wanted = wanted, .of_dictionary = index < 0};
    if (index < 0)
        snprintf(to.place, sizeof to.place, "%.120s.%s", from->place, step);
    else
        snprintf(to.place, sizeof to.place, "%.120s.%s[%lld]", from->place, step, (long long)index);
    return to;
}

/* Finds the first place below `at`, itself included, where that is not said. */
static bool find_other(says_fn *says, const struct twins *at, struct twins *found) {
    *found = *at;
    if (!says(at)) return true;
    for (int64_t i = 0; i < at->seen->n_children; i++) {
        struct twins child =
            step_to(at, at->seen->children[i], at->wanted->children[i], "children", i);
        if (find_other(says, &child, found)) return true;
    }
    if (at->seen->dictionary == NULL) return false;
    struct twins values =
        step_to(at, at->seen->dictionary, at->wanted->dictionary, "dictionary", -1);
    return find_other(says, &values, found);
}

static void report_flags(struct adi_test *test, const char *rule, const struct twins *found) {
    static const struct {
        int64_t flag;
        const char *name;
    } flags[] = {{ARROW_FLAG_DICTIONARY_ORDERED, "ARROW_FLAG_DICTIONARY_ORDERED"},
                 {ARROW_FLAG_NULLABLE, "ARROW_FLAG_NULLABLE"},
                 {ARROW_FLAG_MAP_KEYS_SORTED, "ARROW_FLAG_MAP_KEYS_SORTED"}};
    char seen[32], wanted[32];
    const char *dropped = "a flag";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (dropped_flags(found) & flags[i].flag) dropped = flags[i].name;
    snprintf(seen, sizeof seen, "%lld", (long long)found->seen->flags);
    snprintf(wanted, sizeof wanted, "%lld", (long long)found->wanted->flags);
    adi_report(&test->sink, rule, ADI_CONSUMER, seen, wanted,
               "%s.flags has lost %s, which was handed over", found->place, dropped);
}

/* CD-030: a consumer hands flags on to its own consumers, also those that it ignores. */
void adi_exported_fields(struct adi_test *test, const struct ArrowSchema *schema,
                         const struct ArrowSchema *wanted) {
    static const struct {
        const char *rule;
        says_fn *says;
    } flags[] = {{"schema/dictionary-order-dropped", says_order},
                 {"schema/flags-dropped", says_flags}};
    const unsigned of_arrays = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS;
    bool of_batches =
        (test->now->scenario->role & of_arrays) == 0 && strcmp(wanted->format, "+s") == 0;
    struct twins root = {.seen = schema, .wanted = wanted, .of_batches = of_batches};
    struct twins found;
    strcpy(root.place, "schema");
    if (adi_schema_compare_type(schema, wanted, NULL) != 0) return;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (find_other(flags[i].says, &root, &found)) report_flags(test, flags[i].rule, &found);
    if (find_other(says_name, &root, &found))
        adi_report(&test->sink, "schema/names-differ", ADI_PRODUCER, name_of(found.seen),
                   name_of(found.wanted), "%s.name is another one than was handed over",
                   found.place);
    if (adi_role_relays(test->now->scenario->role) && find_other(says_metadata, &root, &found))
        adi_report(&test->sink, "schema/metadata-dropped", ADI_CONSUMER, NULL, NULL,
                   "%s.metadata has lost a pair that was handed over", found.place);
}
