/* SPDX-License-Identifier: Apache-2.0 */
#include "one_device.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "device_types.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "sample.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct adi_error error;

bool is_there(const struct adi_device_ops *ops, const char *setting, const char *cause,
              const char *what) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct adi_device_probe probe;
        if (setting != NULL) putenv((char *)(uintptr_t)setting);
        ops->probe(&probe);
        bool is_wanting =
            probe.count == 0 && (cause == NULL || strstr(probe.why.text, cause) != NULL);
        if (is_wanting) printf("left out: %s: %s\n", what, probe.why.text);
        fflush(stdout);
        _exit(is_wanting ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* ---- buffers ---- */

uint8_t *new_buffer(struct adi_device *device, int64_t bytes) {
    void *buffer;
    ck_assert_msg(device->ops->alloc(device, bytes, &buffer, &error) == 0, "%s", error.text);
    return buffer;
}

static void write_bytes(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes) {
    ck_assert_msg(device->ops->write(device, buffer, offset, from, bytes, &error) == 0, "%s",
                  error.text);
}

void expect_bytes(struct adi_device *device, const void *buffer, int64_t offset, const void *wanted,
                  size_t bytes) {
    uint8_t *seen = malloc(bytes);
    ck_assert_msg(device->ops->read(device, buffer, offset, seen, (int64_t)bytes, &error) == 0,
                  "%s", error.text);
    ck_assert_mem_eq(seen, wanted, bytes);
    free(seen);
}

void expect_fault(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                  const char *words) {
    const struct adi_device_ops *ops = device->ops;
    char scratch[256] = "";
    void *to = (void *)(uintptr_t)buffer;
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(ops->read(device, buffer, offset, scratch, bytes, &error), EFAULT);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_int_eq(ops->write(device, to, offset, scratch, bytes, NULL), EFAULT);
}

void expect_pieces(struct adi_device *device, int64_t bytes, uint8_t fresh) {
    static const int64_t offsets[] = {0,  1,    2,    3,    4,    7,    8,   63,
                                      64, 4094, 4095, 4096, 4097, 5000, 8191};
    static const int64_t sizes[] = {1,  2,  3,   4,   5,    8,    9,    63,
                                    64, 65, 130, 903, 1000, 4095, 4096, 4097};
    uint8_t *buffer = new_buffer(device, bytes), *mirror = malloc((size_t)bytes), piece[4097];
    unsigned next = 1;
    memset(mirror, fresh, (size_t)bytes);
    expect_bytes(device, buffer, 0, mirror, (size_t)bytes);
    for (size_t i = 0; i < COUNT(offsets) * COUNT(sizes); i++) {
        int64_t offset = offsets[i / COUNT(sizes)], size = sizes[i % COUNT(sizes)];
        if (offset + size > bytes) continue;
        for (int64_t at = 0; at < size; at++)
            piece[at] = (uint8_t)((next = next * 1103515245 + 12345) >> 16);
        memcpy(mirror + offset, piece, (size_t)size);
        write_bytes(device, buffer, offset, piece, size);
        memset(piece, 0, sizeof piece);
        expect_bytes(device, buffer, offset, mirror + offset, (size_t)size);
        expect_bytes(device, buffer, 0, mirror, (size_t)bytes);
    }
    write_bytes(device, buffer, bytes, NULL, 0);
    ck_assert_int_eq(device->ops->read(device, buffer, bytes, NULL, 0, NULL), 0);
    free(mirror);
    device->ops->free(device, buffer);
}

void expect_written_is_read(struct adi_device *device) {
    const struct adi_device_ops *ops = device->ops;
    uint8_t *buffer = new_buffer(device, 1000);
    char from[9] = "abcdefgh";
    void *event;
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    write_bytes(device, buffer, 991, from, 9);
    memset(from, '-', sizeof from); /* it is not needed any more */
    write_bytes(device, buffer, 0, NULL, 0);
    ck_assert_int_eq(ops->event(device, &event, &error), 0);
    ck_assert_int_eq(ops->wait(device, event, &error), 0);
    ck_assert_int_eq(ops->wait_host(device, event, &error), 0);
    ck_assert_int_eq(ops->wait(device, NULL, &error), 0);
    ck_assert_int_eq(ops->wait_host(device, NULL, &error), 0);
    expect_bytes(device, buffer, 991, "abcdefgh", 9);
    ck_assert_int_eq(ops->read(device, NULL, 0, from, 0, &error), 0);
    if (adi_device_type_has_event(ops->type))
        ops->event_free(device, event);
    else
        ck_assert_ptr_null(event);
    ops->free(device, buffer);
}

void expect_refusals(struct adi_device *device, const char *words) {
    const struct adi_device_ops *ops = device->ops;
    uint8_t *buffer = new_buffer(device, 8);
    char own[16] = "";
    void *none;
    expect_fault(device, buffer, 1, 8, "8 bytes at byte 1 of");
    const void *wild[] = {NULL, own, (void *)8, (void *)(UINTPTR_MAX - 8), buffer + 8};
    for (size_t i = 0; i < COUNT(wild); i++) expect_fault(device, wild[i], 0, 4, "");
    expect_fault(device, buffer, -1, 1, "");
    expect_fault(device, buffer, INT64_MAX, INT64_MAX, "");
    ck_assert_int_eq(ops->alloc(device, 0, &none, &error), EINVAL);
    ck_assert_int_eq(ops->alloc(device, INT64_MAX, &none, &error), ENOMEM);
    ck_assert(!ops->accessible(device, own, &error));
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ops->free(device, buffer);
    expect_fault(device, buffer, 0, 4, "");
}

/* ---- threads ---- */

struct freed {
    struct adi_device *device;
    void *buffers[65]; /* the last is NULL */
};

static void *free_all(void *freed) {
    struct freed *of = freed;
    for (void **at = of->buffers; *at != NULL; at++) of->device->ops->free(of->device, *at);
    return NULL;
}

void expect_freed_elsewhere(struct adi_device *device) {
    struct freed freed = {device, {new_buffer(device, 8)}};
    pthread_t thread;
    write_bytes(device, freed.buffers[0], 0, "abc", 4);
    ck_assert_int_eq(pthread_create(&thread, NULL, free_all, &freed), 0);
    pthread_join(thread, NULL);
    ck_assert(!device->ops->accessible(device, freed.buffers[0], &error));
}

void expect_many_freed_elsewhere(struct adi_device *device) {
    enum {
        ROUNDS = 20
    };
    for (int round = 0; round < ROUNDS; round++) {
        struct freed freed = {.device = device};
        pthread_t thread;
        for (int i = 0; i < (int)COUNT(freed.buffers) - 1; i++) {
            freed.buffers[i] = new_buffer(device, 100 + i);
            write_bytes(device, freed.buffers[i], 0, &i, sizeof i);
        }
        ck_assert_int_eq(pthread_create(&thread, NULL, free_all, &freed), 0);
        uint8_t *mine = new_buffer(device, 3);
        write_bytes(device, mine, 0, "abc", 3);
        expect_bytes(device, mine, 0, "abc", 3);
        pthread_join(thread, NULL);
        device->ops->free(device, mine);
    }
}

/* ---- the queue of a type without events ---- */

void finish(struct adi_device *device) {
    void *sync_event = device;
    ck_assert_msg(device->ops->event(device, &sync_event, &error) == 0, "%s", error.text);
    ck_assert_ptr_null(sync_event);
}

void expect_stale_until_finished(struct adi_device *device, uint8_t fresh) {
    struct adi_device consumer;
    uint8_t poison[8];
    memset(poison, fresh, sizeof poison);
    ck_assert_int_eq(device->ops->open(device->id, &consumer, NULL), 0);
    for (int i = 0; i < 50; i++) {
        uint8_t *buffer = new_buffer(device, 8);
        write_bytes(device, buffer, 0, "12345678", 8);
        expect_bytes(&consumer, buffer, 0, poison, 8);
        finish(device);
        expect_bytes(&consumer, buffer, 0, "12345678", 8);
        device->ops->free(device, buffer);
    }
    consumer.ops->close(&consumer);
}

uint8_t *expect_pauses(struct adi_device *device) {
    const struct adi_device_ops *ops = device->ops;
    uint8_t *buffer = new_buffer(device, 4);
    write_bytes(device, buffer, 0, "old.", 4);
    ck_assert_int_eq(ops->pause(device, NULL), 0);
    write_bytes(device, buffer, 0, "new.", 4);
    expect_bytes(device, buffer, 0, "old.", 4);
    ck_assert_int_eq(ops->resume(device, NULL), 0);
    expect_bytes(device, buffer, 0, "new.", 4);
    ck_assert_int_eq(ops->pause(device, NULL), 0);
    write_bytes(device, buffer, 0, "last", 4);
    finish(device);
    expect_bytes(device, buffer, 0, "last", 4);
    return buffer;
}

uint8_t *expect_full_queue_runs(struct adi_device *device, int64_t bytes, uint8_t fresh) {
    uint8_t *buffer = new_buffer(device, bytes), *data = calloc(1, (size_t)bytes);
    struct adi_device other;
    memset(data + bytes - 5, 'x', 5);
    write_bytes(device, buffer, 0, data, bytes);
    ck_assert_int_eq(device->ops->open(device->id, &other, NULL), 0);
    expect_bytes(&other, buffer, 0, data, 1);
    expect_bytes(&other, buffer, bytes - 1, &fresh, 1);
    other.ops->close(&other);
    expect_bytes(device, buffer, 0, data, (size_t)bytes);
    free(data);
    return buffer;
}

/* ---- memory of which the device gives parts ---- */

void expect_poison(struct adi_device *device, int64_t bytes, int64_t all, uint8_t fresh,
                   const char *words) {
    uint8_t *poison = malloc((size_t)bytes), *data = calloc(1, (size_t)bytes);
    uint8_t *first = new_buffer(device, bytes), *again;
    memset(poison, fresh, (size_t)bytes);
    expect_bytes(device, first, 0, poison, (size_t)bytes);
    write_bytes(device, first, 0, data, bytes);
    expect_bytes(device, first, 0, data, (size_t)bytes);
    device->ops->free(device, first);
    expect_fault(device, first, 0, 1, words);
    again = new_buffer(device, bytes);
    ck_assert_ptr_ne(again, first);
    device->ops->free(device, again);
    again = new_buffer(device, all);
    ck_assert_ptr_eq(again, first);
    expect_bytes(device, again, 0, poison, (size_t)bytes);
    free(poison);
    free(data);
}

/* ---- arrays ---- */

static void expect_sample(struct adi_device *device, const struct adi_sample_type *type,
                          const struct adi_sample_shape *shape) {
    struct ArrowSchema schema, again;
    struct ArrowArray host, wanted, back;
    struct ArrowDeviceArray there;
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &host, NULL), 0);
    ck_assert_int_eq(adi_sample(type, shape, 1, &again, &wanted, NULL), 0);
    int code = adi_produce(device, &schema, &host, &there, &error);
    if (code == 0 && !adi_device_type_has_event(device->ops->type))
        ck_assert_ptr_null(there.sync_event);
    if (code == 0) code = adi_consume(device, &schema, &there, &back, &error);
    if (code == 0) code = adi_array_compare(&schema, &back, &again, &wanted, &error);
    ck_assert_msg(code == 0, "%s/%s: %s", type->name, shape->name, error.text);
    adi_array_release(&back);
    adi_array_release(&wanted);
    adi_schema_release(&schema);
    adi_schema_release(&again);
}

void expect_samples(struct adi_device *device) {
    size_t n = 0;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t s = 0; (shape = adi_sample_shape(s)) != NULL; s++) {
            if (!adi_sample_exists(type, shape)) continue;
            expect_sample(device, type, shape);
            n++;
        }
    ck_assert_uint_gt(n, 500);
}
