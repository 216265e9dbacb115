/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scenarios are made of: samples to hand over, calls into the adapter with everything
 * around them watched, comparisons. The scenarios themselves are in play_export.c, play_consume.c,
 * play_relay.c and play_malformed.c; those with queues that are held in play_queue.c, with streams
 * in play_stream.c and play_stream_queue.c, with asynchronous ones in play_async*.c, with programs
 * in play_program.c.
 */
#ifndef ADI_PLAY_H
#define ADI_PLAY_H

#include "case.h"
#include "guarded_input.h"
#include "program.h"
#include "watch.h"

/* ---- saying what happens (play_say.c) ---- */

/* Writes a record to the log, but while the test is muted; texts may be NULL. */
void adi_play_say(struct adi_test *test, enum adi_log_kind kind, int64_t index, const char *text,
                  const char *message);

void adi_play_step(struct adi_test *test, const char *what, const char *format, ...)
    ADI_PRINTF(3, 4);
/* From here on a program is played: it takes the place of all steps that were said. */
void adi_play_program(struct adi_test *test, const struct adi_program *program);
/* The case could not be judged, and why; the implementation refused, and its words; we broke at
 * `what` ("": that is known). */
void adi_play_skip(struct adi_test *test, const char *why);
void adi_play_refused(struct adi_test *test, int code);
void adi_play_refused_so(struct adi_test *test, int code, const char *text);
void adi_play_error(struct adi_test *test, const char *what, const struct adi_error *error);
/* Has the device gone? Then the case comes to no verdict, and says so: whatever was seen since is
 * nobody's doing. */
bool adi_play_device_is_lost(struct adi_test *test);
/* Until the next call a crash or a hang breaks this rule; NULL: none but that of adi_play_tell_as,
 * or life/crash or life/hang. */
void adi_play_crash_rule(struct adi_test *test, const char *rule);

/* What is found next was waited for until a time limit. */
void adi_play_waited(struct adi_test *test);
/* What was waited for had no processor: the case is skipped, since nothing can be said of it. */
void adi_play_starved(struct adi_test *test);

/* From here on whatever is found follows from one mistake and is told, once, as a violation of this
 * rule, which a consumer breaks; so is a crash or a hang. NULL: each as what it is. */
void adi_play_tell_as(struct adi_test *test, const char *rule);

/* ---- samples ---- */

/* A sample as it is handed over, and its twin to compare with. */
struct adi_input {
    struct ArrowSchema schema, wanted_schema;
    struct ArrowArray host, wanted;
};

/* Makes the sample of the case with the test's seed + `more`. false: said so in the log. */
bool adi_input_make(struct adi_test *test, uint64_t more, struct adi_input *input);
/* Releases what is still there of it. */
void adi_input_free(struct adi_input *input);

/* ---- what is seen of the implementation beside its answers (play_listen.c) ---- */

/* The implementation is judged from now on: what the interceptor of the device's calls, if there is
 * one, says, and what it leaves current on a thread. The test must live until `end`. */
void adi_queue_subscribe(struct adi_test *test);
void adi_queue_end(void);
/* Lends the implementation what the runtime has current on a thread, and takes it back. Around its
 * code. */
void adi_queue_push_context(void);
void adi_queue_restore_context(void);
/* So many are live at once: what goes round in a ring of one less comes back to the first. */
#define ADI_SEVERAL 5
/* Exports, and releases without a look at the buffers; exports `test->pending` before it looks at
 * any of them (play_export.c). */
void adi_play_export_released(struct adi_test *test);
void adi_play_export_both(struct adi_test *test);

/* ---- what an implementation was given ---- */

/* The inputs of one call, watched until the implementation has let go of them. */
struct adi_input_watch {
    struct ArrowSchema *schema;
    struct ArrowArray *array;
    struct adi_monitor *guarded;                  /* inputs in guarded memory */
    struct adi_watch *schema_watch, *array_watch; /* or watched ones */
    size_t (*live)(const void *stream);           /* or those of a stream, so many */
    const void *stream;
    bool is_starved; /* who may release them had no processor when that was last waited for */
};

/* Watches an input that is about to be handed over. */
bool adi_input_watch_open(struct adi_test *test, struct adi_input *input,
                          struct adi_input_watch *inputs);
