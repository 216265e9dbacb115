/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which a consumer under test asks the harness for tensors.
 */
#include <errno.h>
#include <string.h>

#include "guarded_tensor.h"
#include "play_tensor.h"

/* A guarded array on its way through `consume_dlpack`. */
struct fixture {
    struct adi_tensor_sample sample;
    struct adi_guarded_tensor *guarded;
    struct adi_dlpack_array *array;
    struct adi_dlpack host_out;
    struct adi_tensor copy; /* of `host_out`, as it was looked at */
    bool has_copy;
};

static bool set_up(struct adi_test *test, unsigned oddities, struct fixture *fixture) {
    struct adi_error error = {""};
    DLDevice where;
    memset(fixture, 0, sizeof *fixture);
    if (!adi_tensor_where(test, &where) || !adi_tensor_sample_make(test, 0, &fixture->sample))
        return false;
    if (adi_guarded_tensor_open(test->device, fixture->sample.tensor, oddities, &test->sink,
                                &fixture->guarded, &fixture->array, &error) == 0)
        return true;
    adi_play_error(test, "no array to hand over", &error);
    adi_tensor_sample_free(&fixture->sample);
    return false;
}

/* ---- the call ---- */

static bool is_untouched(const void *pointer) {
    unsigned char poison[sizeof pointer];
    memset(poison, ADI_POISON_BYTE, sizeof poison);
    return pointer == NULL || memcmp(&pointer, poison, sizeof poison) == 0;
}

/* Returns the implementation's answer. */
static int call_and_check(struct adi_test *test, struct fixture *fixture) {
    struct adi_dlpack_tensor out;
    memset(&out, ADI_POISON_BYTE, sizeof out);
    int code = adi_call_consume_dlpack(test, fixture->array, &out);
    bool is_moved = fixture->array->release == NULL;
    if (code == 0 && !is_moved)
        adi_report(&test->sink, "dlpack/array-not-released", ADI_CONSUMER, "release is set",
                   "NULL: moved, or released in place", "the array was taken, but not released");
    if (!is_moved) fixture->array->release(fixture->array);
    if (code != 0 && (!is_untouched(out.legacy) || !is_untouched(out.versioned)))
        adi_report(&test->sink, "life/failure-leaves-output", test->party, "it is set",
                   "untouched, or NULL", "a failing call left a tensor in its output");
    if (code == 0) fixture->host_out = (struct adi_dlpack){out.legacy, out.versioned};
    return code;
}

/* ---- the copy ---- */

/* What is wrong with a host copy is told of what it was made of. */
struct silent {
    struct adi_sink sink;
    struct adi_error first;
};

static void on_violation(struct adi_sink *sink, const struct adi_found *found) {
    struct silent *silent = (struct silent *)(void *)sink;
    if (silent->first.text[0] == '\0') adi_error_set(&silent->first, 0, "%s", found->message);
}

static void judge_copy(struct adi_test *test, struct fixture *fixture, const char *rule) {
    static const struct adi_tensor_asked asked = {1, 3, kDLCPU, 0, -1};
    struct silent silent = {.sink = {.violated = on_violation}, .first = {""}};
    struct adi_error why = {""};
    adi_play_step(test, "compare", "the host copy with what was handed over");
    test->judged = true;
    if (test->leaves_values) return;
    enum adi_tensor_is is =
        adi_check_tensor(&fixture->host_out, &asked, &fixture->copy, &silent.sink);
    fixture->has_copy = is != ADI_TENSOR_NONE;
    int code = EILSEQ;
    struct adi_device *device =
        is == ADI_TENSOR_SOUND ? adi_tensor_device(test, &fixture->copy) : NULL;
    if (device != NULL)
        code = adi_tensor_compare(device, &fixture->copy, &fixture->sample, &why);
    else
        why = silent.first;
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why);
    if (code == EILSEQ)
        adi_report(&test->sink, rule, ADI_CONSUMER, NULL, "what was handed over",
                   "the host copy: %s", why.text);
}

