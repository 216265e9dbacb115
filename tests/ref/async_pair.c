/* SPDX-License-Identifier: Apache-2.0 */
#include "async_pair.h"

#include <check.h>
#include <string.h>

#include "batches.h"
#include "compare.h"
#include "devices.h"
#include "metadata.h"
#include "stream.h"

static struct adi_device cpu;
static struct adi_device *const cpus[] = {&cpu};

void pair_open(struct pair *out, const struct adi_source_plan *plan,
               const struct adi_async_produce *produce, const struct adi_async_consume *consume) {
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream in;
    struct adi_error error = {""};
    struct adi_async_consume copies = *consume;
    ck_assert_int_eq(adi_device_cpu.open(-1, &cpu, NULL), 0);
    if (consume->n_devices == 0) {
        copies.devices = cpus;
        copies.n_devices = 1;
    }
    observer_open(&out->observer, produce->layout);
    ck_assert_msg(adi_source_open(plan, &host, &error) == 0, "%s", error.text);
    ck_assert_int_eq(adi_stream_wrap(&host, &in, NULL), 0);
    ck_assert_int_eq(adi_async_consumer_open(&copies, &out->observer.inner, &out->consumer, NULL),
                     0);
    ck_assert_int_eq(
        adi_async_producer_open(produce, &in, &out->observer.handler, &out->producer, NULL), 0);
    ck_assert(in.release == NULL);
}

bool pair_drive(struct pair *pair) {
    for (;;) {
        enum adi_async_step step = adi_async_producer_step(pair->producer);
        if (step == ADI_ASYNC_STEPPED || adi_async_consumer_step(pair->consumer)) continue;
        return step == ADI_ASYNC_OVER;
    }
}

void pair_close(struct pair *pair, const char *about, struct adi_batches *out) {
    const char *error = observer_error(&pair->observer, true);
    ck_assert_msg(error[0] == '\0', "%s: %s", about, error);
    ck_assert_msg(adi_async_consumer_is_over(pair->consumer), "%s: the consumer goes on", about);
    adi_async_producer_close(pair->producer);
    adi_async_consumer_close(pair->consumer, out);
}

void pair_judge(const struct adi_source_plan *plan, size_t chunks, const struct adi_batches *seen,
                const char *about) {
    struct ArrowArrayStream host;
    struct adi_batches wanted;
    struct adi_error error = {""};
    ck_assert_int_eq(adi_source_open(plan, &host, NULL), 0);
    adi_batches_collect(&host, &wanted);
    ck_assert_msg(seen->count == chunks, "%s: %zu chunks, wanted %zu", about, seen->count, chunks);
    for (size_t i = 0; i < chunks; i++)
        ck_assert_msg(adi_array_compare(&seen->schema, &seen->batches[i].array, &wanted.schema,
                                        &wanted.batches[i].array, &error) == 0,
                      "%s: chunk %zu: %s", about, i, error.text);
    adi_batches_release(&wanted);
}

const char *pair_metadata(const char *key, const char *value, char *out) {
    struct adi_pair of = {key, value, (int32_t)strlen(key), (int32_t)strlen(value)};
    adi_metadata_write(&of, 1, out);
    return out;
}
