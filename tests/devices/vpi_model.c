/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as another project's driver sees it, by vpi_map.h alone; faults of the model; and what
 * is said when it is not there.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/vpi.h"
#include "devices.h"
#include "one_device.h"
#include "vpi_map.h"
#include "vpi_there.h"

#if __has_include("vpi_user.h")
#include "vpi_user.h"
_Static_assert(sizeof(s_vpi_value) == sizeof(struct adi_vpi_value), "s_vpi_value");
_Static_assert(offsetof(s_vpi_value, value) == offsetof(struct adi_vpi_value, value), "value");
_Static_assert(sizeof(s_vpi_vecval) == sizeof(struct adi_vpi_word), "s_vpi_vecval");
_Static_assert(offsetof(s_vpi_vecval, bval) == offsetof(struct adi_vpi_word, bval), "bval");
_Static_assert(_Generic((vpiHandle)0, adi_vpi_handle : 1, default : 0), "vpiHandle");
_Static_assert(vpiSize == (int)ADI_VPI_SIZE, "vpiSize");
_Static_assert(vpiVectorVal == (int)ADI_VPI_VECTOR_VAL, "vpiVectorVal");
_Static_assert(vpiNoDelay == (int)ADI_VPI_NO_DELAY, "vpiNoDelay");
#endif

Suite *devices_vpi_model_suite(void);

#define LATENCY 4

static struct adi_device device;
static const struct adi_device_ops *const ops = &adi_device_vpi;
static const struct adi_vpi_driver *driver;
static struct adi_error error;

static void (*run)(int, uint64_t);
static adi_vpi_handle (*handle_by_name)(const char *, adi_vpi_handle);
static void (*get_value)(adi_vpi_handle, struct adi_vpi_value *);
static int32_t (*release_handle)(adi_vpi_handle);
static adi_vpi_handle (*put_value)(adi_vpi_handle, struct adi_vpi_value *, void *, int32_t);

bool vpi_is_there(const char *suite) {
    char what[64];
    snprintf(what, sizeof what, "most of %s", suite);
    return is_there(ops, NULL, "want of Verilator", what);
}

static void set_up(void) {
    ck_assert_msg(ops->open(1, &device, &error) == 0, "%s", error.text);
    ck_assert_ptr_null(ops->native_handle(&device, "vpi.abacus"));
    driver = ops->native_handle(&device, "vpi.driver");
    ck_assert_uint_eq(driver->size, sizeof *driver);
    ck_assert_int_eq(driver->id, 1);
    void *library = dlopen(driver->library, RTLD_NOW | RTLD_NOLOAD);
    ck_assert_ptr_nonnull(library);
    *(void **)&run = dlsym(library, "adi_vpi_model_run");
    *(void **)&handle_by_name = dlsym(library, "vpi_handle_by_name");
    *(void **)&get_value = dlsym(library, "vpi_get_value");
    *(void **)&release_handle = dlsym(library, "vpi_release_handle");
    *(void **)&put_value = dlsym(library, "vpi_put_value");
    dlclose(library);
}

static void tear_down(void) {
    ops->close(&device);
}

static adi_vpi_handle handle(const char *name) {
    char full[64];
    snprintf(full, sizeof full, ADI_VPI_SCOPE ".%s", driver->id, name);
    adi_vpi_handle found = handle_by_name(full, NULL);
    ck_assert_msg(found != NULL, "%s", full);
    return found;
}

static void put_words(const char *name, struct adi_vpi_word *words) {
    struct adi_vpi_value to = {ADI_VPI_VECTOR_VAL, {.vector = words}};
    adi_vpi_handle to_register = handle(name);
    put_value(to_register, &to, NULL, ADI_VPI_NO_DELAY);
    release_handle(to_register);
}

static void put(const char *name, uint64_t value) {
    struct adi_vpi_word words[2] = {{(uint32_t)value, 0}, {(uint32_t)(value >> 32), 0}};
    put_words(name, words);
}

/* The low 32 bits. */
static uint32_t get(const char *name) {
    struct adi_vpi_value from = {.format = ADI_VPI_VECTOR_VAL};
    adi_vpi_handle from_register = handle(name);
    get_value(from_register, &from);
    release_handle(from_register);
    return from.value.vector[0].aval;
}

