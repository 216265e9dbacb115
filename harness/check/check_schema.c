/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicates of rules/schema.def.
 */
#include <stddef.h>
#include <string.h>

#include "metadata.h"
#include "node.h"
#include "predicates.h"

#define KNOWN_FLAGS                                                                                \
    (ARROW_FLAG_DICTIONARY_ORDERED | ARROW_FLAG_NULLABLE | ARROW_FLAG_MAP_KEYS_SORTED)

/* A pointer to no elements may be anything. */
bool adi_holds_schema_written(const struct adi_node *node, struct adi_found *finding) {
    static const struct {
        const char *name;
        size_t at;
    } members[] = {
        {"format", offsetof(struct ArrowSchema, format)},
        {"name", offsetof(struct ArrowSchema, name)},
        {"metadata", offsetof(struct ArrowSchema, metadata)},
        /* CD-028: a producer without flags writes 0. */
        {"flags", offsetof(struct ArrowSchema, flags)},
        {"n_children", offsetof(struct ArrowSchema, n_children)},
        {"dictionary", offsetof(struct ArrowSchema, dictionary)},
        {"release", offsetof(struct ArrowSchema, release)},
        {"children", offsetof(struct ArrowSchema, children)},
    };
    if (node->parent != NULL || node->schema.release == NULL) return adi_not_applicable(finding);
    size_t count = sizeof members / sizeof *members - (node->schema.n_children == 0);
    for (size_t i = 0; i < count; i++)
        if (adi_poisoned((const char *)&node->schema + members[i].at, sizeof(void *)))
            return adi_see(finding, "the pattern from before the call", "a value of the producer",
                           "%s was not written", members[i].name);
    return true;
}

/* CD-036: every schema structure has a release callback. */
bool adi_holds_schema_release_set(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema_unreadable != ADI_COPIED)
        return adi_see(finding, NULL, "a schema", "the schema %s",
                       adi_unreadable_text(node->schema_unreadable));
    if (node->schema.release != NULL) return true;
    return adi_see(finding, "NULL", "a callback", "%s is NULL", adi_at(node, "release").text);
}

/* CD-013: a schema has a format, a string that ends in a zero byte. */
bool adi_holds_schema_format_readable(const struct adi_node *node, struct adi_found *finding) {
    if (!adi_unreadable_by_fault(node->format_unreadable)) return true;
    return adi_see(finding, adi_pointer(node->schema.format).text,
                   "a string that ends in a zero byte", "%s %s", adi_at(node, "format").text,
                   adi_unreadable_text(node->format_unreadable));
}

/* CD-013: the format is UTF-8 and describes a type. */
/* CD-066: the format of an extension type is that of its storage. */
bool adi_holds_schema_format_valid(const struct adi_node *node, struct adi_found *finding) {
    if (node->format == NULL) return adi_not_applicable(finding);
    if (node->type_known) return true;
    return adi_see(finding, adi_words("\"%s\"", node->format).text, "a format string", "%s: %s",
                   adi_at(node, "format").text, node->type_error);
}

/* CD-004: the time zone follows the colon as it is, without quotation marks. */
bool adi_holds_schema_timezone_bare(const struct adi_node *node, struct adi_found *finding) {
    if (!node->type_known || node->type.timezone == NULL) return adi_not_applicable(finding);
    if (*node->type.timezone != '"' && *node->type.timezone != '\'') return true;
    return adi_see(finding, node->format, "the time zone without quotation marks",
                   "%s has its time zone in quotation marks", adi_at(node, "format").text);
}

/* CD-003, CD-031: a schema has as many children as its type, which have their names and types. */
bool adi_holds_schema_child_count(const struct adi_node *node, struct adi_found *finding) {
    int64_t seen = node->schema.n_children;
    if (!node->type_known && seen >= 0) return adi_not_applicable(finding);
    int64_t wanted = node->type_known ? node->type.n_children : -1;
    if (seen >= 0 && (wanted < 0 || seen == wanted)) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text,
                   wanted < 0 ? "0 or more" : adi_words("%" PRId64, wanted).text,
                   "%s is %" PRId64 " in a schema of type %s", adi_at(node, "n_children").text,
                   seen, node->type_known ? node->type.name : "unknown");
}

