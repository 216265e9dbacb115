/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The elements lie in memory that is never freed, and deleter is NULL.
 */
#include <errno.h>
#include <string.h>

#include "base/dlpack.h"

#define ROOM  4096
#define TURNS 64 /* more than are looked at at a time */

static _Alignas(256) char all_elements[TURNS][ROOM];
static struct base_tensor tensors[TURNS];
static int made_so_far;

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_tensor made;
    struct base_tensor *tensor = &tensors[made_so_far % TURNS];
    char *elements = all_elements[made_so_far++ % TURNS];
    if (request->max_major == 0 || request->copy == 1) return ENOTSUP;
    int code = base_tensor_ask(self, request, &made);
    if (code != 0) return code;
    DLTensor *within = base_within_out(&made);
    if (base_tensor_bytes(within) > ROOM) code = ENOMEM;
    if (code == 0) {
        *tensor = *(struct base_tensor *)made.versioned->manager_ctx;
        tensor->managed.versioned.deleter = NULL;
        within = &tensor->managed.versioned.dl_tensor;
        within->shape = tensor->numbers;
        within->strides = tensor->numbers + BASE_DIMS;
        if (within->data != NULL) {
            memcpy(elements, within->data, base_tensor_bytes(within));
            within->data = elements;
        }
        *out = (struct adi_dlpack_tensor){NULL, &tensor->managed.versioned};
    }
    base_tensor_end(&made);
    return code;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
