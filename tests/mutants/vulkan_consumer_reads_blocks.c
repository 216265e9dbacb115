/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: copies are made in whole blocks of 4 KiB.
 */
#include <errno.h>
#include <string.h>

#include "vulkan/stages.h"

#define BLOCK 4096

static int read_blocks(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                       int64_t bytes, struct adi_error *error) {
    int64_t blocks = (bytes + BLOCK - 1) / BLOCK * BLOCK;
    char *all = malloc((size_t)blocks + 1);
    if (all == NULL) return ENOMEM;
    int code = read_at(device, buffer, offset, all, blocks, error);
    if (code == 0 && bytes > 0) memcpy(to, all, (size_t)bytes);
    free(all);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    name_stages(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, false);
    base.ops.read = read_blocks;
}