/* CD-033: `children` may be NULL only if there are none. */
bool adi_holds_schema_children_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.n_children <= 0) return adi_not_applicable(finding);
    if (!adi_unreadable_by_fault(node->schema_children_unreadable)) return true;
    return adi_see(finding, adi_pointer(node->schema.children).text,
                   adi_words("%" PRId64 " pointers", node->schema.n_children).text,
                   "%s %s, n_children is %" PRId64, adi_at(node, "children").text,
                   adi_unreadable_text(node->schema_children_unreadable), node->schema.n_children);
}

/* CD-032: there are n_children pointers, each to a schema. */
bool adi_holds_schema_child_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->n_children == 0) return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_children; i++) {
        const struct adi_node *child = node->children[i];
        if (!adi_unreadable_by_fault(child->schema_unreadable)) continue;
        return adi_see(finding, adi_pointer(child->schema_at).text, "the schema of a child",
                       "%s %s", adi_at(child, "%s", "").text,
                       adi_unreadable_text(child->schema_unreadable));
    }
    return true;
}

/* CD-017: a name is UTF-8 and ends in a zero byte. */
bool adi_holds_schema_name_valid(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.name == NULL || node->name_unreadable == ADI_CUT)
        return adi_not_applicable(finding);
    if (node->name == NULL)
        return adi_see(finding, adi_pointer(node->schema.name).text,
                       "NULL, or a string that ends in a zero byte", "%s %s",
                       adi_at(node, "name").text, adi_unreadable_text(node->name_unreadable));
    int64_t bad = adi_utf8_error(node->name, (int64_t)strlen(node->name));
    if (bad < 0) return true;
    return adi_see(finding, adi_words("byte 0x%02x", (unsigned char)node->name[bad]).text, "UTF-8",
                   "%s is no UTF-8 at byte %" PRId64, adi_at(node, "name").text, bad);
}

/* CD-022: a schema without metadata has NULL there, not an empty string. */
bool adi_holds_schema_metadata_omitted(const struct adi_node *node, struct adi_found *finding) {
    char first = 1;
    if (node->metadata_error != NULL) (void)adi_safe_read(&first, node->schema.metadata, 1);
    if (first != '\0') return true;
    return adi_see(finding, "an empty string", "NULL", "%s is an empty string",
                   adi_at(node, "metadata").text);
}

/* CD-020: metadata is a count of pairs, then each key and value behind its length. */
bool adi_holds_schema_metadata_formed(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.metadata == NULL) return adi_not_applicable(finding);
    if (node->metadata_error == NULL) return true;
    return adi_see(finding, NULL, "pairs of keys and values, each behind its length", "%s: %s",
                   adi_at(node, "metadata").text, node->metadata_error);
}

static bool is_key(const struct adi_pair *pair, const char *key) {
    return (size_t)pair->key_bytes == strlen(key) &&
           memcmp(pair->key, key, (size_t)pair->key_bytes) == 0;
}

/* CD-067, CD-068: ARROW:extension:name names the type that ARROW:extension:metadata describes. */
bool adi_holds_schema_extension_named(const struct adi_node *node, struct adi_found *finding) {
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    bool is_extension = false, named = false;
    if (node->metadata == NULL ||
        adi_metadata_open((const char *)node->metadata, (size_t)node->metadata_size, &reader,
                          NULL) != 0)
        return adi_not_applicable(finding);
    while (adi_metadata_next(&reader, &pair, NULL) == 0) {
        bool name = is_key(&pair, "ARROW:extension:name");
        is_extension |= name || is_key(&pair, "ARROW:extension:metadata");
        named |= name && pair.value_bytes > 0;
    }
    if (!is_extension) return adi_not_applicable(finding);
    if (named) return true;
    return adi_see(finding, NULL, "the key ARROW:extension:name and a value",
                   "%s describes an extension type without a name", adi_at(node, "metadata").text);
}

