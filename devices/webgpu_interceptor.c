/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation's own; a real runtime is not looked over the shoulder.
 */
#include "sim_engine.h"
#include "webgpu_internal.h"

const struct adi_interceptor *adi_webgpu_interceptor(void) {
    static struct adi_interceptor told;
    const struct adi_webgpu_api *api = adi_webgpu_api(NULL);
    if (api == NULL || !api->is_simulated || adi_sim_beneath(api->library, NULL) == NULL)
        return NULL;
    if (told.size == 0) {
        told = *adi_sim_interceptor();
        told.given_up = api->is_given_up;
    }
    return &told;
}
