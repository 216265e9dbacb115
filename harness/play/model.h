/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program does, on paper: the life cycle of each slot, who made what is there, and which
 * child stands in which slot beside its parent. It touches no memory and judges nothing by itself:
 * it looks up in the table of the life cycle what each step leads to.
 */
#ifndef ADI_MODEL_H
#define ADI_MODEL_H

#include "abi.h"
#include "program.h"

#define ADI_MODEL_DICTIONARY                                                                       \
    ADI_PROGRAM_CHILDREN /* its number among the children that are gone                            \
                          */

/* Whose memory it is in: a relay's output may fail where an export does not. */
enum adi_maker {
    ADI_MADE_BY_export,
    ADI_MADE_BY_relay,
    ADI_MADE_BY_stream,         /* what a stream, asynchronous or not, has handed out */
    ADI_MADE_BY_relayed_stream, /* the same of a relay's */
};

/* What its maker has done since with memory that may be its own. A maker that frees too much is
 * found by a read afterwards; one that frees too early, when the memory is used again. */
enum adi_memory {
    ADI_MEMORY_UNTOUCHED,
    ADI_MEMORY_OTHER_RELEASED, /* something else that it made was released */
    ADI_MEMORY_GIVEN_BACK,     /* the parent that it was moved out of was released */
    ADI_MEMORY_USED_AGAIN,     /* and something was made since */
};

struct adi_model_slot {
    enum adi_life_state state;
    enum adi_maker maker; /* of what is there; the first where nothing is */
    enum adi_memory memory;
    int parent;                       /* the slot that its parent is in; -1: none is left */
    unsigned gone;                    /* bits: which children were moved out */
    bool to_come;                     /* a stream or task: what it hands out comes pending */
    bool moved;                       /* it is not where its maker has put it */
    const struct ArrowSchema *schema; /* of what is there; NULL: nothing */
};

struct adi_model {
    struct adi_model_slot slots[ADI_PROGRAM_SLOTS];
};

enum adi_model_verdict {
    ADI_STEP_NOTHING, /* there is no such child, or callback, or another kind: nothing is done */
    ADI_STEP_LEGAL,
    ADI_STEP_ILLEGAL,
};

/* Does it export what is to come: is there an event to wait on? */
bool adi_step_pends(const struct adi_step *step);

/* All slots are empty. */
void adi_model_init(struct adi_model *model);
/* What the step leads to. What is exported has the type `schema`, which outlives the model. A
 * release comes from another thread if `elsewhere`. ILLEGAL: `*rule` is broken, and the model is as
 * it was. */
enum adi_model_verdict adi_model_step(struct adi_model *model, const struct adi_step *step,
                                      const struct ArrowSchema *schema, bool elsewhere,
                                      const char **rule);
/* Is nothing left that somebody would have to release? */
bool adi_model_is_clean(const struct adi_model *model);

/* Is every step of the program legal, and is nothing left at its end? false: `*at` is the first
 * step that is not, and `*rule` what it breaks (NULL: there is nothing to do it to); program->n:
 * the end.
 */
bool adi_program_is_legal(const struct adi_program *program, const struct ArrowSchema *schema,
                          size_t *at, const char **rule);
/* Does it do what an implementation need not put up with: end an asynchronous stream of which there
 * is a task (what comes of that is open, docs/ambiguities.md, 18), or begin a second one while
 * there is a first, whose threads share its devices? */
bool adi_step_is_open(const struct adi_model *before, const struct adi_step *step,
                      const struct adi_model *after);
bool adi_program_is_open(const struct adi_program *program, const struct ArrowSchema *schema);
/* Appends releases of all that a legal program has left, tasks before their stream, parents before
 * what was moved out of them, as far as there is room. */
void adi_program_end(struct adi_program *program, const struct ArrowSchema *schema);

#endif /* ADI_MODEL_H */