/* CD-024: flags are the bitwise or of those that the document names. */
/* CD-100: later versions may add flags, so an unknown one is a note only. */
bool adi_holds_schema_flags_known(const struct adi_node *node, struct adi_found *finding) {
    if ((node->schema.flags & ~(int64_t)KNOWN_FLAGS) == 0) return true;
    return adi_see(finding, adi_words("0x%" PRIx64, node->schema.flags).text,
                   "bits 1, 2 and 4 only", "%s has bits that no flag has",
                   adi_at(node, "flags").text);
}

bool adi_holds_schema_flags_apply(const struct adi_node *node, struct adi_found *finding) {
    const bool ordered = (node->schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    const bool sorted = (node->schema.flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0;
    if (!node->type_known || (!ordered && !sorted)) return adi_not_applicable(finding);
    /* CD-026: the order of indices means something only beside a dictionary. */
    if (ordered && node->schema.dictionary == NULL)
        return adi_see(finding, adi_words("0x%" PRIx64, node->schema.flags).text,
                       "no ARROW_FLAG_DICTIONARY_ORDERED",
                       "%s says that a dictionary is ordered, the type has none",
                       adi_at(node, "flags").text);
    /* CD-027: only a map has keys that may be sorted. */
    if (sorted && strcmp(node->type.name, "map") != 0)
        return adi_see(finding, adi_words("0x%" PRIx64, node->schema.flags).text,
                       "no ARROW_FLAG_MAP_KEYS_SORTED",
                       "%s says that the keys of a map are sorted, the type is %s",
                       adi_at(node, "flags").text, node->type.name);
    return true;
}

/* CD-034: a dictionary-encoded type has the schema of its values in `dictionary`. */
bool adi_holds_schema_dictionary_readable(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.dictionary == NULL || node->dictionary == NULL)
        return adi_not_applicable(finding);
    if (!adi_unreadable_by_fault(node->dictionary->schema_unreadable)) return true;
    return adi_see(finding, adi_pointer(node->schema.dictionary).text,
                   "NULL, or the schema of the values", "%s %s", adi_at(node, "dictionary").text,
                   adi_unreadable_text(node->dictionary->schema_unreadable));
}

/* CD-002, CD-035: beside a dictionary the format is that of the indices; other types have none. */
bool adi_holds_schema_index_integer(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.dictionary == NULL || !node->type_known) return adi_not_applicable(finding);
    if (node->type.is_integer) return true;
    return adi_see(finding, adi_words("\"%s\"", node->format).text, "one of c C s S i I l L",
                   "%s is of type %s beside a dictionary", adi_at(node, "format").text,
                   node->type.name);
}

/* CD-006: a map has one child, a struct of key and value. */
bool adi_holds_schema_map_entries(const struct adi_node *node, struct adi_found *finding) {
    if (!node->type_known || strcmp(node->type.name, "map") != 0 || node->n_children != 1)
        return adi_not_applicable(finding);
    const struct adi_node *entries = node->children[0];
    if (!entries->type_known) return adi_not_applicable(finding);
    bool is_struct = entries->type.layout == ADI_LAYOUT_STRUCT;
    if (is_struct && entries->schema.n_children == 2) return true;
    return adi_see(
        finding,
        adi_words("\"%s\" with %" PRId64 " children", entries->format, entries->schema.n_children)
            .text,
        "\"+s\" with 2 children", "%s, the entries of a map, is no struct of two",
        adi_at(entries, "%s", "").text);
}

/* CD-007: the first of two children has the run ends, which are integers. */
bool adi_holds_schema_run_ends(const struct adi_node *node, struct adi_found *finding) {
    if (!node->type_known || node->type.layout != ADI_LAYOUT_RUN_END || node->n_children != 2)
        return adi_not_applicable(finding);
    const struct adi_node *ends = node->children[0];
    if (!ends->type_known) return adi_not_applicable(finding);
    bool fits = ends->type.is_integer && ends->type.is_signed && ends->type.bits >= 16;
    if (fits && ends->schema.dictionary == NULL) return true;
    return adi_see(finding, adi_words("\"%s\"", ends->format).text, "one of s i l, no dictionary",
                   "%s, the run ends, is of type %s%s", adi_at(ends, "%s", "").text,
                   ends->type.name, ends->schema.dictionary == NULL ? "" : " with a dictionary");
}