/* Makes the sample and puts it into guarded memory. false: said so in the log, and nothing is left
 * to close. */
bool adi_play_guard_input(struct adi_test *test, struct adi_input *input,
                          struct adi_guarded *guarded, unsigned oddities,
                          struct adi_guarded_pair *pair, struct adi_input_watch *inputs);
/* Is what was taken over, "schema" or "array", marked released? */
void adi_inputs_judge_taken(struct adi_sink *sink, const char *which, bool released);
/* The call returned `code`: were the inputs moved from, or kept? Releases those that were kept. */
void adi_input_watch_judge(struct adi_test *test, struct adi_input_watch *inputs, int code);
/* Is nothing live of it, or within so many milliseconds, as another thread may be about to release
 * it? `*is_starved` where that is false: that thread had no processor, so nothing can be said. */
bool adi_play_await_release(size_t (*live)(const void *of), const void *of, int most_ms,
                            bool *is_starved);
/* Is some of them not released, nor within a while, by another thread? Where that cannot be said
 * the case is skipped. */
bool adi_input_watch_is_lost(struct adi_test *test, struct adi_input_watch *inputs);
/* All that came out of the call has been released: does the implementation still hold the inputs?
 * Gives it a moment, for releases that come from a thread or a finalizer, then the chance of one
 * more import, and then of its `close`. */
void adi_input_watch_end(struct adi_test *test, struct adi_input_watch *inputs);

/* Where a case has to go on with an implementation that has ended: it cannot, and that is said. */
void adi_play_skip_ended(struct adi_test *test);

/* ---- what an implementation gives out ---- */

/* An exported pair, its base structures in memory of the harness. */
struct adi_exported {
    struct ArrowSchema *schema;
    struct ArrowDeviceArray *array;
    struct adi_watch *schema_watch, *array_watch; /* NULL until adi_exported_check */
    const struct ArrowSchema *wanted_schema; /* what it is to hold; NULL: that is not known here */
    const struct ArrowArray *wanted;
};

/* Room for the outputs of a call, full of poison. */
bool adi_exported_prepare(struct adi_test *test, struct adi_exported *out);
/* The call failed: was anything left in the outputs? */
void adi_exported_untouched(struct adi_test *test, const struct adi_exported *out);
/* Does it say that it is on the CPU, and no buffer holds a byte? Whatever it was asked for on, the
 * CPU can access that (ambiguity 38). */
bool adi_exported_is_empty_on_cpu(const struct adi_exported *out);
/* Is it known what each buffer value of the array is? false: it is not, and why. */
bool adi_play_can_identify(struct adi_device *device, const struct ArrowSchema *schema,
                           const struct ArrowDeviceArray *array, struct adi_error *why);
/* The same; if it is not, both have been released. */
bool adi_play_is_identified(struct adi_device *device, struct ArrowSchema *schema,
                            struct ArrowDeviceArray *array, struct adi_error *why);
/* The case is skipped with that reason. */
void adi_play_unidentified(struct adi_test *test, const struct adi_error *why);
/* Both at once. */
bool adi_exported_is_identified(struct adi_test *test, const struct adi_exported *out);
/* Can the queues of the device be held? false: said so in the log. */
bool adi_queue_may_hold(struct adi_test *test);
/* May a thread of the implementation write while the harness reads? false: the case is skipped. */
bool adi_queue_may_overlap(struct adi_test *test);
/* Holds those of the implementation, or of the harness; `again`: lets run what was held before. */
void adi_queue_hold(struct adi_test *test, bool implementation, bool again);
/* They run; a case that took longer than they can be held is not judged. */
void adi_queue_let_run(struct adi_test *test);
/* Is what is not written yet handed out with an event that waits for it? Only while queues are
 * paused can it be otherwise. */
bool adi_queue_judge(struct adi_test *test, const struct adi_exported *out);
/* Asks the same, and waits for the event; and tells it. `relays`: the implementation handed on what
 * it was given. */
bool adi_queue_is_pending(struct adi_device *device, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array);
void adi_queue_report_pending(struct adi_sink *sink, bool relays,
                              const struct ArrowDeviceArray *array);
/* Runs the rules over both, then puts the watches in place. false: unsound, not to be touched any
 * more. */
