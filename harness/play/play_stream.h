/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scenarios with streams are made of. An implementation is given a stream (the input) and
 * gives one (the output): who produces is given an ArrowArrayStream, who consumes gives one, and
 * who relays has ArrowDeviceArrayStreams on both sides. What comes out is compared as one column of
 * values after the other: cutting chunks anew is legal.
 *
 * Where the ArrowArrayStreams are not the implementation's own (ADI_ARRAY_STREAMS is not among its
 * roles), what is wrong with them, or is done to them, is the adapter's, and an error.
 */
#ifndef ADI_PLAY_STREAM_H
#define ADI_PLAY_STREAM_H

#include "guarded_stream.h"
#include "play.h"

/* ---- callbacks, as the implementation's own code (play_stream_call.c) ---- */

/* Each on this thread, or on one of its own, which is joined. get_next of an ArrowArrayStream gives
 * what it gives as a device array of the CPU; what is in `out` before is what the callback sees. */
int adi_call_stream_schema(const struct adi_kind *kind, void *stream, struct ArrowSchema *out,
                           bool elsewhere);
int adi_call_stream_next(const struct adi_kind *kind, void *stream, struct ArrowDeviceArray *out,
                         bool elsewhere);
const char *adi_call_stream_error(const struct adi_kind *kind, void *stream, bool elsewhere);
void adi_call_stream_release(const struct adi_kind *kind, void *stream, bool elsewhere);

/* The same as they are called, whosever they are, on this thread. */
int adi_stream_schema(const struct adi_kind *kind, void *stream, struct ArrowSchema *out);
int adi_stream_next(const struct adi_kind *kind, void *stream, struct ArrowDeviceArray *out);
const char *adi_stream_error(const struct adi_kind *kind, void *stream);

/* What a stream was asked in a program, in this order, and what it answered: an error, its end
 * (whose `release` is NULL; of get_schema false), or what was asked for. */
struct adi_stream_calls {
    unsigned char made[ADI_PROGRAM_STEPS];
    size_t n;
};
void adi_stream_calls_add(struct adi_stream_calls *calls, bool schema, int code, bool ended);
/* Asks another stream the same. Does it answer as that one did, and better in the last call: with
 * no error, or where that was no error, with no end? */
bool adi_stream_calls_answered(const struct adi_stream_calls *calls, const struct adi_kind *kind,
                               void *stream);

/* ---- what comes of it, whoever asked (play_stream_judge.c) ---- */

/* Is it a stream, and of this type of device? false: that has been reported. */
bool adi_stream_judge_structure(const struct adi_kind *kind, const void *structure,
                                ArrowDeviceType type, struct adi_sink *sink);
/* The code that a callback failed with, and the text of get_last_error; NULL: there is none. */
void adi_stream_judge_code(struct adi_sink *sink, int code);
void adi_stream_judge_text(struct adi_sink *sink, const char *text);
/* A copy of such a text as far as it can be read, the caller's to free; NULL: there is none. */
char *adi_stream_text_copy(const char *text);
/* How far a stream had come when a callback failed. */
struct adi_stream_so_far {
    bool schema; /* get_schema has given one, */
    bool begun;  /* get_next some rows, */
    bool whole;  /* or all, so that its end is next */
    bool over;   /* it has given its end, or an error, before */
    bool known;  /* another one of the same design has come whole */
    bool consumes;
    const char *lost; /* what is missing, in words */
};
/* Is there no reason for the failure but the stream itself? Then it is reported: to `stream` what
 * is wrong with the stream, to `values` that rows are missing. false: it may be a refusal. */
bool adi_stream_judge_failure(const struct adi_stream_so_far *so_far, bool of_schema, int code,
                              struct adi_sink *stream, struct adi_sink *values);
/* Rows are missing at the end of the stream, or where it failed. */
void adi_stream_report_lost(struct adi_sink *sink, bool consumes, const char *seen,
                            const char *message);
#define ADI_STREAM_TEXT_MOST ((size_t)1 << 22) /* bytes of it that are looked at */

/* ---- what goes in ---- */

#define ADI_STREAM_CHUNKS 8

struct adi_stream_chunk {
    const char *shape; /* NULL, or one that the type does not have: that of the case */
    uint64_t more;     /* added to the seed */
    bool other;        /* on another device of the type, where there is one */
};

/* A stream to hand over. */
struct adi_stream_design {
    struct adi_stream_chunk chunks[ADI_STREAM_CHUNKS];
    size_t n;
    int failure, schema_failure; /* an errno value; 0: none */
    const char *text;            /* of it; NULL: none */
    bool foreign;                /* stream and chunks say that they are of the type `type`, */
    ArrowDeviceType type;        /* and no buffer can be reached; for who consumes */
    size_t ends_early;           /* see adi_guarded_stream_plan */
};

