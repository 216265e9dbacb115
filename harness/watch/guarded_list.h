/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the guarded inputs: those that are open, in which a release callback finds the one
 * that it is about, on any thread. What comes when its input has been closed finds none.
 */
#ifndef ADI_GUARDED_LIST_H
#define ADI_GUARDED_LIST_H

#include "guarded_input.h"

/* Main thread: an input is open from here on; or no longer: no callback finds it any more, and none
 * that has found it runs. */
void adi_guarded_list(struct adi_guarded *input);
void adi_guarded_unlist(struct adi_guarded *input);
/* Around each callback. */
void adi_guarded_callback(bool begins);

/* Whose structure is it, and which record? By its key; where that was changed, by what else is
 * known. NULL: nobody's. */
struct adi_guarded *adi_guarded_find(const struct adi_kind *kind, const void *self, long *index);
/* That is nobody's: it is marked released. Its private_data was changed, and that is a finding; or
 * it is released late, and what it was part of is closed, since its case is over. */
void adi_guarded_stray(const struct adi_kind *kind, void *self);
/* Have all others been released? */
bool adi_guarded_is_alone(const struct adi_guarded *input);

#endif /* ADI_GUARDED_LIST_H */
