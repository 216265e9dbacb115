/* SPDX-License-Identifier: Apache-2.0
 *
 * Every state that programs over a few slots can come to, and what leads from one to the next: the
 * model, searched breadth first. To play all of it is to go each way on which the life cycle can
 * lead, and break.
 */
#ifndef ADI_COVER_H
#define ADI_COVER_H

#include "model.h"

#define ADI_COVER_CHILDREN 2 /* of a structure; more are like the second */

/* A step in a state. */
struct adi_cover_edge {
    struct adi_step step;
    bool elsewhere;   /* a release on another thread */
    const char *rule; /* that it breaks; NULL: it is legal */
    size_t to;        /* the state afterwards */
};

struct adi_cover_state {
    struct adi_model model;
    uint64_t key;      /* what makes it this state and no other */
    size_t first, n;   /* its edges */
    size_t before, by; /* the state and the edge by which it was first reached; by 0: the start */
    size_t depth;
};

struct adi_cover {
    const struct ArrowSchema *schema;
    unsigned makers;                /* that are told apart */
    struct adi_cover_state *states; /* in the order of their depth; the first has empty slots */
    struct adi_cover_edge *edges;   /* what would do nothing is left out */
    size_t n_states, n_edges, n_legal, n_illegal;
    size_t rows_states, rows_edges; /* how many there is room for */
};

#define ADI_COVER(name) (UINT64_C(1) << ADI_DO_##name)
/* Those of a kind, those that act on whatever there is, and those on what the callbacks of the kind
 * hand out, which is exported in no other way: a kind is walked together with what comes of it. */
uint64_t adi_cover_operations(enum adi_life_kind kind);

#define ADI_COVER_MAKER(name) (1u << ADI_MADE_BY_##name)

/* Searches the programs over `slots` slots, of the operations whose bits are set, in which
 * structures of the type `schema` are exported; it outlives the cover. That one of `makers` has
 * made what is in a slot is part of the state, and so is what has become of its memory; what others
 * have made is alike. `alike`: so are slots, which differ by their number only, and what an
 * implementation need not put up with (adi_step_is_open) is left out. ENOMEM: nothing is left to
 * free. */
int adi_cover_open(struct adi_cover *cover, const struct ArrowSchema *schema, int slots,
                   uint64_t operations, unsigned makers, bool alike);
void adi_cover_free(struct adi_cover *cover);

/* Calls `play` with a short program along each legal edge that is one of `operations`, or done to
 * what one of the cover's makers has made, until it returns false. The program leaves nothing
 * behind; those with one export come first, the shortest ways before others. */
void adi_cover_programs(const struct adi_cover *cover, uint64_t operations,
                        bool (*play)(void *context, const struct adi_program *program),
                        void *context);

/* The shortest way to a state: a program, `t+` and `t-` where it needs them. */
void adi_cover_path(const struct adi_cover *cover, size_t state, struct adi_program *out);
/* Appends the edge's step, with the switch in front of it that it needs; `*elsewhere` is what the
 * switch is at. */
void adi_cover_append(const struct adi_cover_edge *edge, bool *elsewhere,
                      struct adi_program *program);

#endif /* ADI_COVER_H */
