/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of operations on what was exported, a word each, over a few numbered slots, each of
 * which has the kind of what lies in it:
 *
 *   e0      export to slot 0           p0      export with an event, the data to come
 *   m01     move from slot 0 to 1      y01     relay: import and export without a copy
 *   c0.1>2  move child 1 of 0 to 2     d0>2    move the dictionary of 0 to 2
 *   w0      wait on the event of 0     r0      read the buffers
 *   x0      call the release callback  X0.1    call that of child 1, in its place
 *   u0      consume                    z0      forget what is in slot 0
 *   t+ t-   from here on releases come from another thread, or no longer
 *
 * m, x, t and z do so with whatever lies there; the others are about arrays. Those of another kind
 * begin with its prefix:
 *
 *   se0     export a stream of two chunks to slot 0
 *   sp0     the same, the chunks come with events, the data is to come
 *   sf0     export one that fails behind its first chunk
 *   sn0>1   get_next of the stream in 0, the chunk goes to 1
 *   sh0>1   get_schema, the schema goes to 1
 *   hr1     read the schema            sl0     get_last_error
 *   sy01    relay what remains of it   su0     consume what remains of it
 *
 *   ae0     hand a handler over, for an asynchronous stream of two tasks; ap0, af0: as of streams
 *   ar0     request(1)                 ac0     cancel
 *   an0>1   wait for a task, a copy of which goes to 1
 *   aj0     request(1), of which on_next_task answers an error
 *   x0      cancel, and wait for the release of the handler; only that at the end and after errors
 *   ke1>2   extract_data of the task in 1, the array goes to 2       x1     the same with NULL
 *   aq0 ak0 request(0); the release calls cancel: never right
 *
 * What the operations mean, when they are legal, and how their words are written, is in
 * life/all.def; at the end of a program all slots are forgotten. A program is a text, or bytes, of
 * which every sequence is a program.
 */
#ifndef ADI_PROGRAM_H
#define ADI_PROGRAM_H

#include <stdint.h>

#include "error.h"
#include "life.h"

#define ADI_PROGRAM_SLOTS    4
#define ADI_PROGRAM_CHILDREN 4
#define ADI_PROGRAM_STEPS    256 /* the most */

/* A word. Operands that its operation does not have are 0. ADI_DO_release_elsewhere is the switch
 * `t`: `slot` is 1 for t+, 0 for t-. */
struct adi_step {
    enum adi_life_operation operation;
    int slot, child, to;
};

struct adi_program {
    struct adi_step steps[ADI_PROGRAM_STEPS];
    size_t n;
};

/* All words there are, in a fixed order. */
size_t adi_step_count(void);
struct adi_step adi_step_at(size_t index);
/* Has the operation this operand: 'S' the slot, 'T' another slot, 'C' a child? */
bool adi_step_has(const struct adi_step *step, char operand);

/* The bytes of a word are its index, the low byte first. Any two bytes are a word (those beyond the
 * last begin again), a last one by itself is none; what is too long is cut. */
#define ADI_WORD_BYTES    2
#define ADI_PROGRAM_BYTES (ADI_WORD_BYTES * ADI_PROGRAM_STEPS)
void adi_program_of_bytes(const uint8_t *bytes, size_t n, struct adi_program *out);
/* Returns how many bytes it has written. */
size_t adi_program_bytes(const struct adi_program *program, uint8_t out[ADI_PROGRAM_BYTES]);

/* The same as a text, for a record: none of its bytes is 0 but the last. */
#define ADI_PROGRAM_PACKED (ADI_PROGRAM_BYTES + 1)
void adi_program_pack(const struct adi_program *program, char out[ADI_PROGRAM_PACKED]);
void adi_program_unpack(const char *packed, struct adi_program *out);

/* EINVAL: the sentence says at which character what was wanted. Blanks separate words. */
int adi_program_parse(const char *text, struct adi_program *out, struct adi_error *error);

#define ADI_STEP_TEXT 8
/* "c0.1>2". Returns `text`. */
const char *adi_step_text(const struct adi_step *step, char text[ADI_STEP_TEXT]);
#define ADI_PROGRAM_TEXT (ADI_STEP_TEXT * ADI_PROGRAM_STEPS) /* any fits */
/* The words with blanks between them; cut where `size` ends. Returns `text`. */
const char *adi_program_text(const struct adi_program *program, char *text, size_t size);

#endif /* ADI_PROGRAM_H */
