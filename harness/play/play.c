/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "grace_period.h"
#include "helper.h"
#include "move.h"

/* ---- samples ---- */

bool adi_input_make(struct adi_test *test, uint64_t more, struct adi_input *input) {
    struct adi_error error = {""};
    const struct adi_case *now = test->now;
    uint64_t seed = test->seed + more;
    memset(input, 0, sizeof *input);
    if (adi_sample(now->type, now->shape, seed, &input->schema, &input->host, &error) == 0 &&
        adi_sample(now->type, now->shape, seed, &input->wanted_schema, &input->wanted, &error) == 0)
        return true;
    adi_input_free(input);
    adi_play_error(test, "no sample", &error);
    return false;
}

void adi_input_free(struct adi_input *input) {
    adi_schema_release(&input->schema);
    adi_schema_release(&input->wanted_schema);
    adi_array_release(&input->host);
    adi_array_release(&input->wanted);
}

/* ---- inputs ---- */

bool adi_input_watch_open(struct adi_test *test, struct adi_input *input,
                          struct adi_input_watch *inputs) {
    *inputs = (struct adi_input_watch){.schema = &input->schema, .array = &input->host};
    inputs->schema_watch =
        adi_watch_open(&adi_kind_schema, inputs->schema, &test->sink, false, true);
    inputs->array_watch = adi_watch_open(&adi_kind_array, inputs->array, &test->sink, false, true);
    return inputs->schema_watch != NULL && inputs->array_watch != NULL;
}

static size_t live_inputs(const void *inputs_at) {
    const struct adi_input_watch *inputs = inputs_at;
    if (inputs->live != NULL) return inputs->live(inputs->stream);
    if (inputs->guarded != NULL) return adi_monitor_live(inputs->guarded);
    return adi_watch_live(inputs->schema_watch) + adi_watch_live(inputs->array_watch);
}

bool adi_play_await_release(size_t (*live)(const void *of), const void *of, int most_ms,
                            bool *is_starved) {
    if (live(of) > 0) adi_call_collect();
    struct adi_grace_period grace = adi_grace_period(most_ms);
    while (live(of) > 0 && adi_other_threads() > 0 && adi_grace_period_sleep(&grace)) continue;
    *is_starved = live(of) > 0 && grace.is_starved;
    return live(of) == 0;
}

static bool await_release(struct adi_input_watch *inputs, int most_ms) {
    return adi_play_await_release(live_inputs, inputs, most_ms, &inputs->is_starved);
}

/* Nothing more is told in the case, of whatever is not there yet. In a repeat it was not the same
 * that was played. */
static void give_up(struct adi_test *test) {
    test->strays += test->muted;
    adi_play_starved(test);
    test->muted = true;
}

bool adi_input_watch_is_lost(struct adi_test *test, struct adi_input_watch *inputs) {
    const bool is_lost = !await_release(inputs, ADI_RELEASE_LATE_MS);
    if (inputs->is_starved) give_up(test);
    return is_lost && !inputs->is_starved;
}

/* CD-088, DV-033: who moves a structure sets `release` of the source to NULL. */
void adi_inputs_judge_taken(struct adi_sink *sink, const char *which, bool released) {
    if (!released)
        adi_report(sink, "life/move-source-not-released", ADI_CONSUMER, "release is set",
                   "NULL: moved, or released in place",
                   "the input %s was taken, but not marked released", which);
}

/* It is about to be released where it is: that it was taken has been told. */
static void tell_left(const struct adi_input_watch *inputs) {
    if (inputs->guarded != NULL) {
        adi_monitor_left(inputs->guarded, inputs->schema);
        adi_monitor_left(inputs->guarded, inputs->array);
    } else {
        adi_watch_left(inputs->schema_watch, inputs->schema);
        adi_watch_left(inputs->array_watch, inputs->array);
    }
}

