/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine runs out of is nobody's mistake, and no wrong usage.
 */
#ifndef ADI_SHORTAGE_H
#define ADI_SHORTAGE_H

#include <stdbool.h>

/* Does the errno value say that memory, descriptors or processes are used up? */
bool adi_is_shortage(int code);
/* What this process cannot get more of just now, as an errno value: descriptors, address space. 0:
 * there is some of both. For calls that do not say why they failed, as dlopen. */
int adi_shortage(void);

#endif /* ADI_SHORTAGE_H */
