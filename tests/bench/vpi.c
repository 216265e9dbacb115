/* SPDX-License-Identifier: Apache-2.0
 *
 * What the vpi device costs beside the plain calls of an adapter of another project, which knows
 * vpi_map.h, VPI and DPI, and nothing else of the models.
 */
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/vpi.h"
#include "bench.h"
#include "devices.h"
#include "vpi_map.h"
#include "ways.h"

#define WORDS (ADI_VPI_PAGE / 4)

enum {
    DMA_ADDRESS,
    DMA_BYTES,
    DMA_COMMAND,
    DMA_START,
    DMA_LATENCY,
    DMA_DONE,
    DMA_ERROR,
    REGISTERS
};

static const char *const names[REGISTERS] = {"dma_address", "dma_bytes", "dma_command", "dma_start",
                                             "dma_latency", "dma_done",  "dma_error"};
static adi_vpi_handle handles[REGISTERS];
static const struct adi_vpi_driver *driver;

static struct {
    void (*run)(int, uint64_t);
    adi_vpi_handle (*handle_by_name)(const char *, adi_vpi_handle);
    void (*get_value)(adi_vpi_handle, struct adi_vpi_value *);
    adi_vpi_handle (*put_value)(adi_vpi_handle, struct adi_vpi_value *, void *, int32_t);
    void *(*scope)(const char *);
    void *(*set_scope)(void *);
    void (*stage)(const uint32_t *);
    void (*peek)(uint64_t, uint32_t *);
} library;

/* ---- plain calls ---- */

static void put(int at, uint64_t value) {
    struct adi_vpi_word words[2] = {{(uint32_t)value, 0}, {(uint32_t)(value >> 32), 0}};
    struct adi_vpi_value to = {ADI_VPI_VECTOR_VAL, {.vector = words}};
    library.put_value(handles[at], &to, NULL, ADI_VPI_NO_DELAY);
}

static uint32_t get(int at) {
    struct adi_vpi_value from = {.format = ADI_VPI_VECTOR_VAL};
    library.get_value(handles[at], &from);
    return from.value.vector[0].aval;
}

/* A piece of one page. */
static int write_piece(uint64_t address, const void *from, size_t bytes) {
    static uint32_t words[WORDS]; /* what is beside the piece does not matter */
    memcpy((char *)words + address % ADI_VPI_PAGE, from, bytes);
    for (int i = 0; i < WORDS; i++) words[i] = le32toh(words[i]);
    library.stage(words);
    put(DMA_ADDRESS, address);
    put(DMA_BYTES, bytes);
    put(DMA_COMMAND, ADI_VPI_DMA_WRITE);
    put(DMA_START, 1);
    library.run(driver->id, get(DMA_LATENCY) + 2);
    return get(DMA_DONE) == 1 && get(DMA_ERROR) == 0 ? 0 : EIO;
}

static void read_page(uint64_t address, void *to) {
    uint32_t words[WORDS];
    library.peek(address, words);
    for (int i = 0; i < WORDS; i++) words[i] = htole32(words[i]);
    memcpy(to, words, sizeof words);
}

static int alloc_plain(void) {
    uint64_t address;
    ADI_TRY(driver->alloc(driver, ADI_BENCH_SMALL, &address));
    driver->free(driver, address);
    return 0;
}

/* There is no event: who exports has ticked until the engine was done. */
static int export_plain(void) {
    struct ArrowDeviceArray out;
    uint64_t address;
    ADI_TRY(driver->alloc(driver, (int64_t)adi_bench_on.bytes, &address));
    int code = write_piece(address, adi_bench_on.values, adi_bench_on.bytes);
    if (code == 0) code = adi_bench_hand_out((void *)(uintptr_t)address, NULL, &out);
    if (code == 0) out.array.release(&out.array);
    driver->free(driver, address);
    return code;
}

static int in_plain(void) {
    uint64_t to = (uint64_t)(uintptr_t)adi_bench_on.buffer;
    const char *from = adi_bench_on.host;
    for (int64_t at = 0; at < ADI_BENCH_LARGE; at += ADI_VPI_PAGE)
        ADI_TRY(write_piece(to + (uint64_t)at, from + at, ADI_VPI_PAGE));
    return 0;
}

static int out_plain(void) {
    uint64_t from = (uint64_t)(uintptr_t)adi_bench_on.buffer;
    char *to = adi_bench_on.host;
    for (int64_t at = 0; at < ADI_BENCH_LARGE; at += ADI_VPI_PAGE)
        read_page(from + (uint64_t)at, to + at);
    return 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    void *sync_event;
    ADI_TRY(device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                               NULL));
    return device->ops->event(device, &sync_event, NULL);
}

static int begin(struct adi_error *error) {
    char name[64];
    ADI_TRY(adi_bench_open(&adi_device_vpi, error));
    driver = adi_device_vpi.native_handle(&adi_bench_on.device, "vpi.driver");
    void *handle = dlopen(driver->library, RTLD_NOW);
    if (handle == NULL) return adi_error_set(error, ENOENT, "%s", dlerror());
#define FIND(to, name) *(void **)(void *)&library.to = dlsym(handle, name)
    FIND(run, "adi_vpi_model_run");
    FIND(handle_by_name, "vpi_handle_by_name");
    FIND(get_value, "vpi_get_value");
    FIND(put_value, "vpi_put_value");
    FIND(scope, "svGetScopeFromName");
    FIND(set_scope, "svSetScope");
    FIND(stage, "dma_memory_stage");
    FIND(peek, "dma_memory_peek");
    for (int i = 0; i < REGISTERS; i++) {
        snprintf(name, sizeof name, ADI_VPI_SCOPE ".%s", driver->id, names[i]);
        handles[i] = library.handle_by_name(name, NULL);
    }
    snprintf(name, sizeof name, ADI_VPI_SCOPE, driver->id);
    library.set_scope(library.scope(name));
    return 0;
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 20, adi_bench_alloc, alloc_plain},
        {"export + release", 100, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    setenv("ADI_VPI", "dpi", 1);
    if (begin(&error) != 0)
        printf("  %-8s left out: %s\n", "vpi", error.text);
    else
        adi_bench_ways("vpi", ways, sizeof ways / sizeof *ways);
}

void adi_bench_vpi(void) {
    adi_bench_apart(measure);
}
