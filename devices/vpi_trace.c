/* SPDX-License-Identifier: Apache-2.0
 *
 * What the models are had to do, as they tell it: lines for who wants to draw them, and reads of
 * what was freed. Whatever is under the lock is told outside it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "vpi_interceptor.h"

static uint64_t calls;
static struct {
    bool told;  /* the command that it has been given and has not accepted */
    bool early; /* it had a command on memory that was freed then: that has been told */
} engines[ADI_VPI_MODELS];

bool adi_vpi_name_of(const void *object, char out[48]) {
    uint64_t number = 0;
    adi_vpi_lock();
    for (int id = 0; id < ADI_VPI_MODELS && number == 0; id++)
        number = adi_vpi_number(adi_vpi_memory(id), (uint64_t)(uintptr_t)object);
    adi_vpi_unlock();
    snprintf(out, 48, "allocation %" PRIu64, number);
    return number != 0;
}

/* ---- commands of the engine ---- */

static void say_command(int id, bool implementation, bool writes, uint64_t address,
                        const char *call) {
    uint64_t number = adi_vpi_number(adi_vpi_memory(id), address);
    calls++;
    if (number != 0)
        adi_line_tell(implementation,
                      "{\"call\":%" PRIu64
                      ",\"in\":\"%s\",\"by\":\"engine %d\",\"access\":\"command\","
                      "\"%s\":\"allocation %" PRIu64 "\",\"seq\":%" PRIu64 "}",
                      calls, call, id, writes ? "writes" : "reads", number, calls);
}

void adi_vpi_trace_started(int id, bool writes, uint64_t address) {
    if (engines[id].told) return;
    engines[id].told = true;
    say_command(id, true, writes, address, "dma_start, and no tick");
}

static void accepted(int id, bool writes, uint64_t address) {
    if (!engines[id].told)
        say_command(id, !adi_vpi_is_ours(id), writes, address, writes ? "DMA WRITE" : "DMA SUM");
    engines[id].told = false;
}

static void ended(int id) {
    adi_line_say("{\"call\":%" PRIu64
                 ",\"in\":\"dma_done\",\"knows\":\"engine %d\",\"seq\":%" PRIu64 "}",
                 calls, id, calls);
}

void adi_vpi_freed_early(int id) {
    engines[id].early = true;
}

/* ---- reads ---- */

/* Of what was freed before the engine was given the command. */
static bool is_late(int id, int what) {
    bool sums = what == ADI_VPI_SEEN_SUM, early = engines[id].early;
    if (what != ADI_VPI_SEEN_PEEK && what != ADI_VPI_SEEN_DONE) engines[id].early = false;
    return what == ADI_VPI_SEEN_PEEK || (sums && !early);
}

void adi_vpi_seen(int id, int what, uint64_t address, uint64_t bytes) {
    const bool locks = !adi_vpi_is_locked();
    struct adi_vpi_freed freed = {0};
    (void)bytes;
    if (locks) adi_vpi_lock();
    if (is_late(id, what) && adi_caller_party() == 1)
        freed = adi_vpi_freed_at(adi_vpi_memory(id), address);
    if (what == ADI_VPI_SEEN_WRITE || what == ADI_VPI_SEEN_SUM)
        accepted(id, what == ADI_VPI_SEEN_WRITE, address);
    if (what == ADI_VPI_SEEN_DONE) ended(id);
    if (locks) adi_vpi_unlock();
    if (freed.bytes > 0)
        adi_misused(ADI_MISUSE_RELEASED, false,
                    "%s of 0x%" PRIx64 " of vpi:%d: it was freed, with the %" PRId64
                    " bytes at 0x%" PRIx64,
                    what == ADI_VPI_SEEN_PEEK ? "PEEK" : "DMA SUM", address, id, freed.bytes,
                    freed.address);
}