static void start(uint32_t command, uint64_t address, uint64_t bytes, uint32_t word) {
    struct adi_vpi_word page[ADI_VPI_PAGE / 4];
    for (size_t i = 0; i < ADI_VPI_PAGE / 4; i++) page[i] = (struct adi_vpi_word){word, 0};
    put_words("dma_staging", page);
    put("dma_address", address);
    put("dma_bytes", bytes);
    put("dma_command", command);
    put("dma_start", 1);
}

static uint32_t peek(uint64_t address) {
    put("port_address", address);
    put("port_command", ADI_VPI_PORT_PEEK);
    put("port_request", get("port_request") ^ 1);
    run(driver->id, 0);
    return get("port_view");
}

static uint32_t read_by_device(uint64_t address) {
    uint32_t seen = 0;
    const void *buffer = (const void *)(uintptr_t)address;
    ck_assert_msg(ops->read(&device, buffer, 0, &seen, sizeof seen, &error) == 0, "%s", error.text);
    return seen;
}

START_TEST(time_stands_still_until_the_model_is_ticked)
{
    uint64_t address;
    ck_assert_int_eq(driver->alloc(driver, ADI_VPI_PAGE, &address), 0);
    start(ADI_VPI_DMA_WRITE, address, ADI_VPI_PAGE, 0x11111111);
    for (int i = 0; i < 100; i++) {
        ck_assert_uint_eq(read_by_device(address), 0xdbdbdbdb);
        ck_assert_uint_eq(peek(address), 0xdbdbdbdb);
    }
    ck_assert_uint_eq(get("dma_busy"), 0);
    run(driver->id, 1);
    ck_assert_uint_eq(get("dma_busy"), 1);
    ck_assert_uint_eq(get("dma_start"), 0);
    for (int tick = 0; tick < LATENCY; tick++) {
        run(driver->id, 1);
        ck_assert_uint_eq(get("dma_busy"), 1);
        ck_assert_uint_eq(get("dma_done"), 0);
        ck_assert_uint_eq(read_by_device(address), 0xdbdbdbdb);
    }
    run(driver->id, 1);
    ck_assert_uint_eq(get("dma_busy"), 0);
    ck_assert_uint_eq(get("dma_done"), 1);
    ck_assert_uint_eq(get("dma_error"), 0);
    ck_assert_uint_eq(peek(address), 0x11111111);
    ck_assert_uint_eq(read_by_device(address), 0x11111111);
    driver->free(driver, address);
    ck_assert_int_eq(ops->read(&device, (void *)(uintptr_t)address, 0, &error, 1, NULL), EFAULT);
}
END_TEST

START_TEST(the_latency_can_be_chosen)
{
    put("dma_latency", 1000);
    start(ADI_VPI_DMA_WRITE, ADI_VPI_BASE, 4, 1);
    run(driver->id, 1001);
    ck_assert_uint_eq(get("dma_done"), 0);
    run(driver->id, 1);
    ck_assert_uint_eq(get("dma_done"), 1);
    void *buffer;
    ck_assert_int_eq(ops->alloc(&device, 9000, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 4094, "abcd", 4, NULL), 0);
    ck_assert_uint_eq(read_by_device((uintptr_t)buffer + 4094), 0x64636261);
}
END_TEST