bool adi_exported_check(struct adi_test *test, struct adi_exported *out);
/* Copies an exported array (of the device of the case) to the host and compares it. Reports `rule`
 * where they differ; sync/data-not-ready where they do not after a while. `array` may be a moved
 * part: then `schema` and `wanted` are the same part's. true: they are equal, and the copy is in
 * `*kept`, the caller's to release (NULL: it is not wanted). */
bool adi_exported_compare(struct adi_test *test, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          const char *rule, struct ArrowArray *kept);
/* Compares the host copy that a consumer made, after a look at whether that can be done at all.
 * 0: equal. EILSEQ: of another type, or other values; EBADMSG: the array is unsound, and EINVAL:
 * the schema is, too, and what is unsound is not to be touched any more: all have been reported as
 * array/misread, or as the rule that the copy breaks as an export, where the implementation
 * `exports` such arrays; EILSEQ, too, where the values are right and a null count is not. ENOMEM:
 * not judged, and why. */
int adi_play_judge_copy(struct adi_sink *sink, bool exports, const struct ArrowSchema *schema,
                        const struct ArrowArray *copy, const struct ArrowSchema *wanted_schema,
                        const struct ArrowArray *wanted, struct adi_error *why);
/* The same of its schema alone, where there may be no copy. */
int adi_play_judge_copied_schema(struct adi_sink *sink, bool exports,
                                 const struct ArrowSchema *schema,
                                 const struct ArrowSchema *wanted_schema, struct adi_error *why);
/* Is what lies in the buffers fit to be followed? It may have been overwritten since it was
 * checked. Nothing is reported; `why` has the gravest thing. */
bool adi_play_is_sound(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                       struct adi_device *device, struct adi_error *why);
/* Compares a host copy of such an array. EILSEQ: unsound, or other values. */
int adi_play_compare_copy(const struct ArrowSchema *schema, const struct ArrowArray *copy,
                          const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                          struct adi_error *why);
/* Does the implementation misread the sample of the case where it only imports it, consuming it on
 * the CPU? Then what it exported was wrong before it was exported. It does not where its copy
 * breaks but `rule`, which the export broke: that is how it exports, whatever it has imported.
 * false, too, where it does not consume. No guarded input is open. */
bool adi_play_misreads(const struct adi_test *test, const struct adi_rule *rule);
/* Does the implementation export CPU arrays, so that a host copy is one of them? */
bool adi_play_exports_on_cpu(struct adi_adapter *adapter);
/* May the rule be broken by values alone, however well they are exported? */
bool adi_play_is_of_values(const struct adi_rule *rule);
/* Something has not come yet that is handed out without an event: does it come in a while? Then its
 * producer did not wait. `*is_starved` where that is false: who might bring it had no processor, so
 * that it is not known whether it is late or wrong. */
bool adi_play_is_late(struct adi_device *device, const struct ArrowDeviceArray *array,
                      bool (*has_come)(void *context), void *context, bool *is_starved);
/* It was; `first` is what was wrong before. */
void adi_play_report_late(struct adi_sink *sink, const char *first);
/* Runs the rules over an array. What it breaks by values that come later is told as that; nothing
 * is told of values of which that is not known (`*is_starved`). Is it sound? */
bool adi_play_check_ready(struct adi_sink *sink, const struct ArrowSchema *schema,
                          const struct ArrowDeviceArray *array, struct adi_device *device,
                          bool *is_starved);
/* Runs the rules over an exported array. What it breaks by values that were misread at the import
 * is charged to that. Is it sound? */
bool adi_play_check_array(struct adi_test *test, const struct adi_exported *out);
/* An array, and the values that belong into it. */
struct adi_text_of {
    const struct ArrowSchema *schema;
    const struct ArrowDeviceArray *array;
    const struct ArrowSchema *wanted_schema;
    const struct ArrowArray *wanted; /* NULL: that is not known */
};
/* Does what is wanted tell why a text is no UTF-8: it lies elsewhere, or its end is missing? Then
 * the finding says so: its bytes are not those that were handed over. */
bool adi_play_explains_text(const struct adi_text_of *text, struct adi_device *device,
                            struct adi_found *found);
/* Runs the rules over what came out in a program, as adi_play_check_ready does; a text that its
 * wanted values explain breaks array/data-differs, and `*before` is what it broke before. */
bool adi_play_check_text(struct adi_sink *sink, const struct adi_text_of *text,
                         struct adi_device *device, const struct adi_rule **before,
                         bool *is_starved);
