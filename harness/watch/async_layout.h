/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: is a stated layout of ArrowAsyncProducer (ref/async.h) that of the
 * implementation? What lies in its members tells, unless they are NULL.
 *
 *   offset   24                    32                    40
 *   shipped  additional_metadata   private_data
 *   printed  release               additional_metadata   private_data
 */
#ifndef ADI_ASYNC_LAYOUT_H
#define ADI_ASYNC_LAYOUT_H

#include "async.h"

enum adi_async_evidence {
    ADI_LAYOUT_UNKNOWN, /* nothing tells */
    ADI_LAYOUT_RIGHT,
    ADI_LAYOUT_WRONG,
};

/* Of a producer that somebody has filled in, whose layout was stated so; it can be read. Any
 * thread. */
enum adi_async_evidence adi_async_layout_of(const union adi_any_producer *producer,
                                            enum adi_async_layout stated);

#endif /* ADI_ASYNC_LAYOUT_H */
