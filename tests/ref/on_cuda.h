/* SPDX-License-Identifier: Apache-2.0
 *
 * Two devices cuda:0 of the simulation, with a stream each: one for the producer, one for the
 * consumer. Nothing orders the two streams but events.
 */
#ifndef ADI_TESTS_ON_CUDA_H
#define ADI_TESTS_ON_CUDA_H

#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "devices.h"

static struct adi_device producer, consumer;
static struct adi_error error;
static size_t references; /* to objects of the driver, beside which nobody holds any in the end */

static inline void open_both(void) {
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    ck_assert_msg(adi_device_cuda.open(0, &producer, &error) == 0, "%s", error.text);
    ck_assert_msg(adi_device_cuda.open(0, &consumer, &error) == 0, "%s", error.text);
    references = producer.ops->interceptor()->references();
}

static inline void close_both(void) {
    ck_assert_uint_eq(adi_device_cuda.interceptor()->references(), references);
    consumer.ops->close(&consumer);
    producer.ops->close(&producer);
}

static inline int64_t stream_of(struct adi_device *device) {
    return (int64_t)(uintptr_t)device->ops->native_handle(device, "cuda.stream");
}

/* Memory of the producer, with that in it once its stream has got there. */
static inline void *put(const void *from, int64_t bytes) {
    void *buffer;
    ck_assert_int_eq(producer.ops->alloc(&producer, bytes, &buffer, &error), 0);
    ck_assert_int_eq(producer.ops->write(&producer, buffer, 0, from, bytes, &error), 0);
    return buffer;
}

/* All that the producer has put into its stream has run. */
static inline void settle(void) {
    void *event;
    ck_assert_int_eq(producer.ops->event(&producer, &event, &error), 0);
    ck_assert_int_eq(producer.ops->wait_host(&producer, event, &error), 0);
    producer.ops->event_free(&producer, event);
}

/* A call of the driver by its name. */
static inline void (*driver(const char *name))(void) {
    const char *path = producer.ops->native_handle(&producer, "cuda.library");
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    void (*found)(void);
    ck_assert_ptr_nonnull(library);
    *(void **)(void *)&found = dlsym(library, name);
    ck_assert_msg(found != NULL, "%s", name);
    dlclose(library);
    return found;
}
#define DRIVER(name, ...) ((int (*)(__VA_ARGS__))driver(#name))

#endif /* ADI_TESTS_ON_CUDA_H */