/* What no producer does, and nobody asks a consumer to survive (play_stream_malformed.c). */
enum adi_stream_oddity {
    ADI_STREAM_TEXT_LONG,
    ADI_STREAM_TEXT_BINARY,
    ADI_STREAM_METADATA_NEGATIVE,
    ADI_STREAM_METADATA_CUT,
    ADI_STREAM_SCHEMA_OTHER,
    ADI_STREAM_ENDS_TWICE,
    ADI_STREAM_SCHEMA_NULL,
    ADI_STREAM_NEXT_NULL,
    ADI_STREAM_ERROR_NULL,
};

/* What is wanted: the chunks, and how much of them has been seen. */
struct adi_column {
    struct ArrowSchema schema;
    struct ArrowArray chunks[ADI_STREAM_CHUNKS];
    size_t n, at; /* chunks; the one that is next */
    int64_t row;  /* in it */
};

/* A finding is told as the adapter's mistake (play_stream_input.c). */
struct adi_adapters_sink {
    struct adi_sink sink; /* first */
    struct adi_test *test;
};
struct adi_adapters_sink adi_adapters_sink(struct adi_test *test);

struct adi_stream_input {
    struct adi_test *test;
    struct adi_stream_design design;
    struct adi_column wanted;
    const struct adi_kind *kind;
    void *structure;         /* what is handed over */
    bool is_told;            /* what overlooks the end, or an error, has been said to the log, */
    const char *rule_before; /* and what a crash broke before */
    bool may_refuse;         /* there is nothing in it, and that its type is taken is not known */
    bool is_late; /* each chunk is made when it is asked for, and the queues are paused then */
    /* Where it is judged what becomes of it. */
    bool is_judged;
    struct adi_device device; /* that the chunks are on */
    bool has_other;           /* but some of them, which are on another */
    struct adi_guarded inputs[ADI_STREAM_CHUNKS];
    struct adi_guarded_chunk chunks[ADI_STREAM_CHUNKS];
    size_t n; /* of these that were made */
    struct adi_guarded_stream guarded;
    struct adi_guarded_stream *given; /* that, or one of a program's */
    struct adi_guarded_stream_hooks hooks;
    /* Else. */
    struct ArrowArrayStream plain;
    struct adi_watch *watch;
    struct adi_adapters_sink adapters;
};

/* Makes what the role of the case is given. false: said so in the log. To be closed either way. */
bool adi_stream_input_open(struct adi_test *test, const struct adi_stream_design *design,
                           bool is_late, struct adi_stream_input *input);
/* Releases chunk `which`, which was made before any queue was paused; the queues of the harness are
 * paused from here on. What is made anew then is waited for by no wait for what came before. */
void adi_chunk_put_off(struct adi_test *test, size_t which, struct adi_guarded_chunk *chunk);
/* The call returned `code`: was the stream moved from, or kept? Releases one that was kept. */
void adi_stream_input_judge(struct adi_stream_input *input, int code);
/* What the last call was told to take care of it has taken care of. */
void adi_stream_input_calm(struct adi_stream_input *input);
/* A further device of the test's type; NULL: there is none. The harness's own. */
struct adi_device *adi_stream_device(const struct adi_test *test, int64_t id);
/* Has the guarded stream given its end, or an error? */
bool adi_stream_input_has_ended(const struct adi_stream_input *input);
/* Has it ended, and has all that was in it been looked at? Then it is its end that fails. */
bool adi_stream_input_is_consumed(const struct adi_stream_input *input);
bool adi_stream_input_has_failed(const struct adi_stream_input *input);
/* All that came out has been released: does the implementation still hold the input, or a chunk? */
void adi_stream_input_close(struct adi_stream_input *input);

/* ---- columns (play_column.c) ---- */

/* Makes the chunks of a design. */
int adi_column_make(const struct adi_test *test, const struct adi_stream_design *design,
                    struct adi_column *column, struct adi_error *error);
void adi_column_free(struct adi_column *column);
int64_t adi_column_rows(const struct adi_column *column); /* all */
int64_t adi_column_seen(const struct adi_column *column);
/* The next rows of both, as many as one chunk of each has: slices, to be looked at only. Of an
 * array whose rows up to `*from` were compared; moves on. false: the column, or the array, has no
 * more. */
bool adi_column_next(struct adi_column *column, const struct ArrowSchema *schema,
                     const struct ArrowArray *array, int64_t *from, struct ArrowArray *slice,
                     struct ArrowArray *wanted);
/* Are they the same? false: they are not, and that has been reported. */
typedef bool adi_column_same(void *context, const struct ArrowArray *slice,
                             const struct ArrowArray *wanted);
/* Compares all rows of an array, of a schema that is sound, so. How many more it has than the
 * column; -1: some are not the same. */
int64_t adi_column_compare(struct adi_column *column, const struct ArrowSchema *schema,
                           const struct ArrowArray *array, adi_column_same *same, void *context);

/* ---- what comes out (play_stream_output.c) ---- */

