/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of what is handed out as a table: a look-up in life/all.def, which says what its words
 * mean.
 */
#ifndef ADI_LIFE_H
#define ADI_LIFE_H

#include <stdbool.h>
#include <stddef.h>

enum adi_life_kind {
#define KIND(name, prefix, what) ADI_LIFE_##name,
#include "../life/all.def"
    ADI_LIFE_KINDS, /* how many */
};

enum adi_life_state {
#define STATE(name, what) ADI_IS_##name,
#include "../life/all.def"
    ADI_LIFE_STATES, /* how many */
};

enum adi_life_operation {
#define OPERATION(name, word, what) ADI_DO_##name,
#include "../life/all.def"
    ADI_LIFE_OPERATIONS, /* how many */
};

enum adi_edge_kind {
    ADI_EDGE_MISSING, /* the table has no such row */
    ADI_EDGE_GOES,
    ADI_EDGE_GIVES,
    ADI_EDGE_TAKES,
    ADI_EDGE_VIOLATES,
    ADI_EDGE_CANNOT,
};

struct adi_edge {
    enum adi_edge_kind kind;
    enum adi_life_state to;    /* ADI_EDGE_GOES, ADI_EDGE_GIVES */
    enum adi_life_state other; /* ADI_EDGE_GIVES: of the place that something comes to */
    const char *rule;          /* ADI_EDGE_VIOLATES: its id; else NULL */
};

/* The row of a pair, or what stands for one that the table need not have. Static. */
const struct adi_edge *adi_life_edge(enum adi_life_state state, enum adi_life_operation operation);
/* Must the table have a row for the pair: are both of one kind, or is one of the kind `place`? */
bool adi_life_needs_row(enum adi_life_state state, enum adi_life_operation operation);
bool adi_life_has_row(enum adi_life_state state, enum adi_life_operation operation);

enum adi_life_kind adi_life_kind_of(enum adi_life_state state);
enum adi_life_kind adi_life_kind_of_operation(enum adi_life_operation operation);
/* A kind's words: "array"; what begins its words in a program, "" where nothing does; "an array".
 */
const char *adi_life_kind_name(enum adi_life_kind kind);
const char *adi_life_prefix(enum adi_life_kind kind);
const char *adi_life_kind_what(enum adi_life_kind kind);

/* A row's words: "parted_pending"; 'm', 0 where a program has no word for it, and what stands
 * behind it, "S>T"; a sentence part. */
const char *adi_life_state_name(enum adi_life_state state);
const char *adi_life_state_what(enum adi_life_state state);
const char *adi_life_operation_name(enum adi_life_operation operation);
const char *adi_life_operation_what(enum adi_life_operation operation);
char adi_life_letter(enum adi_life_operation operation);
const char *adi_life_pattern(enum adi_life_operation operation);

/* Does it put something at a place where nothing was, from nowhere: an export? */
bool adi_life_puts(enum adi_life_operation operation);
/* May the place be written over: is nothing there that somebody would have to release? */
bool adi_life_is_free(enum adi_life_state state);
/* Does a callback of the kind hand out another one? */
bool adi_life_gives(enum adi_life_kind kind, enum adi_life_kind other);
bool adi_life_hands_out(enum adi_life_kind kind);
/* Has it an export? Else it is handed out, or moved out, by another. */
bool adi_life_is_exported(enum adi_life_kind kind);
/* Would it be too early to read what is there, or too late for good? */
bool adi_life_is_unready(enum adi_life_state state);
/* The state of a child or dictionary that is moved out of a parent in this state. */
enum adi_life_state adi_life_child_of(enum adi_life_state parent);

#endif /* ADI_LIFE_H */
