/* SPDX-License-Identifier: Apache-2.0 */
/* Returns no adapter. */
#include <adapter.h>
#include <stddef.h>

struct adi_adapter *adi_adapter(void) {
    return NULL;
}
