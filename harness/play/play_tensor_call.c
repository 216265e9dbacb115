/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots of tensors, and the callbacks of what they hand out.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device_types.h"
#include "play_tensor.h"

struct call {
    struct adi_adapter *adapter;
    DLDevice where;
    const struct adi_dlpack *host;
    struct adi_dlpack_array *array;
    const struct adi_dlpack_request *request;
    struct adi_dlpack_tensor *out;
    int code;
};

static int conclude(struct adi_test *test, const char *phase, int code) {
    if (code != 0) adi_play_step(test, phase, "returned %d (%s)", code, strerror(code));
    return code;
}

static void produce(void *call_at) {
    struct call *call = call_at;
    call->code =
        call->adapter->produce_dlpack(call->adapter, (int32_t)call->where.device_type,
                                      call->where.device_id, call->host->versioned, call->array);
}

int adi_call_produce_dlpack(struct adi_test *test, DLDevice where, const struct adi_dlpack *host,
                            struct adi_dlpack_array *out) {
    struct call call = {.adapter = test->adapter, .where = where, .host = host, .array = out};
    const DLTensor *tensor = &host->versioned->dl_tensor;
    adi_play_step(test, "produce", "a tensor of type (%d, %d), %d dimensions", tensor->dtype.code,
                  tensor->dtype.bits, (int)tensor->ndim);
    adi_call_code("produce", produce, &call);
    return conclude(test, "produce", call.code);
}

static void consume(void *call_at) {
    struct call *call = call_at;
    call->code = call->adapter->consume_dlpack(call->adapter, call->array, call->out);
}

int adi_call_consume_dlpack(struct adi_test *test, struct adi_dlpack_array *in,
                            struct adi_dlpack_tensor *host_out) {
    struct call call = {.adapter = test->adapter, .array = in, .out = host_out};
    adi_play_step(test, "consume", "an array with tensors on %s:%d",
                  adi_device_type_name(in->device_type), (int)in->device_id);
    adi_call_code("consume", consume, &call);
    return conclude(test, "consume", call.code);
}

static void ask(void *call_at) {
    struct call *call = call_at;
    call->code = call->array->dlpack(call->array, call->request, call->out);
}

static void say_request(struct adi_test *test, const struct adi_dlpack_request *request) {
    char stream[32] = "None";
    if (request->stream != ADI_DLPACK_NONE)
        snprintf(stream, sizeof stream, "%s",
                 request->stream == -1  ? "-1"
                 : request->stream == 0 ? "0"
                 : request->stream == 1 ? "1"
                                        : "a number");
    adi_play_step(test, "dlpack", "max_version (%u, %u), copy %d, stream %s%s", request->max_major,
                  request->max_minor, (int)request->copy, stream,
                  request->device_type == 0 ? "" : ", on the CPU");
}

int adi_call_dlpack(struct adi_test *test, struct adi_dlpack_array *array,
                    const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    struct call call = {.array = array, .request = request, .out = out};
    say_request(test, request);
    adi_call_code("dlpack", ask, &call);
    return conclude(test, "dlpack", call.code);
}

static void release(void *array_at) {
    struct adi_dlpack_array *array = array_at;
    array->release(array);
}

void adi_call_dlpack_release(struct adi_dlpack_array *array) {
    adi_call_code("release", release, array);
}

static void call_deleter(void *tensor_at) {
    struct adi_dlpack tensor = *(const struct adi_dlpack *)tensor_at;
    adi_dlpack_delete(&tensor);
}

void adi_call_deleter(const struct adi_dlpack *tensor) {
    struct adi_dlpack gone = *tensor;
    adi_call_code("deleter", call_deleter, &gone);
}

static void *delete_here(void *tensor_at) {
    call_deleter(tensor_at);
    return NULL;
}

void adi_call_deleter_elsewhere(const struct adi_dlpack *tensor) {
    struct adi_dlpack gone = *tensor;
    pthread_t thread;
    if (pthread_create(&thread, NULL, delete_here, &gone) != 0) {
        adi_call_deleter(tensor);
        return;
    }
    pthread_join(thread, NULL);
}

/* ---- looking at one ---- */

struct advice {
    struct adi_sink sink;
    struct adi_test *test;
};

static void on_seen(struct adi_sink *sink, const struct adi_found *found) {
    struct adi_test *test = ((const struct advice *)(const void *)sink)->test;
    size_t before = test->n_findings, strays = test->strays;
    bool is_advice = found->rule->level != ADI_MUST;
    if (is_advice && test->is_prelude) return;
    test->sink.violated(&test->sink, found);
    if (!is_advice) return;
    test->n_findings = before;
    test->strays = strays;
}

static void on_kept(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_test *test = ((const struct advice *)(const void *)sink)->test;
    test->sink.satisfied(&test->sink, rule);
}

enum adi_tensor_is adi_tensor_look(struct adi_test *test, const struct adi_dlpack *tensor,
                                   const struct adi_tensor_asked *asked, struct adi_tensor *out) {
    struct advice advice = {{.violated = on_seen, .satisfied = on_kept}, test};
    return adi_check_tensor(tensor, asked, out, &advice.sink);
}
