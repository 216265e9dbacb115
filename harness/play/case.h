/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases: a scenario (scenarios.def) played with a sample (ref/sample.h) on a device. A case is
 * named TYPE/SHAPE/SCENARIO: "int32/nulls/export". The list is the same in every process of a
 * build.
 */
#ifndef ADI_CASE_H
#define ADI_CASE_H

#include <stdint.h>

#include "adapter.h"
#include "device.h"
#include "log.h"
#include "sample.h"
#include "weigh.h"

struct adi_test;

/* A way to play a sample. */
struct adi_scenario {
    const char *name;     /* "export", "consume", "relay-chain" */
    unsigned role;        /* enum adi_role: what the implementation must be able to do */
    enum adi_party party; /* who is under test */
    const char *rule;     /* the rule that the case is there for */
    const char *what;     /* what happens, a sentence part */
    int64_t parameter;    /* of `play`: the device type that an array claims, for instance */
    enum adi_scenario_devices {
        ADI_ON_ALL,
        ADI_ON_QUEUED,     /* on a device that has events */
        ADI_ON_NUMBERED,   /* where DLPack has numbers for streams */
        ADI_ON_STREAMLESS, /* where there are no streams */
    } devices;
    bool robustness; /* malformed input: only under --robustness */
    /* Is the scenario worth playing with this sample? */
    bool (*applies)(const struct adi_scenario *scenario, const struct adi_sample_type *type,
                    const struct adi_sample_shape *shape);
    void (*play)(struct adi_test *test);
};

struct adi_case {
    const struct adi_scenario *scenario;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    char name[128];
};

/* All cases in a fixed order, made at the first call (not thread-safe); NULL past the end. Those of
 * `adicheck fuzz` begin at ADI_CASE_FUZZ. */
#define ADI_CASE_FUZZ ((size_t)1 << 16)
const struct adi_case *adi_case(size_t index);
size_t adi_case_count(void);
size_t adi_case_fuzz_count(void);
/* Does the list end in the cases of an implementation that makes its data itself: "own/own/export"
 * (sample_own.h)? Not while a case is played. */
void adi_case_list_own(bool is_listed);
/* The case of those in which programs of the sample are played in a role; 0: by the harness alone,
 * and they may be illegal. */
size_t adi_case_of_programs(const struct adi_sample_type *type,
                            const struct adi_sample_shape *shape, unsigned role);
/* Is it one of what `adicheck fuzz` makes programs up for? What an implementation may hand on of an
 * odd sample is not to end a program. */
static inline bool adi_case_is_fuzzed(const struct adi_case *played) {
    return played->scenario->role != 0 &&
           !(played->shape->traits & (ADI_SHAPE_UNALIGNED | ADI_SHAPE_NULL_OFFSETS));
}

/* What a case is mostly at. */
enum adi_pace {
    ADI_PACE_BRISK, /* over in a millisecond or a few */
    ADI_PACE_LONG,  /* plays many programs */
    ADI_PACE_WAITS, /* waits for threads, and sleeps: others go on beside it */
};
enum adi_pace adi_case_pace(const struct adi_case *played);

/* May the case be played on a device of that type? */
bool adi_case_goes_on(const struct adi_case *played, ArrowDeviceType type);

/* What an implementation has to be able to do to be judged by the case, or the scenario, of this
 * name: an adi_role; 0: there is none. */
unsigned adi_case_role(const char *name);

/* Does who plays the role import what he is given, or hand it on? */
static inline bool adi_role_imports(unsigned role) {
    return (role & (unsigned)(ADI_PRODUCES | ADI_PRODUCES_STREAM | ADI_PRODUCES_ASYNC |
                              ADI_PRODUCES_DLPACK)) == 0;
}
/* The slot of the adapter that a role stands for. */
static inline unsigned adi_role_slot(unsigned role) {
    return role & ~(unsigned)ADI_ARRAY_STREAMS;
}
/* Are tensors of DLPack what is handed over? */
static inline bool adi_role_is_of_tensors(unsigned role) {
    return (role & (unsigned)(ADI_PRODUCES_DLPACK | ADI_CONSUMES_DLPACK)) != 0;
}
static inline bool adi_role_relays(unsigned role) {
    return (role & (unsigned)(ADI_RELAYS | ADI_RELAYS_STREAM)) != 0;
}

