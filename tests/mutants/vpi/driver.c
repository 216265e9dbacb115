/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of another project for the models behind the vpi device: it knows vpi_map.h and nothing
 * else of them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/vpi.h"
#include "vpi.h"

#define WORDS (ADI_VPI_PAGE / 4)

enum {
    DMA_ADDRESS,
    DMA_BYTES,
    DMA_COMMAND,
    DMA_START,
    DMA_STAGING,
    DMA_DONE,
    DMA_ERROR,
    DMA_STUCK,
    PORT_ADDRESS,
    PORT_COMMAND,
    PORT_REQUEST,
    PORT_VIEW,
    REGISTERS
};

static const char *const names[REGISTERS] = {
    [DMA_ADDRESS] = "dma_address",   [DMA_BYTES] = "dma_bytes",
    [DMA_COMMAND] = "dma_command",   [DMA_START] = "dma_start",
    [DMA_STAGING] = "dma_staging",   [DMA_DONE] = "dma_done",
    [DMA_ERROR] = "dma_error",       [DMA_STUCK] = "dma_stuck",
    [PORT_ADDRESS] = "port_address", [PORT_COMMAND] = "port_command",
    [PORT_REQUEST] = "port_request", [PORT_VIEW] = "port_view",
};

static struct {
    int (*open)(int);
    void (*run)(int, uint64_t);
    adi_vpi_handle (*handle_by_name)(const char *, adi_vpi_handle);
    void (*get_value)(adi_vpi_handle, struct adi_vpi_value *);
    adi_vpi_handle (*put_value)(adi_vpi_handle, struct adi_vpi_value *, void *, int32_t);
} library;

static adi_vpi_handle handles[ADI_VPI_MODELS][REGISTERS];
static int now; /* the model whose registers are used */

/* ---- registers ---- */

void driver_turn_to(int id) {
    char name[64];
    now = id;
    library.open(id);
    for (int i = 0; i < REGISTERS && handles[id][i] == NULL; i++) {
        snprintf(name, sizeof name, ADI_VPI_SCOPE ".%s", id, names[i]);
        handles[id][i] = library.handle_by_name(name, NULL);
    }
}

static void put_words(int at, struct adi_vpi_word *words) {
    struct adi_vpi_value to = {ADI_VPI_VECTOR_VAL, {.vector = words}};
    library.put_value(handles[now][at], &to, NULL, ADI_VPI_NO_DELAY);
}

static void put(int at, uint64_t value) {
    struct adi_vpi_word words[2] = {{(uint32_t)value, 0}, {(uint32_t)(value >> 32), 0}};
    put_words(at, words);
}

static const struct adi_vpi_word *get(int at) {
    struct adi_vpi_value from = {.format = ADI_VPI_VECTOR_VAL};
    library.get_value(handles[now][at], &from);
    return from.value.vector;
}

/* ---- the engine and the port ---- */

void driver_start(enum adi_vpi_dma_command command, uint64_t address, const void *from,
                  uint64_t bytes) {
    uint8_t page[ADI_VPI_PAGE] = {0};
    struct adi_vpi_word words[WORDS];
    if (from != NULL) memcpy(page + address % ADI_VPI_PAGE, from, bytes);
    for (size_t i = 0; i < WORDS; i++) {
        const uint8_t *byte = page + 4 * i;
        words[i] = (struct adi_vpi_word){(uint32_t)byte[0] | (uint32_t)byte[1] << 8 |
                                             (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24,
                                         0};
    }
    put_words(DMA_STAGING, words);
    put(DMA_ADDRESS, address);
    put(DMA_BYTES, bytes);
    put(DMA_COMMAND, command);
    put(DMA_START, 1);
}

int driver_finish(void) {
    while (get(DMA_START)->aval != 0 || get(DMA_DONE)->aval == 0) library.run(now, 1);
    return get(DMA_ERROR)->aval != 0 ? EIO : 0;
}

void driver_break(void) {
    put(DMA_STUCK, 1);
}

void driver_peek(uint64_t address, void *to, uint64_t bytes) {
    uint8_t *out = to;
    put(PORT_ADDRESS, address);
    put(PORT_COMMAND, ADI_VPI_PORT_PEEK);
    put(PORT_REQUEST, get(PORT_REQUEST)->aval ^ 1);
    library.run(now, 0);
    const struct adi_vpi_word *words = get(PORT_VIEW);
    for (uint64_t i = 0, at = address % ADI_VPI_PAGE; i < bytes; i++, at++)
        out[i] = (uint8_t)(words[at / 4].aval >> at % 4 * 8);
}

/* ---- the functions of a device ---- */

int driver_attach(const struct adi_host *host, int64_t id, struct adi_device *out) {
    const struct adi_vpi_driver *driver = host->get(host, ARROW_DEVICE_VPI, id, "vpi.driver");
    if (driver == NULL || driver->size < sizeof *driver) return ENODEV;
    void *handle = dlopen(driver->library, RTLD_NOW);
    if (handle == NULL) return ENODEV;
    *(void **)&library.open = dlsym(handle, "adi_vpi_model_open");
    *(void **)&library.run = dlsym(handle, "adi_vpi_model_run");
    *(void **)&library.handle_by_name = dlsym(handle, "vpi_handle_by_name");
    *(void **)&library.get_value = dlsym(handle, "vpi_get_value");
    *(void **)&library.put_value = dlsym(handle, "vpi_put_value");
    dlclose(handle); /* the host keeps it */
    driver_turn_to((int)id);
    *out = (struct adi_device){&driver_ops, id, (void *)(uintptr_t)driver};
    return 0;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    const struct adi_vpi_driver *driver = device->state;
    uint64_t address;
    (void)error;
    int code = driver->alloc(driver, bytes, &address);
    if (code == 0) *buffer = (void *)(uintptr_t)address;
    return code;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    const struct adi_vpi_driver *driver = device->state;
    driver->free(driver, base_address(buffer));
}

static uint64_t piece(uint64_t address, uint64_t bytes) {
    uint64_t room = ADI_VPI_PAGE - address % ADI_VPI_PAGE;
    return bytes < room ? bytes : room;
}

static int write_now(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    uint64_t to = base_address(buffer) + (uint64_t)offset, left = (uint64_t)bytes, n;
    (void)device, (void)error;
    for (const char *at = from; left > 0; at += n, to += n, left -= n) {
        n = piece(to, left);
        driver_start(ADI_VPI_DMA_WRITE, to, at, n);
        ADI_TRY(driver_finish());
    }
    return 0;
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    uint64_t from = base_address(buffer) + (uint64_t)offset, left = (uint64_t)bytes, n;
    (void)device, (void)error;
    for (char *at = to; left > 0; at += n, from += n, left -= n) {
        n = piece(from, left);
        driver_peek(from, at, n);
    }
    return 0;
}

static int no_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

static int no_wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

const struct adi_device_ops driver_ops = {
    .size = sizeof driver_ops,
    .type = ARROW_DEVICE_VPI,
    .name = "vpi of another project",
    .alloc = alloc,
    .free = free_buffer,
    .write = write_now,
    .read = read_now,
    .event = no_event,
    .wait = no_wait,
    .wait_host = no_wait,
    .event_free = event_free,
};
