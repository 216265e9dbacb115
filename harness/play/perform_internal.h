/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of a performance share: slots that open and close, and pieces, which are exports.
 */
#ifndef ADI_PERFORM_INTERNAL_H
#define ADI_PERFORM_INTERNAL_H

#include "perform.h"

/* Something lives in the slot from here on, or no longer. */
void adi_actor_wake(struct adi_actor *actor);
void adi_actor_sleep(struct adi_actor *actor);

/* Puts a new export of the harness's own into the slot: the sample, staged. What is pending is
 * behind a queue that is held, where the device can hold one. */
int adi_piece_stage(struct adi_performance *p, struct adi_actor *actor, bool pending);
/* Lets go of the queue that pending exports of the harness's own are behind: all are complete soon.
 */
int adi_pieces_let(struct adi_performance *p);
/* Waits for an event. Where an implementation may be next to read what comes without one, on queues
 * of its own, the host waits. What comes from elsewhere is waited on at once: whether it had to be
 * is not the program's. */
int adi_piece_await(struct adi_performance *p, void *event);
/* The implementation exports the sample to the slot; it is checked and put under a watch. What is
 * pending is behind its queues, which are held, and not looked at yet. */
int adi_piece_produce(struct adi_performance *p, struct adi_actor *actor, bool pending);
/* Waits for the event of what an implementation exported pending: is it behind what it is for?
 * false: no, and that has been reported. */
bool adi_piece_complete(struct adi_performance *p, const struct adi_actor *actor);
/* The implementation takes over what is in `from` and exports it to `to`. */
int adi_piece_relay(struct adi_performance *p, struct adi_actor *from, struct adi_actor *to);
/* It has been told whom to take it from: what it does with it, nobody is told. */
void adi_piece_hand_over(struct adi_actor *actor);
/* A structure of the piece was moved. */
void adi_piece_moved(struct adi_piece *piece, const void *from, void *to);
/* How many structures of the harness's own exports are not released yet. */
size_t adi_pieces_live(const struct adi_performance *p);
/* Ends all watches and stages; the pieces are kept for the next program. */
void adi_pieces_close(struct adi_performance *p);
/* Frees the pieces that are kept. */
void adi_pieces_free(struct adi_performance *p);

#endif /* ADI_PERFORM_INTERNAL_H */
