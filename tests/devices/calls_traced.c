/* SPDX-License-Identifier: Apache-2.0 */
#include "calls_traced.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long first, last;
static char knowing[64];

static void on_line(bool implementation, const char *line) {
    const char *call = strstr(line, "\"call\":"), *in = strstr(line, "\"in\":\"");
    (void)implementation;
    if (call == NULL || in == NULL) return;
    last = strtoul(call + strlen("\"call\":"), NULL, 10);
    if (first == 0) first = last;
    if (strstr(line, "\"knows\"") == NULL) return;
    in += strlen("\"in\":\"");
    snprintf(knowing, sizeof knowing, "%.*s", (int)strcspn(in, "\""), in);
}

unsigned long calls_of_an_export(struct adi_device *device) {
    const struct adi_device_ops *ops = device->ops;
    void *buffer, *event;
    first = 0;
    ops->interceptor()->trace(on_line);
    ck_assert_int_eq(ops->alloc(device, 64, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(device, buffer, 0, "abcdefg", 8, NULL), 0);
    ck_assert_int_eq(ops->event(device, &event, NULL), 0);
    ck_assert_int_eq(ops->wait_host(device, event, NULL), 0);
    ops->event_free(device, event);
    ops->free(device, buffer);
    ops->interceptor()->trace(NULL);
    return last - first + 1;
}

const char *call_that_waits(struct adi_device *device, void *event) {
    knowing[0] = '\0';
    device->ops->interceptor()->trace(on_line);
    ck_assert_int_eq(device->ops->wait_host(device, event, NULL), 0);
    device->ops->interceptor()->trace(NULL);
    return knowing;
}
