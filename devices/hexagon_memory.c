/* SPDX-License-Identifier: Apache-2.0 */
#include "hexagon_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "hexagon_dsp.h"

/* By pages: which allocation is there, or was there last; and the allocations, by their first page.
 */
static struct {
    uint32_t owner[ADI_DSP_PAGES]; /* its first page, from 1 */
    struct adi_hexagon_allocation at[ADI_DSP_PAGES];
} dsps[ADI_HEXAGON_DSPS];

static uint64_t numbers;
static size_t of_implementation;

int adi_hexagon_allocate(int id, int64_t bytes, bool by_implementation, uint32_t *address,
                         struct adi_error *error) {
    struct adi_dsp_reply reply;
    struct adi_dsp_request request = {.command = ADI_DSP_ALLOC, .bytes = (uint32_t)bytes};
    if (bytes <= 0) return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    int code = bytes > ADI_HEXAGON_BYTES ? ENOMEM : adi_hexagon_ask(id, &request, &reply, error);
    if (code == ENOMEM)
        return adi_error_set(error, ENOMEM,
                             "no room for %" PRId64 " bytes in the %" PRIu32 " of hexagon:%d",
                             bytes, ADI_HEXAGON_BYTES, id);
    if (code != 0) return code;
    uint32_t first = (reply.address - ADI_HEXAGON_BASE(id)) / ADI_HEXAGON_PAGE;
    uint32_t pages = (uint32_t)((bytes + ADI_HEXAGON_PAGE - 1) / ADI_HEXAGON_PAGE);
    if (first >= ADI_DSP_PAGES || pages > ADI_DSP_PAGES - first)
        return adi_error_set(error, EIO, "hexagon:%d gives 0x%" PRIx32 ", outside its memory", id,
                             reply.address);
    for (uint32_t page = first; page < first + pages; page++) dsps[id].owner[page] = first + 1;
    dsps[id].at[first] = (struct adi_hexagon_allocation){
        bytes, ADI_HEXAGON_BASE(id) + first * ADI_HEXAGON_PAGE, true, by_implementation, ++numbers};
    of_implementation += by_implementation;
    *address = dsps[id].at[first].address;
    return 0;
}

void adi_hexagon_release(int id, struct adi_hexagon_allocation *allocation) {
    struct adi_dsp_request request = {.command = ADI_DSP_FREE, .address = allocation->address};
    struct adi_dsp_reply reply;
    allocation->is_live = false;
    of_implementation -= allocation->by_implementation;
    /* Of a DSP that is lost the memory is lost, too. */
    adi_hexagon_ask(id, &request, &reply, NULL);
}

void adi_hexagon_forget(int id) {
    for (uint32_t page = 0; page < ADI_DSP_PAGES; page++)
        if (dsps[id].at[page].is_live) of_implementation -= dsps[id].at[page].by_implementation;
    memset(&dsps[id], 0, sizeof dsps[id]);
}

int adi_hexagon_id_of(uint64_t address) {
    for (int id = 0; id < ADI_HEXAGON_DSPS; id++)
        if (address >= ADI_HEXAGON_BASE(id) && address - ADI_HEXAGON_BASE(id) < ADI_HEXAGON_BYTES)
            return id;
    return -1;
}

struct adi_hexagon_allocation *adi_hexagon_find_at(uint64_t address) {
    int id = adi_hexagon_id_of(address);
    if (id < 0) return NULL;
    uint32_t owner = dsps[id].owner[(address - ADI_HEXAGON_BASE(id)) / ADI_HEXAGON_PAGE];
    return owner == 0 ? NULL : &dsps[id].at[owner - 1];
}

int adi_hexagon_check(int id, uint64_t address, int64_t offset, int64_t bytes,
                      struct adi_error *error) {
    int on = adi_hexagon_id_of(address);
    if (on < 0)
        return adi_error_set(
            error, EFAULT, "0x%" PRIx64 " is no address of a DSP; is it a host pointer?", address);
    if (on != id)
        return adi_error_set(error, EFAULT,
                             "0x%" PRIx64 " is memory of hexagon:%d, not of "
                             "hexagon:%d",
                             address, on, id);
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at(address);
    if (in == NULL || !in->is_live)
        return adi_error_set(error, EFAULT, "nothing is allocated at 0x%" PRIx64 " of hexagon:%d",
                             address, id);
    int64_t start = (int64_t)address - in->address;
    if (offset < 0 || bytes < 0 || offset > in->bytes - start || bytes > in->bytes - start - offset)
        return adi_error_set(error, EFAULT,
                             "%" PRId64 " bytes at 0x%" PRIx64 " + %" PRId64
                             " are not in the allocation of %" PRId64 " bytes at 0x%" PRIx32,
                             bytes, address, offset, in->bytes, in->address);
    return 0;
}

size_t adi_hexagon_allocations(const struct adi_hexagon_allocation **newest) {
    *newest = NULL;
    for (int id = 0; id < ADI_HEXAGON_DSPS && of_implementation > 0; id++)
        for (uint32_t page = 0; page < ADI_DSP_PAGES; page++) {
            const struct adi_hexagon_allocation *at = &dsps[id].at[page];
            if (at->is_live && at->by_implementation &&
                (*newest == NULL || at->number > (*newest)->number))
                *newest = at;
        }
    return of_implementation;
}
