/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-too-small, producer. Planted: the offsets have no entry for the end of the last
 * value. A closed page follows.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)out->array.length * 4;
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    out->array.buffers[1] = memcpy(pages + page - bytes, out->array.buffers[1], bytes);
    mprotect(pages + page, page, PROT_NONE);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
