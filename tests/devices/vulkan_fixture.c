/* SPDX-License-Identifier: Apache-2.0 */
#include "vulkan_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMEOUT_S 60

struct adi_device producer, consumer;
const struct adi_device_ops *ops = &adi_device_vulkan;
struct adi_error error;
bool validated;

unsigned char byte_at(int64_t place) {
    return (unsigned char)(place * 131 + place / 251 + 7);
}

void *buffer_of(int64_t bytes) {
    unsigned char *host = malloc((size_t)bytes);
    void *buffer;
    ck_assert_ptr_nonnull(host);
    for (int64_t i = 0; i < bytes; i++) host[i] = byte_at(i);
    expect_ok(ops->alloc(&producer, bytes, &buffer, &error));
    expect_ok(ops->write(&producer, buffer, 0, host, bytes, &error));
    free(host);
    return buffer;
}

struct adi_vulkan *vulkan_of(const struct adi_device *device) {
    return ((struct adi_vulkan_opening *)device->state)->vulkan;
}

unsigned char first_byte(struct adi_device *device, const void *buffer) {
    unsigned char byte = 0;
    expect_ok(ops->read(device, buffer, 0, &byte, 1, &error));
    return byte;
}

void expect_no_message(void) {
    struct adi_vulkan_message message;
    if (adi_vulkan_message_take(&message)) ck_abort_msg("%s: %s", message.id, message.text);
}

static void set_up(void) {
    expect_ok(ops->open(0, &producer, &error));
    expect_ok(ops->open(0, &consumer, &error));
}

static void set_up_validated(void) {
    validated = true;
    expect_ok(adi_vulkan_validate(true, &error));
    set_up();
}

static void tear_down(void) {
    ops->close(&producer);
    ops->close(&consumer);
    expect_no_message();
}

static int ask_device(struct adi_error *why) {
    struct adi_device_probe probe;
    ops->probe(&probe);
    *why = probe.why;
    return probe.count == 0;
}

static int ask_layer(struct adi_error *why) {
    return adi_vulkan_validate(true, why);
}

/* Whether the answer is 0; else says what is left out, and why. */
static bool ask(int (*question)(struct adi_error *), const char *what) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct adi_error why = {""};
        int answer = question(&why);
        if (answer != 0) fprintf(stderr, "left out: %s: %s\n", what, why.text);
        _exit(answer != 0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool is_loader_there(void) {
    return ask(adi_vulkan_load, "tests of Vulkan drivers");
}

bool is_device_there(void) {
    return ask(ask_device, "tests of the Vulkan device");
}

bool is_layer_there(void) {
    return ask(ask_layer, "tests of the Vulkan device under validation");
}

static void add_case(Suite *suite, const char *name, void (*add)(TCase *tests),
                     void (*begin)(void)) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, TIMEOUT_S);
    tcase_add_checked_fixture(tests, begin, tear_down);
    add(tests);
    suite_add_tcase(suite, tests);
}

void add_twice(Suite *suite, void (*add)(TCase *tests)) {
    if (!is_device_there()) return;
    add_case(suite, "plain", add, set_up);
    if (is_layer_there()) add_case(suite, "validated", add, set_up_validated);
}
