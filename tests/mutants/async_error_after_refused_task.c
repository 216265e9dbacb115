/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-refused-task: a refused task ends in on_error.
 */
#include "base/async.h"

void mutate(void) {
    base_async.refused = base_tell_error;
    base_plays_async();
}
