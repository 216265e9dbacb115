/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: what a shader says of the buffers that are bound to it.
 */
#ifndef ADI_VULKAN_SPIRV_H
#define ADI_VULKAN_SPIRV_H

#include <stddef.h>
#include <stdint.h>

#define MOST_SETS 4 /* of descriptors that a shader has */

/* In `writes`, a word a set: a bit for each binding of a storage buffer that is not read-only. All
 * bits where the words cannot be read. Under the lock of vk_objects.h. */
void spirv_look(const uint32_t *words, size_t n, uint32_t writes[MOST_SETS]);

#endif /* ADI_VULKAN_SPIRV_H */
