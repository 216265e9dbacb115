/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the scenarios of asynchronous streams.
 */
#ifndef ADI_PLAY_ASYNC_H
#define ADI_PLAY_ASYNC_H

#include "async_handler.h"
#include "async_program.h"
#include "feed_program.h"
#include "play_stream.h"

#define ADI_ASYNC_CHUNKS 4

/* What the stream is made of. */
struct adi_async_design {
    size_t chunks;
    int schema_failure, failure; /* of the source, behind its chunks; 0: none */
    size_t text_bytes;           /* of the text of `failure`; 0: a short one */
};

/* What is done while the queues of the implementation are held. */
enum adi_async_hold {
    ADI_ASYNC_FREE,   /* they are not */
    ADI_ASYNC_EACH,   /* held again before each request; each array is looked at when it comes */
    ADI_ASYNC_ALL,    /* `first` is looked at first, when all have come */
    ADI_ASYNC_UNREAD, /* nothing is looked at before it is released */
};

/* Does the event of this one cover it? false: that has been reported. */
bool adi_async_judge_event(struct adi_test *test, struct adi_async_handler *handler,
                           struct adi_async_taken *taken);
/* The same of all, task `first` first. */
bool adi_async_judge_events(struct adi_test *test, struct adi_async_handler *handler,
                            int64_t first);

/* From the hand-over to the release, and what is wanted of it. */
struct adi_async_trial {
    struct adi_test *test;
    struct adi_async_handler *handler;
    struct ArrowArrayStream source;
    struct adi_column wanted;
    const char *rule; /* that other values break */
    int code;         /* of produce_async */
    bool is_handed_over;
    bool sound;
    enum adi_async_hold hold;
    int64_t first;
    size_t seen;     /* of those that were taken */
    bool fields;     /* the names, flags and metadata of the schema are looked at */
    bool is_starved; /* what it waited for had no processor for most of its time */
    bool was_held;   /* what came was looked at, or let go unread, before the release returned */
};

/* Makes the handler and the source. false: said so in the log. To be closed either way. */
bool adi_async_trial_open(struct adi_test *test, const struct adi_async_conduct *conduct,
                          const struct adi_async_design *design, struct adi_async_trial *trial);
/* produce_async; judges its answer. false: there is nothing to go on with. */
bool adi_async_trial_produce(struct adi_async_trial *trial);
/* Awaits the release, doing what the conduct has; judges all of it. */
void adi_async_trial_end(struct adi_async_trial *trial);
/* What came is sound, and what went in? Once the handler is released. */
void adi_async_trial_look(struct adi_async_trial *trial);
/* Are there as many rows, by their lengths alone? Once the handler is released. */
void adi_async_trial_count(struct adi_async_trial *trial);
void adi_async_trial_close(struct adi_async_trial *trial);

/* The source of the case at hand, and what it gives. false: said so in the log. */
bool adi_async_source(struct adi_test *test, const struct adi_async_design *design,
                      struct ArrowArrayStream *source);
bool adi_async_column_make(struct adi_test *test, const struct adi_async_design *design,
                           struct adi_column *column);

/* All that was extracted, in the order of the tasks: is it sound, and what went in? Goes through
 * the rows from the first one on. Main thread. false: something is wrong with it. */
bool adi_async_look(struct adi_test *test, struct adi_async_handler *handler,
                    struct adi_column *wanted, const char *rule);
/* A stream that has ended by itself: are there as many rows as went in? Reads nothing but lengths.
 * false: they are fewer, and that has been reported. */
bool adi_async_judge_count(struct adi_test *test, const struct adi_async_handler *handler,
                           const struct adi_column *wanted, const char *rule);
/* Releases it, if it is sound; else it stays. */
void adi_async_let_go(struct adi_test *test, struct adi_async_handler *handler, bool sound);

/* Plays a program of the harness's producer once, `seed` that of the delays where the
 * implementation does not take the schedule. Answers the turns as they were. */
const struct adi_turns *adi_async_consume_program(struct adi_test *test,
                                                  const struct adi_feed_program *program,
                                                  uint64_t seed);

#endif /* ADI_PLAY_ASYNC_H */
