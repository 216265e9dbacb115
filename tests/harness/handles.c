/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of handles is true and whole: its numbers are those of the structures, every word in it
 * is explained, every callback has a row and a place in a life, and every life hangs together.
 */
#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles_page.h"
#include "kind.h"
#include "page.h"

Suite *harness_handles_suite(void);

/* Structures that ref/abi.h does not define: ArrowAsyncProducer as it is printed, and DLPack's. */

struct adi_published_producer {
    ArrowDeviceType device_type;
    void (*request)(struct adi_published_producer *, int64_t);
    void (*cancel)(struct adi_published_producer *);
    void (*release)(struct adi_published_producer *);
    const char *additional_metadata;
    void *private_data;
};

struct dl_tensor {
    void *data;
    struct {
        int32_t device_type, device_id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

struct DLManagedTensor {
    struct dl_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *);
};

struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *);
    uint64_t flags;
    struct dl_tensor dl_tensor;
};

#define FOR_EACH(i, rows) for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)

static const struct {
    const char *column, *word;
} words[] = {
#define WORD(column, word, meaning) {#column, #word},
#include "../../harness/handles.def"
};

static const char *const documents[] = {
#define DOCUMENT(letter, title, text) #letter,
#include "../../harness/handles.def"
};

static const struct handle {
    const char *id, *maker, *travels, *ends, *life, *document;
    size_t bytes, real_bytes;
} handles[] = {
#define SIZE_abi(structure)       sizeof(struct structure)
#define SIZE_published(structure) sizeof(struct structure)
#define SIZE_dlpack(structure)    sizeof(struct structure)
#define SIZE_python(structure)    0
#define HANDLE(where, id, structure, bytes, maker, travels, ends, life, document, section, what)   \
    {#id, #maker, #travels, #ends, #life, #document, bytes, SIZE_##where(structure)},
#include "../../harness/handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *name, *role, *kept;
    size_t offset, bytes, real_offset, real_bytes;
} members[] = {
#define AT(structure, member)                                                                      \
    offsetof(struct structure, member), sizeof(((struct structure *)0)->member)
#define AT_abi(structure, member)       AT(structure, member)
#define AT_published(structure, member) AT(structure, member)
#define AT_dlpack(structure, member)    AT(structure, member)
#define AT_python(structure, member)    0, 0
#define MEMBER(where, id, structure, member, offset, bytes, role, kept, what)                      \
    {ADI_KIND_##id, #member, #role, #kept, offset, bytes, AT_##where(structure, member)},
#include "../../harness/handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *name, *caller;
} callbacks[] = {
#define CALLBACK(id, callback, caller, threads, order, answer) {ADI_KIND_##id, #callback, #caller},
#include "../../harness/handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *how, *through;
} outs[] = {
#define COMES_OUT(id, how, through, what, lasts) {ADI_KIND_##id, #how, through},
#include "../../harness/handles.def"
};

static const struct state {
    enum adi_kind_id handle;
    const char *name, *legal, *forbidden;
} states[] = {
#define STATE(id, state, what, legal, forbidden) {ADI_KIND_##id, #state, legal, forbidden},
#include "../../harness/handles.def"
};

/* ---- numbers ---- */

#if UINTPTR_MAX == UINT64_MAX
START_TEST(sizes_and_offsets_are_those_of_the_structures)
{
    FOR_EACH(i, handles)
    ck_assert_msg(handles[i].bytes == handles[i].real_bytes, "%s has %zu bytes", handles[i].id,
                  handles[i].real_bytes);
    FOR_EACH(i, members)
    ck_assert_msg(members[i].offset == members[i].real_offset &&
                      members[i].bytes == members[i].real_bytes,
                  "%s.%s: %zu bytes at %zu", handles[members[i].handle].id, members[i].name,
                  members[i].real_bytes, members[i].real_offset);
}
END_TEST
#endif

/* Between two members there is no more than padding. */
START_TEST(no_member_is_left_out)
{
    for (enum adi_kind_id h = 0; h < ADI_KINDS; h++) {
        size_t end = 0;
        FOR_EACH(i, members) {
            if (members[i].handle != h || strchr(members[i].name, '.') != NULL) continue;
            ck_assert_msg(members[i].offset >= end && members[i].offset < end + 8, "%s: before %s",
                          handles[h].id, members[i].name);
            end = members[i].offset + members[i].bytes;
        }
        ck_assert_msg(end == handles[h].bytes, "%s: at its end", handles[h].id);
    }
}
END_TEST

static void expect_kind(const struct adi_kind *kind, const char *name, const char *owned) {
    char all[200] = "";
    ck_assert_str_eq(kind->name, name);
    FOR_EACH(i, kind->owned) {
        if (kind->owned[i].name == NULL) continue;
        strcat(all, kind->owned[i].name);
        strcat(all, " ");
    }
    ck_assert_str_eq(all, owned);
}

#define EXPECT_AT(kind, structure, member)                                                         \
    ck_assert_uint_eq((kind)->member, offsetof(struct structure, member))

#define EXPECT_PARTS_AT(kind, structure)                                                           \
    do {                                                                                           \
        ck_assert_uint_eq((kind)->size, sizeof(struct structure));                                 \
        EXPECT_AT(kind, structure, n_children);                                                    \
        EXPECT_AT(kind, structure, children);                                                      \
        EXPECT_AT(kind, structure, dictionary);                                                    \
        EXPECT_AT(kind, structure, release);                                                       \
        EXPECT_AT(kind, structure, private_data);                                                  \
    } while (0)

START_TEST(the_monitor_knows_schemas_and_arrays_by_the_table)
{
    expect_kind(&adi_kind_schema, "schema", "format name metadata n_children children dictionary ");
    expect_kind(&adi_kind_array, "array", "n_buffers n_children buffers children dictionary ");
    EXPECT_PARTS_AT(&adi_kind_schema, ArrowSchema);
    EXPECT_PARTS_AT(&adi_kind_array, ArrowArray);
    ck_assert_uint_eq(adi_kind_schema.owned[2].offset, offsetof(struct ArrowSchema, metadata));
    ck_assert_uint_eq(adi_kind_array.owned[4].offset, offsetof(struct ArrowArray, dictionary));
}
END_TEST

/* ---- words ---- */

static bool is_word(const char *column, const char *word) {
    FOR_EACH(i, words)
    if (strcmp(words[i].column, column) == 0 && strcmp(words[i].word, word) == 0) return true;
    return false;
}

static void expect_word(const char *column, const char *word, enum adi_kind_id handle) {
    ck_assert_msg(is_word(column, word), "%s: what is the %s %s?", handles[handle].id, column,
                  word);
}

static bool is_one_of(const char *word, const char *const *known) {
    for (; *known != NULL; known++)
        if (strcmp(*known, word) == 0) return true;
    return false;
}

static const char *const parties[] = {"producer", "consumer", "interpreter", "user", NULL};

static bool is_member(enum adi_kind_id handle, const char *name) {
    FOR_EACH(i, members)
    if (members[i].handle == handle && strcmp(members[i].name, name) == 0) return true;
    return strchr(name, '.') != NULL; /* of a handle within */
}

START_TEST(every_word_is_explained)
{
    for (enum adi_kind_id h = 0; h < ADI_KINDS; h++) {
        bool known = false;
        expect_word("travels", handles[h].travels, h);
        expect_word("ends", handles[h].ends, h);
        ck_assert_msg(is_one_of(handles[h].maker, parties), "%s", handles[h].maker);
        FOR_EACH(i, documents) known = known || strcmp(documents[i], handles[h].document) == 0;
        ck_assert_msg(known, "%s: which document is %s?", handles[h].id, handles[h].document);
    }
    FOR_EACH(i, members) {
        expect_word("role", members[i].role, members[i].handle);
        expect_word("kept", members[i].kept, members[i].handle);
    }
    FOR_EACH(i, outs) {
        expect_word("how", outs[i].how, outs[i].handle);
        ck_assert_msg(is_member(outs[i].handle, outs[i].through), "%s", outs[i].through);
    }
}
END_TEST

/* ---- callbacks ---- */

static bool is_callback(enum adi_kind_id handle, const char *name) {
    FOR_EACH(i, callbacks)
    if (callbacks[i].handle == handle && strcmp(callbacks[i].name, name) == 0) return true;
    return false;
}

START_TEST(every_callback_has_a_row)
{
    size_t called = 0;
    FOR_EACH(i, members) {
        bool call = strcmp(members[i].role, "CALL") == 0 || strcmp(members[i].role, "RELEASE") == 0;
        ck_assert_msg(call == is_callback(members[i].handle, members[i].name), "%s.%s",
                      handles[members[i].handle].id, members[i].name);
        called += call ? 1 : 0;
    }
    ck_assert_uint_eq(called, sizeof callbacks / sizeof *callbacks); /* each once */
    FOR_EACH(i, callbacks)
    ck_assert_msg(is_one_of(callbacks[i].caller, parties), "%s", callbacks[i].caller);
}
END_TEST

/* ---- lives ---- */

static const struct state *state_of(enum adi_kind_id handle, const char *name) {
    FOR_EACH(i, states)
    if (states[i].handle == handle && strcmp(states[i].name, name) == 0) return &states[i];
    return NULL;
}

static enum adi_kind_id handle_named(const char *id) {
    enum adi_kind_id h = 0;
    while (h < ADI_KINDS && strcmp(handles[h].id, id) != 0) h++;
    return h;
}

/* Of this handle, or of one that has the same life. */
static bool is_operation(enum adi_kind_id handle, const char *name) {
    for (enum adi_kind_id h = 0; h < ADI_KINDS; h++)
        if (strcmp(handles[h].life, handles[handle].id) == 0 && is_callback(h, name)) return true;
    return is_word("operation", name);
}

/* The operation at `*at`, and what stands behind its colon; false at the end. */
static bool next_entry(char **at, char **operation, char **rest) {
    if (*at == NULL || **at == '\0') return false;
    *operation = *at;
    char *end = strstr(*at, "; ");
    *at = end == NULL ? NULL : end + 2;
    if (end != NULL) *end = '\0';
    *rest = strstr(*operation, ": ");
    ck_assert_msg(*rest != NULL, "\"%s\" has no colon", *operation);
    **rest = '\0';
    *rest += 2;
    return true;
}

/* The next of words between commas and "or"; NULL: there is none. */
static char *next_word(char **at) {
    char *word;
    do word = strsep(at, " ,");
    while (word != NULL && (*word == '\0' || strcmp(word, "or") == 0));
    return word;
}

static void check_guard(char *guard) {
    for (char *word; (word = next_word(&guard)) != NULL;) {
        char *state = strchr(word, '.');
        ck_assert_msg(state != NULL, "if %s", word);
        *state++ = '\0';
        enum adi_kind_id other = handle_named(word);
        ck_assert_msg(other < ADI_KINDS && state_of(other, state) != NULL, "%s.%s", word, state);
    }
}

/* Marks what the state leads to. */
static void check_legal(const struct state *state, bool *reached) {
    char text[400], *at = text, *operation, *rest;
    snprintf(text, sizeof text, "%s", state->legal);
    ck_assert_uint_lt(strlen(state->legal), sizeof text);
    while (next_entry(&at, &operation, &rest)) {
        ck_assert_msg(is_operation(state->handle, operation), "%s: %s?", state->name, operation);
        char *guard = strstr(rest, " if ");
        if (guard != NULL) *guard = '\0', check_guard(guard + 4);
        for (char *to; (to = next_word(&rest)) != NULL;) {
            const struct state *next = state_of(state->handle, to);
            ck_assert_msg(next != NULL, "%s, %s leads to %s?", state->name, operation, to);
            if (next != state) reached[next - states] = true;
        }
    }
}

static bool is_legal(const struct state *state, const char *operation) {
    char text[400], *at = text, *legal, *rest;
    snprintf(text, sizeof text, "%s", state->legal);
    while (next_entry(&at, &legal, &rest))
        if (strcmp(legal, operation) == 0) return true;
    return false;
}

static void check_forbidden(const struct state *state) {
    static const char *const strengths[] = {"MUST", "SHOULD", "implied", "open", NULL};
    char text[400], *at = text, *operation, *rest;
    snprintf(text, sizeof text, "%s", state->forbidden);
    ck_assert_uint_lt(strlen(state->forbidden), sizeof text);
    while (next_entry(&at, &operation, &rest)) {
        ck_assert_msg(is_operation(state->handle, operation), "%s: %s?", state->name, operation);
        ck_assert_msg(!is_legal(state, operation), "%s is both in %s", operation, state->name);
        char *strength = next_word(&rest), *party = next_word(&rest);
        ck_assert_msg(is_one_of(strength, strengths), "%s: %s", state->name, strength);
        ck_assert_msg(party != NULL && is_one_of(party, parties), "%s: who?", state->name);
    }
}

START_TEST(every_life_hangs_together)
{
    bool reached[sizeof states / sizeof *states] = {false};
    FOR_EACH(i, states) {
        check_legal(&states[i], reached);
        check_forbidden(&states[i]);
    }
    FOR_EACH(i, states)
    ck_assert_msg(reached[i] || strcmp(states[i].name, "empty") == 0, "nothing leads to %s.%s",
                  handles[states[i].handle].id, states[i].name);
}
END_TEST

START_TEST(every_handle_has_a_life_and_every_callback_a_place_in_it)
{
    for (enum adi_kind_id h = 0; h < ADI_KINDS; h++) {
        size_t n = 0;
        enum adi_kind_id life = handle_named(handles[h].life);
        if (strcmp(handles[h].life, "life_def") == 0) continue;
        FOR_EACH(i, states) n += states[i].handle == life ? 1 : 0;
        ck_assert_msg(n > 0, "%s: where is the life of %s?", handles[h].id, handles[h].life);
        FOR_EACH(i, callbacks) {
            bool used = callbacks[i].handle != h;
            FOR_EACH(s, states)
            used = used || (states[s].handle == life && is_legal(&states[s], callbacks[i].name));
            ck_assert_msg(used, "%s.%s is legal nowhere", handles[h].id, callbacks[i].name);
        }
    }
}
END_TEST

START_TEST(the_page_is_the_committed_one)
{ expect_page("docs/handles.md", adi_handles_page); }
END_TEST

Suite *harness_handles_suite(void) {
    Suite *suite = suite_create("harness_handles");
    TCase *table = tcase_create("table");
#if UINTPTR_MAX == UINT64_MAX
    tcase_add_test(table, sizes_and_offsets_are_those_of_the_structures);
#endif
    tcase_add_test(table, no_member_is_left_out);
    tcase_add_test(table, the_monitor_knows_schemas_and_arrays_by_the_table);
    tcase_add_test(table, every_word_is_explained);
    tcase_add_test(table, every_callback_has_a_row);
    tcase_add_test(table, every_life_hangs_together);
    tcase_add_test(table, every_handle_has_a_life_and_every_callback_a_place_in_it);
    tcase_add_test(table, the_page_is_the_committed_one);
    suite_add_tcase(suite, table);
    return suite;
}
