/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which the harness asks a producer under test for tensors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "device_types.h"
#include "dlpack_extent.h"
#include "dlpack_stream.h"
#include "play_tensor.h"

/* An array from hand-over to release. */
struct fixture {
    struct adi_tensor_sample sample;
    struct adi_dlpack_array *array; /* NULL: there is none */
    DLDevice where;
};

/* ---- the array ---- */

/* AAD-01: an array says where it is. */
static void judge_array(struct adi_test *test, const struct fixture *fixture) {
    const struct adi_dlpack_array *array = fixture->array;
    const DLDevice where = fixture->where;
    bool same_id = array->device_id == where.device_id ||
                   adi_device_type_of((int)where.device_type)->ids != ADI_IDS_EXACT;
    if (array->device_type != (int32_t)where.device_type || !same_id)
        adi_report(&test->sink, "dlpack/device-differs", ADI_PRODUCER, NULL, NULL,
                   "the array says device (%d, %d), and (%d, %d) was asked for",
                   (int)array->device_type, (int)array->device_id, (int)where.device_type,
                   (int)where.device_id);
    if (array->device_type == kDLCPU && array->device_id != 0)
        adi_report(&test->sink, "dlpack/cpu-id-not-zero", ADI_PRODUCER, NULL, "0",
                   "the array says device_id %d of the CPU", (int)array->device_id);
}

static bool is_untouched(const void *pointer) {
    unsigned char poison[sizeof pointer];
    memset(poison, ADI_POISON_BYTE, sizeof poison);
    return pointer == NULL || memcmp(&pointer, poison, sizeof poison) == 0;
}

static void judge_untouched(struct adi_test *test, bool untouched, const char *what) {
    if (!untouched)
        adi_report(&test->sink, "life/failure-leaves-output", test->party, "it is set",
                   "untouched, or NULL", "a failing call left something in its output: %s", what);
}

static bool produce(struct adi_test *test, struct fixture *fixture) {
    fixture->array = malloc(sizeof *fixture->array);
    if (fixture->array == NULL) {
        adi_play_error(test, "no room for an array", &(struct adi_error){"out of memory"});
        return false;
    }
    memset(fixture->array, ADI_POISON_BYTE, sizeof *fixture->array);
    fixture->array->size = sizeof *fixture->array;
    int code = adi_call_produce_dlpack(test, fixture->where, &fixture->sample.host, fixture->array);
    adi_tensor_sample_spoil(&fixture->sample);
    if (code == 0) return true;
    adi_play_refused(test, code);
    void *release;
    memcpy(&release, &fixture->array->release, sizeof release);
    judge_untouched(test, is_untouched(release), "release");
    free(fixture->array);
    fixture->array = NULL;
    return false;
}

/* false: there is no array to ask. */
static bool set_up(struct adi_test *test, uint64_t more, struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    if (!adi_tensor_where(test, &fixture->where) ||
        !adi_tensor_sample_make(test, more, &fixture->sample) || !produce(test, fixture))
        return false;
    judge_array(test, fixture);
    return true;
}

static void release_array(struct adi_test *test, struct fixture *fixture) {
    if (fixture->array == NULL) return;
    adi_play_step(test, "release", "the array");
    if (fixture->array->release != NULL) adi_call_dlpack_release(fixture->array);
    free(fixture->array);
    fixture->array = NULL;
}

static void tear_down(struct adi_test *test, struct fixture *fixture) {
    release_array(test, fixture);
    adi_tensor_sample_free(&fixture->sample);
}

/* ---- a tensor ---- */

static struct adi_tensor_asked asked_for(const struct fixture *fixture,
                                         const struct adi_dlpack_request *request) {
    bool elsewhere = request->device_type != 0;
    return (struct adi_tensor_asked){
        request->max_major, request->max_minor,
        elsewhere ? request->device_type : (int32_t)fixture->where.device_type,
        elsewhere ? request->device_id : fixture->where.device_id, request->copy};
}

/* DLH-03: of another major version all that can be done is to delete it. */
static void delete_other(struct adi_test *test, const struct adi_tensor *tensor) {
    adi_play_skip(test, "not judged: a tensor of another major version, or of more dimensions than "
                        "are looked at");
    adi_call_deleter(&tensor->handed_out);
}

/* Is its memory what the device type says? It is not looked at otherwise. */
static bool is_of_kind(struct adi_test *test, const struct adi_tensor *seen) {
    struct adi_error why = {""};
    struct adi_device *device = adi_tensor_device(test, seen);
    if (device == NULL || adi_dlpack_memory_check(device, &seen->tensor, &why) != EFAULT)
        return true;
    adi_report(&test->sink, "dlpack/memory-kind-differs", ADI_PRODUCER, why.text,
               "what the device type stands for", "the tensor is said to be on %s",
               device->ops->name);
    return false;
}

