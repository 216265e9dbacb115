/* SPDX-License-Identifier: Apache-2.0
 *
 * How one reaches the memory that the vpi device is: the memory map, the registers of its DMA
 * engine and their VPI names. Nothing in a specification says it, so this header does; it includes
 * <stdint.h> only and may be copied. C and C++.
 *
 * A buffer value of type VPI is an address in the map of the model whose number is the
 * device_id. It is no host pointer. Every model has the same map, and sync_event is always NULL:
 * whoever exports has ticked the model until its DMA was done. Time stands still otherwise, so
 * that a DMA which was started and not ticked leaves the old bytes, every time.
 *
 * Writing: the bytes of a piece of one page into `dma_staging` (at the place in the page that they
 * shall have in memory), the piece into `dma_address` and `dma_bytes`, `dma_command` WRITE,
 * `dma_start` 1; then tick until `dma_done` is 1, which it is `dma_latency` + 2 ticks later, and
 * look at `dma_error`. The engine takes `dma_start` back to 0 when it accepts the command, and
 * `dma_done` with it. SUM instead leaves the sum of the bytes of the piece in `dma_sum`. Reading:
 * `port_address`, `port_command` PEEK, another value than before into `port_request`, and a run of
 * 0 ticks: the page is in `port_view`. FORGET instead gives the page back. What was never written,
 * or was forgotten, reads as the byte POISON.
 *
 * The names are those of VPI: vpi_handle_by_name("vpi0.dma_memory.dma_start", NULL). Registers are
 * 64 bits wide, commands 8, flags 1, staging and view a page (byte i is bits 8 i to 8 i + 7); all
 * are read and written as vpiVectorVal. `dma_busy dma_done dma_error dma_sum port_view map_base
 * map_bytes` are read only.
 */
#ifndef ADI_VPI_MAP_H
#define ADI_VPI_MAP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADI_VPI_MODELS 2 /* device_id 0 and 1: the scopes vpi0.dma_memory and vpi1.dma_memory */
#define ADI_VPI_SCOPE  "vpi%d.dma_memory"

#define ADI_VPI_BASE   UINT64_C(0x10000000)
#define ADI_VPI_BYTES  UINT64_C(0x10000000)
#define ADI_VPI_PAGE   4096
#define ADI_VPI_POISON 0xdb

enum adi_vpi_dma_command {
    ADI_VPI_DMA_WRITE = 1,
    ADI_VPI_DMA_SUM = 2
};
enum adi_vpi_flags {
    ADI_VPI_STARTED = 1,
    ADI_VPI_BUSY = 2,
    ADI_VPI_DONE = 4,
    ADI_VPI_ERROR = 8
};
enum adi_vpi_port_command {
    ADI_VPI_PORT_PEEK = 1,
    ADI_VPI_PORT_FORGET = 2
};

enum adi_vpi_seen {
    ADI_VPI_SEEN_WRITE = ADI_VPI_DMA_WRITE, /* the engine has accepted the command */
    ADI_VPI_SEEN_SUM = ADI_VPI_DMA_SUM,
    ADI_VPI_SEEN_PEEK = 3, /* the page of the address was looked at */
    ADI_VPI_SEEN_DONE = 4, /* the engine is done with what it accepted */
};

/* What libadivpi.so exports beside the vpi_ functions of IEEE 1800 and the DPI functions
 * `dma_memory_stage`, `dma_memory_peek` and `dma_memory_flags` (a set of adi_vpi_flags). One thread
 * at a time. */

/* Makes the model `id` if it is not there yet; it lives as long as the process. Not 0: there is no
 * such model. */
int adi_vpi_model_open(int id);
/* Lets the model see what was put into its registers, then so many ticks pass. */
void adi_vpi_model_run(int id, uint64_t ticks);

/* From now on `seen` is told what any model is had to do (adi_vpi_seen), on the thread that runs
 * it; NULL: nobody. For the harness. */
void adi_vpi_model_watch(void (*seen)(int id, int what, uint64_t address, uint64_t bytes));

/* What `adi_host.get(host, ARROW_DEVICE_VPI, id, "vpi.driver")` gives: the one allocator of a model
 * in a process. Valid while the device is open. */
struct adi_vpi_driver {
    uint32_t size;       /* sizeof(struct adi_vpi_driver): what lies beyond is not there */
    int32_t id;          /* of the model */
    const char *library; /* the path of libadivpi.so, for dlopen: it is the copy that is in use */
    /* Reserves whole pages; 0 or an errno value. Any thread. */
    int (*alloc)(const struct adi_vpi_driver *, int64_t bytes, uint64_t *address);
    /* Any thread. What is no allocation is left alone. */
    void (*free)(const struct adi_vpi_driver *, uint64_t address);
};

#ifdef __cplusplus
}
#endif

#endif /* ADI_VPI_MAP_H */