/* How much of the list a device gets, where nobody asks for certain cases. */
enum adi_share {
    ADI_SHARE_ALL,     /* where a case costs next to nothing: on the CPU */
    ADI_SHARE_MEMORY,  /* every scenario and type, the shapes that differ in their buffers: names,
                          metadata and padding are the same everywhere; of streams every scenario
                          with a sample or two; no programs */
    ADI_SHARE_LIBRARY, /* the CPU in seconds: as MEMORY, programs, and every shape with a handful of
                          types */
    ADI_SHARE_SMOKE,   /* a further device of the type: export, consume, relay, what is played with
                          a handful of samples, and streams */
};
bool adi_case_in_share(const struct adi_case *played, enum adi_share share);

/* A case that moves on, but for so many limits of a step, is cut. */
#define ADI_CASE_LIMITS 6

/* What a worker knows while it plays. What comes first is the worker's to set; the rest is of the
 * case at hand. */
struct adi_test {
    struct adi_adapter *adapter;
    struct adi_device *device;
    uint64_t seed;
    struct adi_log *log;
    struct adi_log_sink *log_sink;
    const struct adi_program
        *program;         /* the only one that is played; NULL: what the scenario has */
    int64_t step_ns;      /* that a step may take; 0: as long as it likes */
    int *losses;          /* that the adapter has been seen to have, in this process (weigh.h) */
    const char *schedule; /* the only one that is played, "all"; NULL or "": a sample */

    bool last; /* no case comes after it in this process */
    /* Set by the case, for good: no case can come after it in this process, since... */
    bool closed; /* ... the adapter's `close` has been called */
    bool lost;   /* ... the device has gone */
    bool over;   /* ... the implementation keeps what is gone: none of its code may run any more */

    const struct adi_case *now;
    struct adi_sink sink; /* collects all findings of the case */
    enum adi_party party; /* who is blamed for a forbidden touch */
    int64_t begun_ns;     /* CLOCK_MONOTONIC */
    size_t n_findings;    /* findings so far */
    bool muted;           /* what is played now is not told: */
    bool repeats;         /* it is played again only to see whether memory is lost */
    bool is_weighed;      /* what was played has been weighed, piece by piece */
    bool is_prelude;      /* what is played now is a case of its own, which tells what is found; a
                             death is told wherever it comes */
    bool has_aside;       /* a note that hides nothing was told */
    bool is_told;         /* what is played now the case plays once more, or has played before, and
                             what is found is told there; a death is told wherever it comes */
    bool brief;           /* of the steps, only which schedule is played is told */
    size_t strays;        /* findings while it is muted: then it was not the same that was played */
    struct adi_mistake mistake; /* that whatever happens now follows from */
    const char *crash_rule;     /* that a crash breaks now; NULL: life/crash */
    size_t pending;             /* so many exports are to be pending at once */
    struct adi_error *refusal;  /* where the words of a refusal go; NULL: they are said */
    bool nested;           /* something else of the implementation's lives: it cannot end now */
    bool refused, skipped; /* said so in the log */
    bool judged;           /* what the case is there for was looked at */
    bool leaves_values;    /* what the consumer has read is not known */
    bool has_stream;       /* the harness's stream has been seen to work */
};

/* The test whose sink it is. */
static inline struct adi_test *adi_trial_of(struct adi_sink *sink) {
    return (struct adi_test *)(void *)((char *)sink - offsetof(struct adi_test, sink));
}

/* Of the case that is played at present; NULL: none is. For an adapter that lives in this process
 * and sees more than its slots tell. */
struct adi_sink *adi_case_sink(void);
/* The scenario of that; NULL: none is played. */
const struct adi_scenario *adi_case_scenario(void);
/* The consumer that is being called has taken all, and nobody knows what it has read: its outputs
 * are not looked at. Within its call. */
void adi_case_leave_values(void);

/* Plays case `index`: writes everything from CASE_BEGIN to CASE_END to the log. Signal handlers for
 * the guarded memory are put in front at each call and chain all others. Ends the process (after
 * ADI_LOG_FATAL) when a finding leaves nothing to go on with. */
void adi_case_play(struct adi_test *test, size_t index);

/* Has the case at hand been played for as long as a case may? */
bool adi_test_is_long(const struct adi_test *test);

/* So much leaks each time: a finding, unless it is nothing. */
void adi_test_leaks(struct adi_test *test, struct adi_weight leaked);

#endif /* ADI_CASE_H */