/* What was seen in an export is the importer's violation. */
void adi_play_report_misread(struct adi_sink *sink, const struct adi_found *finding);
/* The flags and names that were handed over, and from a relay the metadata: are they still there
 * (play_fields.c)? */
void adi_exported_fields(struct adi_test *test, const struct ArrowSchema *schema,
                         const struct ArrowSchema *wanted);
/* A relay that took an array over by a move must not have released it: does what came out stand on
 * something that is? false: it does, and that has been reported. */
bool adi_play_judge_move(struct adi_sink *sink, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *out);
/* Compares what the device itself sums, where it can, with the copy that was compared. */
void adi_exported_sums(struct adi_test *test, const struct adi_exported *out,
                       struct ArrowArray *copy);
/* Releases what is live, the schema first in every other case, ends the watches and frees the room.
 */
void adi_exported_free(struct adi_test *test, struct adi_exported *out);

/* ---- calls: the adapter's, as the implementation's own code ---- */

/* What an implementation is given, by what it does. */
struct adi_call {
    struct adi_adapter *adapter;
    struct adi_device *device; /* to produce on */
    unsigned role;             /* the slot */
    struct ArrowSchema *schema, *schema_out;
    struct ArrowArray *host, *copy;    /* to produce from; to consume to */
    struct ArrowDeviceArray *in, *out; /* to consume or relay; to produce or relay to */
    /* The same of streams. */
    struct ArrowArrayStream *host_stream, *copy_stream;
    struct ArrowDeviceArrayStream *stream_in, *stream_out;
};
/* Its answer. `phase` names what it is asked to do ("produce"). */
int adi_call(const char *phase, const struct adi_call *call);
/* A callback of what it has given out, which `code` calls, as its own code, too. */
void adi_call_code(const char *phase, void (*code)(void *context), void *context);
/* Its `roles`, `open` and `close`, before and behind all cases; 0 where it has none. */
unsigned adi_call_roles(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id);
int adi_call_open(struct adi_adapter *adapter, const struct adi_host *host);
void adi_call_end(struct adi_adapter *adapter);
/* Why it refused, in its words; "": it does not say. */
const char *adi_call_error(struct adi_adapter *adapter);
/* It ends in a case: `close`, and no call after it. */
void adi_call_close(struct adi_adapter *adapter);
/* What the implementation's language keeps until its collector comes is to be gone: `collect` is
 * called where an input has not been released yet, before that is a finding. NULL: it has none. */
void adi_call_collect_by(void (*collect)(void));
void adi_call_collect(void);

/* The adapter says that `produce` imports from here on, or no longer (adi_host.imports): until then
 * a crash or hang is the consumer's. `log` may be NULL. */
void adi_call_imports(struct adi_log *log, bool begins);

/* As steps of a case. */
int adi_call_produce(struct adi_test *test, struct adi_input *input, struct adi_exported *out);
int adi_call_consume(struct adi_test *test, struct adi_guarded_pair *in,
                     struct ArrowSchema *schema_out, struct ArrowArray *host_out);
int adi_call_relay(struct adi_test *test, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct adi_exported *out);
/* Calls the callback, from which an exception is a finding. */
void adi_call_release_callback(struct ArrowArray *array);
void adi_call_release_array(struct ArrowArray *array);
void adi_call_release_schema(struct ArrowSchema *schema);
/* The same on another thread, joined. */
void adi_call_release_elsewhere(struct ArrowArray *array);

/* Who imports, and what: `role` is the scenario's. */
struct adi_importer {
    struct adi_adapter *adapter;
    struct adi_device *device;
    unsigned role;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    uint64_t seed;
};
/* Once more, of structures that nobody watches and that may be released at any time. */
void adi_import_once_more(const struct adi_importer *importer);
/* Was it called? What it has handed over may be released at any time. */
bool adi_has_imported_once_more(void);

/* Overwrites the stack below the caller, where an implementation's dead frames are. */
void adi_play_scribble_stack(void);

/* ---- the scenarios ---- */

#define SCENARIO(name, role, party, rule, applies, play, parameter, what)                          \
    void play(struct adi_test *test);
#include "scenarios.def"
void adi_play_malformed(struct adi_test *test);

#endif /* ADI_PLAY_H */