/* The copy may stand on the tensor that was handed over, so it goes first. */
static void tear_down(struct adi_test *test, struct fixture *fixture) {
    const struct adi_input_watch inputs = {.live = adi_guarded_tensor_live,
                                           .stream = fixture->guarded};
    struct adi_input_watch watched = inputs;
    if (fixture->has_copy) adi_call_deleter(&fixture->copy.handed_out);
    adi_input_watch_end(test, &watched);
    adi_guarded_tensor_close(fixture->guarded);
    adi_tensor_sample_free(&fixture->sample);
}

/* ---- the scenarios ---- */

static void play(struct adi_test *test, unsigned oddities, const char *rule) {
    struct fixture fixture;
    if (!set_up(test, oddities, &fixture)) return;
    int code = call_and_check(test, &fixture);
    if (code == 0)
        judge_copy(test, &fixture, rule);
    else
        adi_play_refused(test, code);
    tear_down(test, &fixture);
}

/* AAX-30: the layout that comes is the one that is read. */
/* parameter: an adi_tensor_oddity that leaves nothing to overlook. */
void adi_play_consume_dlpack(struct adi_test *test) {
    play(test, (unsigned)test->now->scenario->parameter, "dlpack/misread");
}

/* parameter: an adi_tensor_kind. Who does not have it may refuse it. */
void adi_play_consume_dlpack_kind(struct adi_test *test) {
    play(test, 0, "dlpack/misread");
}

/* Does the implementation take the sample when nothing is odd about it? Else its refusal of an
 * oddity tells nothing, nor do wrong values. */
static bool takes_it_plain(struct adi_test *test) {
    play(test, 0, "dlpack/misread");
    adi_play_skip_ended(test);
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->closed;
}

/* DLH-23, DLH-35, DLH-37, DLH-39, DLH-40, DLP-23: where the elements are is told by several
 * members. */
/* parameter: an adi_tensor_oddity; who overlooks it breaks the rule of the scenario. */
void adi_play_consume_dlpack_odd(struct adi_test *test) {
    const char *rule = test->now->scenario->rule;
    if (!takes_it_plain(test)) return;
    test->judged = false;
    adi_play_crash_rule(test, rule);
    play(test, (unsigned)test->now->scenario->parameter, rule);
    adi_play_crash_rule(test, NULL);
}

/* DLH-45, DLP-19: there may be no deleter. */
void adi_play_consume_dlpack_undeleted(struct adi_test *test) {
    if (!takes_it_plain(test)) return;
    test->judged = false;
    adi_play_crash_rule(test, "dlpack/null-deleter-called");
    play(test, ADI_TENSOR_NO_DELETER, "dlpack/misread");
    adi_play_crash_rule(test, NULL);
}

/* DLH-04, DLH-05, DLH-06, DLH-15, AAX-17, AAF-06: what cannot be read is refused. */
/* Whatever goes wrong in the call follows from the one mistake. parameter: an adi_tensor_oddity. */
void adi_play_consume_dlpack_refused(struct adi_test *test) {
    struct fixture fixture;
    const struct adi_scenario *scenario = test->now->scenario;
    unsigned oddity = (unsigned)scenario->parameter;
    if (!takes_it_plain(test) || !set_up(test, oddity, &fixture)) return;
    test->judged = true;
    adi_play_tell_as(test, oddity == ADI_TENSOR_TRN ? "dlpack/data-dereferenced" : scenario->rule);
    int code = call_and_check(test, &fixture);
    adi_play_tell_as(test, NULL);
    if (code == 0 && test->n_findings == 0)
        adi_report(&test->sink, scenario->rule, ADI_CONSUMER, "success", "a refusal",
                   "it was accepted: %s", scenario->what);
    tear_down(test, &fixture);
}

/* ---- with queues that are held ---- */

/* parameter 0: those of the harness; 1: those of the implementation. */
void adi_play_consume_dlpack_held(struct adi_test *test) {
    if (!adi_queue_may_hold(test)) return;
    adi_queue_hold(test, test->now->scenario->parameter == 1, false);
    play(test, 0, "dlpack/misread");
    adi_queue_let_run(test);
}