/* CD-015: a consumer may refuse a type; a refused input is untouched, or released once. */
void adi_input_watch_judge(struct adi_test *test, struct adi_input_watch *inputs, int code) {
    bool schema_gone = inputs->schema->release == NULL, array_gone = inputs->array->release == NULL;
    if (code == 0) {
        adi_inputs_judge_taken(&test->sink, "schema", schema_gone);
        adi_inputs_judge_taken(&test->sink, "array", array_gone);
        if (!schema_gone || !array_gone) tell_left(inputs);
    }
    /* On failure: what is marked released must really be released; on success it may live on
     * elsewhere. */
    if (!schema_gone) adi_call_release_schema(inputs->schema);
    if (!array_gone) adi_call_release_array(inputs->array);
    if (code == 0) return;
    if (adi_input_watch_is_lost(test, inputs))
        adi_report(&test->sink, "life/failure-keeps-inputs", test->party,
                   "marked released, and its release callback never called",
                   "untouched, or released once", "a failing call lost its input%s%s",
                   schema_gone ? " schema" : "", array_gone ? " array" : "");
}

/* With the next import, or in `close`. */
static bool is_released_late(struct adi_test *test, struct adi_input_watch *inputs) {
    const struct adi_case *now = test->now;
    const struct adi_importer importer = {
        test->adapter, test->device, adi_role_slot(now->scenario->role),
        now->type,     now->shape,   test->seed};
    if (test->closed) return false;
    /* What keeps only the newest has to release that when it ends. */
    if (!test->last) {
        adi_play_step(test, "import", "once more: what it has kept until then is released now");
        adi_import_once_more(&importer);
        if (await_release(inputs, ADI_RELEASE_NEXT_MS)) return true;
    } else if (adi_other_threads() > 0) {
        /* One of them may be about to. */
        if (await_release(inputs, ADI_RELEASE_LATE_MS)) return true;
    }
    if (test->nested) return false;
    adi_play_step(test, "close", "what it still keeps is released now at the latest");
    test->closed = true;
    adi_call_close(test->adapter);
    return await_release(inputs, ADI_RELEASE_LATE_MS);
}

void adi_input_watch_end(struct adi_test *test, struct adi_input_watch *inputs) {
    /* Where something was broken that is muted now, what came out of the call is still there. */
    bool gives_up = test->muted && test->n_findings > 0;
    bool kept = !await_release(inputs, ADI_RELEASE_AT_ONCE_MS) &&
                (gives_up || !is_released_late(test, inputs));
    test->over = test->over || (kept && !test->nested);
    if (kept && inputs->is_starved && !test->nested) give_up(test);
    const bool muted = test->muted;
    test->muted = muted || (kept && test->nested); /* it may still release it */
    adi_watch_close(inputs->schema_watch);
    adi_watch_close(inputs->array_watch);
    test->muted = muted;
}

void adi_play_skip_ended(struct adi_test *test) {
    if (test->closed && test->n_findings == 0)
        adi_play_skip(test, "not played further: the implementation releases what it has taken "
                            "over when it ends (`close`)");
}

/* ---- outputs ---- */

bool adi_exported_prepare(struct adi_test *test, struct adi_exported *out) {
    *out = (struct adi_exported){.schema = malloc(sizeof *out->schema),
                                 .array = malloc(sizeof *out->array)};
    if (out->schema != NULL && out->array != NULL) {
        memset(out->schema, ADI_POISON_BYTE, sizeof *out->schema);
        memset(out->array, ADI_POISON_BYTE, sizeof *out->array);
        return true;
    }
    free(out->schema);
    free(out->array);
    *out = (struct adi_exported){0};
    adi_play_error(test, "no room for outputs", &(struct adi_error){"out of memory"});
    return false;
}

static bool untouched(const void *release) {
    unsigned char poison[sizeof release];
    memset(poison, ADI_POISON_BYTE, sizeof poison);
    return release == NULL || memcmp(&release, poison, sizeof poison) == 0;
}

void adi_exported_untouched(struct adi_test *test, const struct adi_exported *out) {
    const char *which =
        !untouched(adi_kind_pointer(out->schema, adi_kind_schema.release))         ? "schema"
        : !untouched(adi_kind_pointer(&out->array->array, adi_kind_array.release)) ? "array"
                                                                                   : NULL;
    if (which != NULL)
        adi_report(&test->sink, "life/failure-leaves-output", test->party, "release is set",
                   "untouched, or NULL", "a failing call left something in its output %s", which);
}
