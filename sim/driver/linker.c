/* SPDX-License-Identifier: Apache-2.0
 *
 * The linker: of PTX it makes the PTX of all, one behind the other.
 */
#include <stdlib.h>
#include <string.h>

#include "driver_kernels.h"

#define OF_PTX 1 /* CU_JIT_INPUT_PTX */

struct driver_link_of {
    struct driver_object object;
    char *text;
    size_t n;
};

static driver_code find(driver_link handle, struct driver_link_of **out) {
    SIM_TRY(driver_kernels_served());
    *out = driver_object_find(DRIVER_LINK, handle);
    return *out == NULL ? DRIVER_INVALID_HANDLE : DRIVER_SUCCESS;
}

driver_code driver_link_create(driver_link *link) {
    struct driver_scope scope;
    SIM_TRY(driver_kernels_served());
    SIM_TRY(driver_current(&scope));
    if (link == NULL) return DRIVER_INVALID_VALUE;
    struct driver_link_of *made = driver_object_new(DRIVER_LINK, sizeof *made);
    if (made == NULL) return DRIVER_OUT_OF_MEMORY;
    *link = DRIVER_HANDLE(made);
    return DRIVER_SUCCESS;
}

static bool accept(void *context, const struct ptx_entry *entry) {
    (void)context, (void)entry;
    return true;
}

driver_code driver_link_add(driver_link handle, int type, const void *text, size_t bytes) {
    struct driver_link_of *link;
    SIM_TRY(find(handle, &link));
    if (type != OF_PTX) {
        driver_remark("of what is linked PTX is read: CUDA_ERROR_NOT_SUPPORTED");
        return DRIVER_NOT_SUPPORTED;
    }
    char *more = driver_text_of(text, bytes);
    if (more == NULL) return DRIVER_INVALID_VALUE;
    size_t n = strlen(more);
    char *grown = ptx_read(more, accept, NULL) ? realloc(link->text, link->n + n + 2) : NULL;
    if (grown != NULL) {
        link->text = grown;
        memcpy(grown + link->n, more, n);
        link->n += n;
        grown[link->n++] = '\n';
        grown[link->n] = '\0';
    }
    free(more);
    return grown == NULL ? DRIVER_INVALID_PTX : DRIVER_SUCCESS;
}

driver_code driver_link_complete(driver_link handle, void **image, size_t *bytes) {
    struct driver_link_of *link;
    SIM_TRY(find(handle, &link));
    if (image == NULL || link->text == NULL) return DRIVER_INVALID_VALUE;
    *image = link->text;
    if (bytes != NULL) *bytes = link->n + 1;
    return DRIVER_SUCCESS;
}

driver_code driver_link_destroy(driver_link handle) {
    SIM_TRY(driver_kernels_served());
    struct driver_link_of *link = driver_object_find_to_end(DRIVER_LINK, handle);
    if (link == NULL) return DRIVER_INVALID_HANDLE;
    free(link->text);
    driver_object_end(link);
    return DRIVER_SUCCESS;
}
