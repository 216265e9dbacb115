/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference as an implementation: ref/ behind the same adapter that everybody else has, so that
 * the harness judges it by the same means.
 */
#ifndef ADI_REFERENCE_H
#define ADI_REFERENCE_H

#include "adapter.h"

/* Static; every device of devices.def that can be opened. One thread at a time. */
struct adi_adapter *adi_reference_adapter(void);

#endif /* ADI_REFERENCE_H */
