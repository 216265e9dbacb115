/* SPDX-License-Identifier: Apache-2.0 */
#include "life.h"

#include <pthread.h>
#include <string.h>

/* The first state and the first operation of each kind. */
#define KIND(name, ...)  first_state_##name, before_state_##name = first_state_##name - 1,
#define STATE(name, ...) state_##name,
enum {
#include "../life/all.def"
};
#define KIND(name, ...)                                                                            \
    first_operation_##name, before_operation_##name = first_operation_##name - 1,
#define OPERATION(name, ...) operation_##name,
enum {
#include "../life/all.def"
};

#define GOES(state)                                                                                \
    { ADI_EDGE_GOES, ADI_IS_##state, ADI_IS_empty, NULL }
#define GIVES(state, other)                                                                        \
    { ADI_EDGE_GIVES, ADI_IS_##state, ADI_IS_##other, NULL }
#define TAKES                                                                                      \
    { ADI_EDGE_TAKES, ADI_IS_empty, ADI_IS_empty, NULL }
#define VIOLATES(rule)                                                                             \
    { ADI_EDGE_VIOLATES, ADI_IS_empty, ADI_IS_empty, rule }
#define CANNOT                                                                                     \
    { ADI_EDGE_CANNOT, ADI_IS_empty, ADI_IS_empty, NULL }

static const struct adi_edge edges[ADI_LIFE_STATES][ADI_LIFE_OPERATIONS] = {
#define EDGE(state, operation, outcome) [ADI_IS_##state][ADI_DO_##operation] = outcome,
#include "../life/all.def"
};

/* The kinds begin with these. */
static const struct {
    enum adi_life_state state;
    enum adi_life_operation operation;
    const char *name, *prefix, *what;
} kinds[] = {
#define KIND(name, prefix, what)                                                                   \
    {(enum adi_life_state)first_state_##name, (enum adi_life_operation)first_operation_##name,     \
     #name, prefix, what},
#include "../life/all.def"
};

static const struct {
    const char *name, *what;
} states[] = {
#define STATE(name, what) {#name, what},
#include "../life/all.def"
};

static const struct {
    const char *name, *what, *word;
} operations[] = {
#define OPERATION(name, word, what) {#name, what, word},
#include "../life/all.def"
};

enum adi_life_kind adi_life_kind_of(enum adi_life_state state) {
    enum adi_life_kind kind = ADI_LIFE_KINDS - 1;
    while (kinds[kind].state > state) kind--;
    return kind;
}

enum adi_life_kind adi_life_kind_of_operation(enum adi_life_operation operation) {
    enum adi_life_kind kind = ADI_LIFE_KINDS - 1;
    while (kinds[kind].operation > operation) kind--;
    return kind;
}

const char *adi_life_kind_name(enum adi_life_kind kind) {
    return kinds[kind].name;
}

const char *adi_life_prefix(enum adi_life_kind kind) {
    return kinds[kind].prefix;
}

const char *adi_life_kind_what(enum adi_life_kind kind) {
    return kinds[kind].what;
}

bool adi_life_needs_row(enum adi_life_state state, enum adi_life_operation operation) {
    enum adi_life_kind of = adi_life_kind_of(state), by = adi_life_kind_of_operation(operation);
    return of == by || of == ADI_LIFE_place || by == ADI_LIFE_place;
}

bool adi_life_has_row(enum adi_life_state state, enum adi_life_operation operation) {
    return edges[state][operation].kind != ADI_EDGE_MISSING;
}

const struct adi_edge *adi_life_edge(enum adi_life_state state, enum adi_life_operation operation) {
    static const struct adi_edge cannot = CANNOT;
    if (adi_life_has_row(state, operation)) return &edges[state][operation];
    if (!adi_life_puts(operation)) return &cannot;
    return adi_life_is_free(state) ? &edges[ADI_IS_empty][operation]
                                   : &edges[state][ADI_DO_receive];
}

const char *adi_life_state_name(enum adi_life_state state) {
    return states[state].name;
}

const char *adi_life_state_what(enum adi_life_state state) {
    return states[state].what;
}

const char *adi_life_operation_name(enum adi_life_operation operation) {
    return operations[operation].name;
}

const char *adi_life_operation_what(enum adi_life_operation operation) {
    return operations[operation].what;
}

char adi_life_letter(enum adi_life_operation operation) {
    return operations[operation].word[0];
}

const char *adi_life_pattern(enum adi_life_operation operation) {
    const char *word = operations[operation].word;
    return *word == '\0' ? word : word + 1;
}

bool adi_life_puts(enum adi_life_operation operation) {
    const struct adi_edge *at_empty = &edges[ADI_IS_empty][operation];
    return at_empty->kind == ADI_EDGE_GOES && !adi_life_is_free(at_empty->to);
}

bool adi_life_is_free(enum adi_life_state state) {
    return edges[state][ADI_DO_receive].kind == ADI_EDGE_TAKES;
}

bool adi_life_gives(enum adi_life_kind kind, enum adi_life_kind other) {
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
            const struct adi_edge *edge = adi_life_edge(s, o);
            if (edge->kind == ADI_EDGE_GIVES && adi_life_kind_of(s) == kind &&
                adi_life_kind_of(edge->other) == other)
                return true;
        }
    return false;
}

/* By kind: the model asks at each step. */
static bool hands_out[ADI_LIFE_KINDS];
static pthread_once_t asked = PTHREAD_ONCE_INIT;

static void ask_all(void) {
    for (enum adi_life_kind kind = 0; kind < ADI_LIFE_KINDS; kind++)
        for (enum adi_life_kind other = 0; other < ADI_LIFE_KINDS; other++)
            hands_out[kind] = hands_out[kind] || adi_life_gives(kind, other);
}

bool adi_life_hands_out(enum adi_life_kind kind) {
    pthread_once(&asked, ask_all);
    return hands_out[kind];
}

bool adi_life_is_exported(enum adi_life_kind kind) {
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++)
        if (adi_life_kind_of_operation(o) == kind && adi_life_puts(o)) return true;
    return false;
}

bool adi_life_is_unready(enum adi_life_state state) {
    const char *rule = edges[state][ADI_DO_read].rule;
    return rule != NULL && strcmp(rule, "sync/read-before-wait") == 0;
}

enum adi_life_state adi_life_child_of(enum adi_life_state parent) {
    return adi_life_is_unready(parent) ? ADI_IS_child_pending : ADI_IS_child;
}
