/* SPDX-License-Identifier: Apache-2.0
 *
 * async/callback-missing, producer: a task has no extract_data.
 */
#include <stddef.h>

#include "base/async.h"

void mutate(void) {
    base_async.extract = NULL;
    base_plays_async();
}