/* Once, and once more behind it: six ticks, in which the device looks first, are over just then. */
START_TEST(a_command_of_somebody_else_is_done_first)
{
    uint64_t address;
    void *buffer, *sync_event;
    ck_assert_int_eq(driver->alloc(driver, ADI_VPI_PAGE, &address), 0);
    ck_assert_int_eq(ops->alloc(&device, 4, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abcd", 4, &error), 0);
    put("dma_latency", 5);
    start(ADI_VPI_DMA_WRITE, address, ADI_VPI_PAGE, 0x11111111);
    run(driver->id, 1);
    put("dma_start", (uint64_t)_i);
    ck_assert_int_eq(ops->event(&device, &sync_event, &error), 0);
    ck_assert_uint_eq(get("dma_start"), 0);
    ck_assert_uint_eq(peek(address), 0x11111111);
    ck_assert_uint_eq(read_by_device((uintptr_t)buffer), 0x64636261);
    driver->free(driver, address);
}
END_TEST

START_TEST(the_engine_refuses_what_is_no_piece_of_a_page)
{
    static const struct {
        uint32_t command;
        uint64_t address, bytes;
    } wrong[] = {{ADI_VPI_DMA_WRITE, ADI_VPI_BASE, 0},
                 {ADI_VPI_DMA_WRITE, ADI_VPI_BASE + 1, ADI_VPI_PAGE},
                 {ADI_VPI_DMA_WRITE, ADI_VPI_BASE, ADI_VPI_PAGE + 1},
                 {ADI_VPI_DMA_WRITE, ADI_VPI_BASE - 4, 4},
                 {ADI_VPI_DMA_WRITE, ADI_VPI_BASE + ADI_VPI_BYTES, 4},
                 {ADI_VPI_DMA_WRITE, ADI_VPI_BASE, UINT64_MAX},
                 {ADI_VPI_DMA_SUM, UINT64_MAX, 4},
                 {0, ADI_VPI_BASE, 4},
                 {3, ADI_VPI_BASE, 4}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        start(wrong[i].command, wrong[i].address, wrong[i].bytes, 0x22222222);
        run(driver->id, LATENCY + 2);
        ck_assert_uint_eq(get("dma_done"), 1);
        ck_assert_uint_eq(get("dma_error"), 1);
        ck_assert_uint_eq(peek(wrong[i].address), 0xdbdbdbdb);
    }
    start(ADI_VPI_DMA_SUM, ADI_VPI_BASE, ADI_VPI_PAGE, 0);
    run(driver->id, LATENCY + 2);
    ck_assert_uint_eq(get("dma_error"), 0);
    ck_assert_uint_eq(get("dma_sum"), ADI_VPI_PAGE * ADI_VPI_POISON);
}
END_TEST

START_TEST(a_dma_that_never_ends_is_an_error)
{
    void *buffer, *sync_event;
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "before", 6, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &sync_event, NULL), 0);
    put("dma_stuck", 1);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "second", 6, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "third.", 6, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &sync_event, &error), ETIMEDOUT);
    ck_assert_msg(strstr(error.text, "vpi:1 has not raised dma_done after 200") != NULL, "%s",
                  error.text);
    ck_assert_uint_eq(read_by_device((uintptr_t)buffer), 0x6f666562);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "fourth", 6, NULL), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 0, &error, 6, NULL), ETIMEDOUT);
    put("dma_stuck", 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "AAAAAA", 6, NULL), 0);
    ck_assert_uint_eq(read_by_device((uintptr_t)buffer), 0x41414141);
}
END_TEST

static void expect_none(const char *variable, const char *value, const char *words) {
    struct adi_device_probe probe;
    setenv(variable, value, 1);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 0);
    ck_assert_msg(strstr(probe.why.text, words) != NULL, "%s", probe.why.text);
    ck_assert_int_ne(ops->open(0, &device, &error), 0);
    ck_assert_str_eq(error.text, probe.why.text);
}

START_TEST(why_there_is_none_is_said)
{
    expect_none("ADI_VPI_MODEL", "/nowhere/model.so", "/nowhere/model.so: cannot open");
    expect_none("ADI_VPI_MODEL", "libm.so.6",
                "libm.so.6 has no adi_vpi_model_open; it is no model");
    expect_none("ADI_VPI", "off", "ADI_VPI=off");
    expect_none("ADI_VPI", "icarus", "ADI_VPI=icarus; it may be dpi, vpi or off");
}
END_TEST

Suite *devices_vpi_model_suite(void) {
    Suite *suite = suite_create("devices_vpi_model");
    TCase *absence = tcase_create("absence");
    tcase_add_test(absence, why_there_is_none_is_said);
    suite_add_tcase(suite, absence);
    if (!vpi_is_there("devices_vpi_model")) return suite;

    TCase *tests = tcase_create("model");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, time_stands_still_until_the_model_is_ticked);
    tcase_add_test(tests, the_latency_can_be_chosen);
    tcase_add_loop_test(tests, a_command_of_somebody_else_is_done_first, 0, 2);
    tcase_add_test(tests, the_engine_refuses_what_is_no_piece_of_a_page);
    tcase_add_test(tests, a_dma_that_never_ends_is_an_error);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
