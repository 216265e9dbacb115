/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it does not wait again for an event that it has waited for,
 * though the next array comes with it, recorded anew.
 */
#include "../device/device_base.h"
#include "../remembers.h"

void mutate(void) {
    base.roles = ADI_CONSUMES;
    remember(&base.ops);
}
