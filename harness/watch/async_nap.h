/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: a callback of the handler takes its time.
 */
#ifndef ADI_ASYNC_NAP_H
#define ADI_ASYNC_NAP_H

#include "async_handler.h"

/* Who calls at once shows it: each callback takes a while, some longer. */
void adi_async_nap(struct adi_async_handler *handler);
/* There is one callback that an early release can overlap with: the last one stays until somebody
 * calls, or has had the time to. */
void adi_async_stay(struct adi_async_handler *handler);

#endif /* ADI_ASYNC_NAP_H */