/* Asks for a tensor and looks at it. false: there is none, or none to be read, and it has been
 * deleted; `refused`, which may be NULL, says whether the array has refused. */
static bool ask(struct adi_test *test, struct fixture *fixture,
                const struct adi_dlpack_request *request, struct adi_tensor *out, bool *refused) {
    struct adi_dlpack_tensor answer;
    const struct adi_tensor_asked asked = asked_for(fixture, request);
    memset(&answer, ADI_POISON_BYTE, sizeof answer);
    int code = adi_call_dlpack(test, fixture->array, request, &answer);
    if (refused != NULL) *refused = code != 0;
    if (code != 0) {
        if (refused == NULL) adi_play_refused(test, code);
        judge_untouched(test, is_untouched(answer.legacy) && is_untouched(answer.versioned),
                        "the tensor");
        return false;
    }
    const struct adi_dlpack tensor = {answer.legacy, answer.versioned};
    enum adi_tensor_is is = adi_tensor_look(test, &tensor, &asked, out);
    if (is == ADI_TENSOR_SOUND && is_of_kind(test, out)) return true;
    if (is == ADI_TENSOR_SOUND) is = ADI_TENSOR_UNSOUND;
    if (is == ADI_TENSOR_OTHER || is == ADI_TENSOR_TOO_BIG) delete_other(test, out);
    if (is == ADI_TENSOR_UNSOUND) adi_call_deleter(&out->handed_out);
    return false;
}

/* ---- reading ---- */

/* Does it hold what it was made of? Else `rule` is broken. It stays the caller's. */
static bool read_as(struct adi_test *test, struct fixture *fixture,
                    const struct adi_dlpack_request *request, const struct adi_tensor *seen,
                    const char *rule) {
    struct adi_error why = {""};
    struct adi_device *device = adi_tensor_device(test, seen);
    if (device == NULL || !adi_tensor_is_ordered(test, request, device, seen)) return false;
    adi_play_step(test, "read", "compared with what was handed over");
    int code = adi_tensor_compare(device, seen, &fixture->sample, &why);
    test->judged = true;
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why);
    /* DLH-17, DLH-23, DLH-28, DLH-35, DLH-40: where the elements are, and what. */
    if (code == EILSEQ)
        adi_report(&test->sink, rule, ADI_PRODUCER, NULL, adi_tensor_sample_is(&fixture->sample),
                   "%s", why.text);
    return code == 0;
}

static bool read_it(struct adi_test *test, struct fixture *fixture,
                    const struct adi_dlpack_request *request, const struct adi_tensor *seen) {
    return read_as(test, fixture, request, seen, "dlpack/data-differs");
}

static void delete_it(struct adi_test *test, const struct adi_tensor *seen) {
    adi_play_step(test, "deleter", seen->has_deleter ? "called" : "is NULL");
    adi_call_deleter(&seen->handed_out);
}

/* ---- the scenarios ---- */

static void play_request(struct adi_test *test, const struct adi_dlpack_request *request) {
    struct fixture fixture;
    struct adi_tensor seen;
    if (set_up(test, 0, &fixture) && ask(test, &fixture, request, &seen, NULL)) {
        read_it(test, &fixture, request, &seen);
        delete_it(test, &seen);
    }
    tear_down(test, &fixture);
}

/* parameter: the version that is asked for, major * 10 + minor; 0: None. */
void adi_play_dlpack(struct adi_test *test) {
    int64_t version = test->now->scenario->parameter;
    struct adi_dlpack_request request =
        adi_tensor_request((uint32_t)(version / 10), (uint32_t)(version % 10));
    play_request(test, &request);
}

/* parameter: an adi_tensor_kind. Who does not have it may refuse it. */
void adi_play_dlpack_kind(struct adi_test *test) {
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    play_request(test, &request);
}

/* AAX-14: a tensor on the CPU is there when the call returns. */
void adi_play_dlpack_to_cpu(struct adi_test *test) {
    struct fixture fixture;
    struct adi_tensor seen;
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    request.device_type = kDLCPU;
    if (set_up(test, 0, &fixture) && ask(test, &fixture, &request, &seen, NULL)) {
        read_as(test, &fixture, &request, &seen, "dlpack/host-copy-not-finished");
        delete_it(test, &seen);
    }
    tear_down(test, &fixture);
}

