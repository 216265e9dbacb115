/* SPDX-License-Identifier: Apache-2.0
 *
 * What a producer of an asynchronous stream has handed over, the schema and the arrays of the CPU,
 * is its consumer's: from one callback of the handler to the look at it nothing of it changes. What
 * an array is whose values were written anew for the next one is there before the last callback,
 * and not told here.
 */
#ifndef ADI_ASYNC_KEPT_H
#define ADI_ASYNC_KEPT_H

#include "async_handler.h"

/* Keeps a copy of all that has come so far, in place of the one from before; that the schema is not
 * what it was then is told. Any thread. */
void adi_async_remember(struct adi_async_handler *handler);
/* Is all of which there is a copy as it was? false: that it is not has been told. */
bool adi_async_is_kept(struct adi_async_handler *handler);
/* Gives the copies back. */
void adi_async_forget(struct adi_async_handler *handler);

#endif /* ADI_ASYNC_KEPT_H */
