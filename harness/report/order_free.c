/* SPDX-License-Identifier: Apache-2.0
 *
 * Apart from what reads and writes an order: who has reports, and no JSON, need not have its
 * library (the fuzzers).
 */
#include <stdlib.h>

#include "order.h"

void adi_order_free(struct adi_order *order) {
    if (order == NULL) return;
    for (size_t i = 0; i < order->n_lanes; i++) free(order->lanes[i]);
    for (size_t i = 0; i < order->n_marks; i++) free(order->marks[i].text);
    free(order->lanes);
    free(order->marks);
    free(order->missing);
    free(order);
}