/* Two tensors of one array, the second with `copy`; one goes before the other is read. */
/* parameter: `copy` of the second one. */
void adi_play_dlpack_twice(struct adi_test *test) {
    struct fixture fixture;
    struct adi_tensor first, second;
    struct adi_dlpack_request request = adi_tensor_request(1, 3), other = request;
    bool refused;
    other.copy = (int32_t)test->now->scenario->parameter;
    if (set_up(test, 0, &fixture) && ask(test, &fixture, &request, &first, NULL)) {
        if (ask(test, &fixture, &other, &second, &refused)) {
            adi_tensor_judge_sharing(test, &other, &first, &second);
            delete_it(test, &first);
            adi_play_crash_rule(test, "dlpack/tensor-depends-on-array");
            if (test->n_findings == 0)
                read_as(test, &fixture, &other, &second, "dlpack/tensor-depends-on-array");
            delete_it(test, &second);
            adi_play_crash_rule(test, NULL);
        } else {
            struct adi_error why;
            adi_error_set(&why, ENOTSUP, "a second tensor is refused: %s",
                          adi_call_error(test->adapter));
            delete_it(test, &first);
            if (refused) adi_play_refused_so(test, ENOTSUP, why.text);
        }
    }
    tear_down(test, &fixture);
}

/* DLH-41, DLP-02, DLP-03, DLH-46: a tensor lives until its deleter. */
/* Once as it comes: what breaks there is not about what comes then. */
static bool plays_plainly(struct adi_test *test) {
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    play_request(test, &request);
    test->judged = false; /* what the case is there for comes now */
    return test->n_findings == 0 && !test->refused && !test->skipped;
}

/* What was no more than advice when the array was there is so without it, and has been told. */
struct grave {
    struct adi_sink sink, *to;
};

static void on_grave(struct adi_sink *sink, const struct adi_found *found) {
    struct grave *grave = (struct grave *)(void *)sink;
    if (found->rule->level == ADI_MUST) grave->to->violated(grave->to, found);
}

/* Is it still what it was? */
static void look_again(struct adi_test *test, struct fixture *fixture,
                       const struct adi_dlpack_request *request, const struct adi_tensor *seen) {
    static const char rule[] = "dlpack/tensor-depends-on-array";
    const struct adi_tensor_asked asked = asked_for(fixture, request);
    struct adi_tensor again;
    struct adi_mistake before = test->mistake;
    struct grave grave = {.sink = {.violated = on_grave}, .to = &test->sink};
    adi_play_crash_rule(test, rule);
    test->mistake = adi_mistake(rule, false);
    if (adi_check_tensor(&seen->handed_out, &asked, &again, &grave.sink) == ADI_TENSOR_SOUND)
        read_as(test, fixture, request, &again, rule);
    test->mistake = before;
}

/* What the array's release gave back, another may be laid out in, with values that are the same. */
void adi_play_dlpack_outlived(struct adi_test *test) {
    struct fixture fixture, another;
    struct adi_tensor seen, later;
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    if (!plays_plainly(test) || !set_up(test, 0, &fixture)) return;
    if (!ask(test, &fixture, &request, &seen, NULL)) {
        tear_down(test, &fixture);
        return;
    }
    adi_play_crash_rule(test, "dlpack/tensor-depends-on-array");
    release_array(test, &fixture);
    adi_call_collect();
    look_again(test, &fixture, &request, &seen);
    bool is_there =
        set_up(test, ADI_SEVERAL, &another) && ask(test, &another, &request, &later, NULL);
    if (test->n_findings == 0) look_again(test, &fixture, &request, &seen);
    delete_it(test, &seen);
    adi_play_crash_rule(test, NULL);
    if (is_there) delete_it(test, &later);
    tear_down(test, &another);
    tear_down(test, &fixture);
}

/* DLP-21: whoever has it last calls the deleter, on whatever thread. */
void adi_play_dlpack_thread(struct adi_test *test) {
    struct fixture fixture;
    struct adi_tensor seen;
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    if (!plays_plainly(test)) return;
    if (set_up(test, 0, &fixture) && ask(test, &fixture, &request, &seen, NULL)) {
        release_array(test, &fixture);
        adi_play_step(test, "deleter", "on another thread");
        adi_play_crash_rule(test, "dlpack/deleter-bound-to-thread");
        adi_call_deleter_elsewhere(&seen.handed_out);
        test->judged = true;
        adi_play_crash_rule(test, NULL);
    }
    tear_down(test, &fixture);
}

