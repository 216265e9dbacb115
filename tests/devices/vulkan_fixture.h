/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the Vulkan device share. Every one of them runs twice: as it is, and under the
 * validation layer, which may have nothing to say.
 */
#ifndef ADI_TESTS_VULKAN_FIXTURE_H
#define ADI_TESTS_VULKAN_FIXTURE_H

#include <check.h>

#include "vulkan_internal.h"

/* Two openings of vulkan:0, as of a producer and of a consumer. */
extern struct adi_device producer, consumer;
extern const struct adi_device_ops *ops;
extern struct adi_error error;
extern bool validated; /* the test runs under the layer */

/* Fails with the sentence of `error`. */
#define expect_ok(call) ck_assert_msg((call) == 0, "%s: %s", #call, error.text)
#define expect_error(call, wanted)                                                                 \
    ck_assert_msg((call) == (wanted), "%s: not " #wanted ": %s", #call, error.text)
#define expect_said(words) ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text)

/* A buffer on the producer's side that holds so many bytes of a known sequence. */
void *buffer_of(int64_t bytes);
/* The byte at a place of that sequence. */
unsigned char byte_at(int64_t place);

struct adi_vulkan *vulkan_of(const struct adi_device *device);
/* The first byte of the buffer, read by the device. */
unsigned char first_byte(struct adi_device *device, const void *buffer);

/* Fails with the first message of the validation layer. */
void expect_no_message(void);

/* If not, they say what is left out and why. Asked in a process of its own: a driver that is loaded
 * before a fork is of no use after it. */
bool is_loader_there(void);
bool is_device_there(void);
bool is_layer_there(void);

/* Adds the tests that `add` adds to a test case, once plain and once validated, as far as there is
 * a device and a layer. */
void add_twice(Suite *suite, void (*add)(TCase *tests));

#endif /* ADI_TESTS_VULKAN_FIXTURE_H */
