/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of what was done before a finding about order are for the reports that the command
 * writes, and take a library for JSON, which the extension has to do without. The findings are the
 * same.
 */
#include <stddef.h>

#include "order.h"

struct adi_order *adi_order_of(const char *lines) {
    (void)lines;
    return NULL;
}