/* AAX-04, AAX-10, AAX-12: a stream that the type does not have is refused. */
void adi_play_dlpack_stream(struct adi_test *test) {
    struct fixture fixture;
    struct adi_tensor seen;
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    const char *rule = test->now->scenario->rule;
    bool refused;
    request.stream = adi_dlpack_no_stream(test->device->ops->type);
    if (!plays_plainly(test)) return;
    if (set_up(test, 0, &fixture)) {
        bool given = ask(test, &fixture, &request, &seen, &refused);
        test->judged = true;
        if (!refused)
            adi_report(&test->sink, rule, ADI_PRODUCER, "a tensor", "an error",
                       "stream %d was accepted", (int)request.stream);
        if (given) delete_it(test, &seen);
    }
    tear_down(test, &fixture);
}

/* ---- with queues that are held ---- */

static bool plays_on(struct adi_test *test) {
    return test->n_findings == 0 && !test->refused && !test->skipped;
}

/* A request that may be refused, which is nothing new then: the streams that a producer knows are
 * its own affair. */
static void play_optional(struct adi_test *test, const struct adi_dlpack_request *request) {
    struct fixture fixture;
    struct adi_tensor seen;
    bool refused;
    if (!plays_on(test)) return;
    adi_queue_hold(test, true, true);
    if (set_up(test, 0, &fixture) && ask(test, &fixture, request, &seen, &refused)) {
        read_it(test, &fixture, request, &seen);
        delete_it(test, &seen);
    }
    tear_down(test, &fixture);
}

/* Can it be used? What is destroyed in the case is seen by that. */
static bool is_alive(struct adi_test *test, int64_t stream) {
    struct adi_device *device = test->device;
    struct adi_dlpack_queue queue;
    void *event = NULL;
    if (!ADI_DEVICE_HAS(device->ops, record_on) ||
        adi_dlpack_stream(device->ops->type, stream, &queue, NULL) != 0 ||
        adi_dlpack_record(device, queue, &event, NULL) != 0)
        return false;
    if (event != NULL) device->ops->event_free(device, event);
    return true;
}

/* parameter 0: with the number of the harness's own stream; 1: None. */
void adi_play_dlpack_held(struct adi_test *test) {
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    bool is_numbered = test->now->scenario->parameter == 0;
    struct adi_dlpack_queue queue;
    if (!adi_queue_may_hold(test)) return;
    if (is_numbered) request.stream = adi_dlpack_own_stream(test->device);
    test->has_stream = is_numbered && is_alive(test, request.stream);
    adi_queue_hold(test, true, false);
    play_request(test, &request);
    if (is_numbered) {
        /* AAX-26: a copy is made over the stream. */
        request.copy = 1;
        play_optional(test, &request);
        /* AAX-08: the default stream of this thread. */
        request.copy = -1;
        request.stream = 2;
        if (adi_dlpack_stream(test->device->ops->type, 2, &queue, NULL) == 0)
            play_optional(test, &request);
    }
    adi_queue_let_run(test);
}

/* Is the tensor still to be written when it has been handed out with that stream? */
static bool asks_without_block(struct adi_test *test, int64_t stream) {
    struct fixture fixture;
    struct adi_tensor seen;
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    bool pending = false;
    request.stream = stream;
    adi_queue_hold(test, true, true);
    if (set_up(test, 0, &fixture) && ask(test, &fixture, &request, &seen, NULL)) {
        pending = adi_tensor_is_pending(test->device, &seen);
        adi_queue_let_run(test);
        delete_it(test, &seen);
    }
    tear_down(test, &fixture);
    adi_queue_let_run(test);
    return pending;
}

/* AAX-02: with -1 the producer is not to synchronize. */
/* Only who does not block where it is named a stream can be seen to block for nothing. */
void adi_play_dlpack_unordered(struct adi_test *test) {
    int64_t stream = adi_dlpack_own_stream(test->device);
    if (!adi_queue_may_hold(test)) return;
    bool is_asynchronous = asks_without_block(test, stream);
    if (test->n_findings > 0 || test->refused || test->skipped) return;
    if (!is_asynchronous) {
        adi_play_skip(test, "not judged: all has run when it is handed out, whatever the stream");
        return;
    }
    bool pending = asks_without_block(test, -1);
    if (test->n_findings > 0 || test->refused || test->skipped) return;
    test->judged = true;
    if (!pending)
        adi_report(&test->sink, "dlpack/waits-unasked", ADI_PRODUCER,
                   "all that writes the tensor has run", "no wait",
                   "the producer blocks with stream -1, and does not with a stream");
}