struct adi_stream_output {
    struct adi_test *test;
    struct adi_stream_input *input;
    const struct adi_kind *kind;
    void *structure;       /* in memory of its own */
    struct adi_sink *sink; /* what is wrong with the stream */
    struct adi_adapters_sink adapters;
    struct adi_watch *watch, *schema_watch;
    struct ArrowSchema *schema; /* NULL: not known yet */
    size_t chunks;              /* that came */
    int64_t rows;               /* in them */
    bool elsewhere;             /* each callback is called on a thread of its own */
    bool known;                 /* another one of the same design has come whole */
    bool unsound;               /* nothing is to be done with it any more */
    bool refused;               /* it has failed, though nothing that it is made of has */
    bool surfaced;              /* it has failed, as what it is made of has */
    bool ended;
    bool beyond; /* what has come last is more than is known of it */
};

/* Room for the output, full of poison. */
bool adi_stream_output_prepare(struct adi_test *test, struct adi_stream_input *input,
                               struct adi_stream_output *output);
/* The call failed. */
void adi_stream_output_untouched(struct adi_stream_output *output);
/* Looks at the structure and watches it. false: unsound. */
bool adi_stream_output_check(struct adi_stream_output *output);
/* Asks for the schema; compares it with the first one where that is known. false: nothing to go on
 * with. */
bool adi_stream_output_schema(struct adi_stream_output *output);
/* Asks for a chunk. false: the end, or an error, or nothing to go on with. */
bool adi_stream_output_next(struct adi_stream_output *output, struct adi_exported *chunk);
/* Looks at a chunk, once the schema is known. false: unsound. */
bool adi_stream_output_look(struct adi_stream_output *output, struct adi_exported *chunk);
/* Compares it with what comes next of what is wanted; breaks `rule` where it differs. */
bool adi_stream_output_compare(struct adi_stream_output *output, const struct adi_exported *chunk,
                               struct adi_column *wanted, const char *rule);
/* The stream has ended or failed: as what it is made of, and with all rows? */
void adi_stream_output_judge_end(struct adi_stream_output *output);
/* Asks behind the end. */
void adi_stream_output_ask_again(struct adi_stream_output *output);
/* Moves the structure to fresh memory and spoils the old. */
void adi_stream_output_move(struct adi_stream_output *output);
void adi_stream_output_release(struct adi_stream_output *output);
/* A chunk that was looked at is released, on a thread of its own where the stream's calls are. */
void adi_stream_output_release_chunk(struct adi_stream_output *output, struct adi_exported *chunk);
void adi_stream_output_free_chunk(struct adi_exported *chunk);
/* Releases what is live and frees the rest; what is unsound is let be. */
void adi_stream_output_close(struct adi_stream_output *output);

/* ---- a chunk of any stream, and where it is (play_stream_chunk.c) ---- */

/* The device that a chunk of the test's type names; the test's, where there is no other. */
struct adi_device *adi_chunk_device(const struct adi_test *test,
                                    const struct ArrowDeviceArray *chunk);
/* Can the device reach what lies in a chunk of another type? */
bool adi_chunk_is_in_reach(struct adi_device *device, const struct adi_exported *chunk);
/* Is the chunk of its stream's type of device? false: its buffers cannot even be reached from
 * there. What was told of is from then on what the stream says. `number`: from 1. */
bool adi_chunk_judge_type(struct adi_sink *sink, const struct ArrowDeviceArrayStream *stream,
                          struct adi_device *device, size_t number, struct adi_exported *chunk);
/* From here on it is looked at as a chunk of this device, which can reach it. */
void adi_chunk_take_as(const struct adi_device *device, struct adi_exported *chunk);

/* ---- both, from the hand-over to the end (play_stream_trial.c) ---- */

#define ADI_STREAM_HELD 16 /* chunks that are held at once */

struct adi_stream_trial {
    struct adi_test *test;
    struct adi_stream_input input;
    struct adi_stream_output output;
    bool is_open; /* a stream came out */
};

extern const struct adi_stream_design adi_stream_of_three;

/* Hands a stream over. false: there is nothing to go on with. To be closed either way. */
bool adi_stream_trial_open(struct adi_test *test, const struct adi_stream_design *design,
                           bool is_late, struct adi_stream_trial *trial);
/* The call alone. */
int adi_stream_trial_call(struct adi_stream_trial *trial);
void adi_stream_trial_close(struct adi_stream_trial *trial);
/* Has nothing been found, refused or ended yet? */
bool adi_stream_trial_goes_on(const struct adi_test *test);
/* The next chunk, looked at and compared. false: the end, an error, or what is wrong. */
bool adi_stream_trial_take(struct adi_stream_trial *trial, struct adi_exported *chunk,
                           const char *rule);
/* Releases a chunk, and forgets it. */
void adi_stream_trial_let_go(struct adi_stream_trial *trial, struct adi_exported *chunk);
/* All that is left, to the end. */
void adi_stream_trial_rest(struct adi_stream_trial *trial, const char *rule);
/* A whole stream, to the end and once behind it. */
void adi_stream_trial_whole(struct adi_test *test, const struct adi_stream_design *design,
                            bool is_late);

#endif /* ADI_PLAY_STREAM_H */
