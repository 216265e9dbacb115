/* SPDX-License-Identifier: Apache-2.0
 *
 * The headers that define the structures of handles.def: a kind that has one of its own adds it.
 */
#ifndef ADI_STRUCTURES_H
#define ADI_STRUCTURES_H

#include "abi.h"

#endif /* ADI_STRUCTURES_H */
