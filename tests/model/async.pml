/* SPDX-License-Identifier: Apache-2.0
 *
 * The asynchronous stream of the C Device data interface as a model: one producer, which calls the
 * handler's callbacks one after the other, and one consumer, which may request and cancel on a
 * thread of its own and extracts what it was given later, maybe on that thread. Every property is
 * an assertion, or that nobody waits for ever (an invalid end state).
 *
 * What the document leaves open is a switch; what breaks a property on purpose is a mutation, which
 * spin must refute (tests/model/models.tsv has both, and what spin has to say of each).
 *
 *   BATCHES      how many the source has               CANCELS     1: the consumer may cancel
 *   FAILS        1: the source fails after its batches  REQUESTS    how often it may request one
 *                2: it has no schema; 3: extract_data may answer non-zero; 4: n may be 0
 *   REFUSES      1: on_schema, 2: on_next_task may answer non-zero; 3: both
 *   CONSUMERS    how many threads the consumer has besides the producer's
 *
 * A property, and the sentence that it is from:
 *   requested    no task comes without a request           (request: "maximum of the total sum")
 *   silent       no callback comes after release           (on_error, release: "the last call")
 *   serialized   no callback comes while another runs      ("Thread safety")
 *   alive        nobody calls a producer that is gone      ("ArrowAsyncProducer Lifetime")
 *   once         each task is extracted exactly once       (extract_data)
 *   ends         release comes, and nobody waits for ever  (cancel: "eventually")
 *
 * Each call begins and ends with an event, which a simulation prints, as it does the steps between
 * that others can see. With TRACED the events are given, by a table of traces, and the question is
 * whether the model can go that way (tests/model/traces.py).
 */
#ifdef TRACED
#define BATCHES  batches /* of the trace */
#define FAILS    fails
#define ROOM     4
#define REQUESTS 200     /* as many as the trace has */
#define REFUSES  3
#define CONSUMERS 2
#define CANCEL_IS_GUARDED 3
#endif
#ifndef BATCHES
#define BATCHES 2
#endif
#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef CANCELS
#define CANCELS 1
#endif
#ifndef FAILS
#define FAILS 0
#endif
#ifndef REFUSES
#define REFUSES 0
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ROOM
#define ROOM (BATCHES + 1)
#endif

/* ---- what is open ---- */

/* docs/ambiguities.md, 14: 1: the task that ends the stream uses up a request. */
#ifndef END_NEEDS_REQUEST
#define END_NEEDS_REQUEST 0
#endif
/* 15: who cleans up a task on which on_next_task answered non-zero, and which was not extracted: 0:
 * its consumer, 1: its producer, 2: whoever has not, which nobody can know. */
#ifndef REFUSED_TASK_IS
#define REFUSED_TASK_IS 0
#endif
/* 18: extract_data may come after release: 1: what a task needs lives as long as its producer; 0:
 * as long as the task. */
#ifndef TASK_NEEDS_PRODUCER
#define TASK_NEEDS_PRODUCER 0
#endif
/* 28: what keeps a cancel from the producer's end: 0: nothing, 1: the consumer's lock, under which
 * its release callback says that it has begun; 2: the producer waits for calls that run; 3: the
 * consumer counts its calls, and its release callback waits for them. */
#ifndef CANCEL_IS_GUARDED
#define CANCEL_IS_GUARDED 1
#endif

/* ---- what is wrong ---- */

#ifndef MUTATION
#define MUTATION none
#endif
#define none                 0
#define ignores_requests     1 /* a task without a request */
#define calls_after_release  2 /* on_error behind release */
#define calls_at_once        3 /* two threads call on_next_task */
#define frees_before_release 4 /* the producer ends, and then release is called */
#define drops_a_task         5 /* the consumer forgets one */
#define extracts_twice       6
#define cancel_waits         7 /* cancel waits for callbacks to return, and is called from one */
#define cancel_is_forgotten  8 /* a producer that waits for a request does not see it */
#define error_then_task      9 /* on_error, and then a task */

/* Where a trace says what there is, all may be done as often as it likes. */
#ifdef TRACED
#define MORE_CANCELS 1
#define CALLS_FIRST  1
#define CAN_FAIL     1
#else
#define MORE_CANCELS 0
#define CALLS_FIRST  0
#define CAN_FAIL     (FAILS == 3)
#endif
#define MAY_GO_ON (!refused && !owed && !end_came)

/* ---- events ---- */

/* What begins on the thread `me`: 0 is whichever the producer calls on; of a task `of` is the
 * number, from 0, and of a request n. ENDS is added where it ends, with a code that is not 0:
 * FAILED. */
#define ON_SCHEMA    1
#define ON_NEXT_TASK 2
#define ON_END       3
#define ON_ERROR     4
#define RELEASE      5
#define REQUEST      6
#define CANCEL       7
#define EXTRACT      8
#define GONE         9 /* the producer cannot be called any more */
#define ENDS         16
#define FAILED       32

#ifdef TRACED
c_decl { \#include "traces.h" }
short which, at;
byte batches, fails, next_of;
short next_event; /* 0: none is left */
#define THE_NEXT \
    c_code { now.next_event = (short)(traces[now.which].events[now.at].me * 64 + \
                                      traces[now.which].events[now.at].what); \
             now.next_of = traces[now.which].events[now.at].of; \
             reach(now.which, now.at); }
#define EVENT(me, what, of_) \
    next_event == (me) * 64 + (what) && next_of == (of_); at++; THE_NEXT;
#define EVENT_OF(me, what, of_) next_event == (me) * 64 + (what); of_ = next_of; at++; THE_NEXT;
#define STEP(me, how)
#else
#define EVENT(me, what, of_)    printf("event %d %d %d\n", me, what, of_);
#define EVENT_OF(me, what, of_) printf("event %d %d %d\n", me, what, of_);
#define STEP(me, how)           ; printf("step %d %d\n", me, how)
#endif
/* How a step went that can be gone in two ways. */
#define AFTER_CANCEL 1

bool on = true;          /* the producer can be called */
bool handler_released;
bool schema_came, error_came, end_came, refused, owed /* is on_error */, releasing;
bool cancelled, release_begun;
byte consumers_gone;
byte inside;             /* callbacks that run */
byte calls;              /* calls of the producer's methods that run */
byte calling;            /* those that the consumer counts */
byte requested, delivered;
byte extracted[ROOM];
bool came[ROOM];
bool lock_taken;
byte within = REQUESTS;  /* requests that callbacks may still make */
byte kept[ROOM];         /* 1: copied, to be extracted later; 2: it is */
byte n_kept;

#define TAKE(lock) atomic { !lock -> lock = true }
#define GIVE(lock) lock = false

/* ---- the consumer's calls of the producer ---- */

inline request_n(me, n) {
    atomic {
        EVENT_OF(me, REQUEST, n)
        assert(on); /* alive */
        calls++
    };
    atomic {
        if
        :: !cancelled && n == 0 && !releasing -> owed = true
        :: !cancelled && n > 0 -> requested = requested + n
        :: else
        fi
        STEP(me, 0)
    };
    atomic {
        EVENT(me, REQUEST + ENDS, 0)
        calls--
    }
}

inline request_some(me) {
    if
    :: n = 1
    :: FAILS == 4 -> n = 0
    fi;
    request_n(me, n)
}

inline cancel_it(me) {
    atomic {
        EVENT(me, CANCEL, 0)
        assert(on); /* alive */
        calls++
    };
    if
    :: MUTATION == cancel_waits -> inside == 0
    :: else
    fi;
    atomic {
        cancelled = true
        STEP(me, 0)
    };
    atomic {
        EVENT(me, CANCEL + ENDS, 0)
        calls--
    }
}

inline extract(me, task) {
    atomic {
        EVENT(me, EXTRACT, task)
        if
        :: TASK_NEEDS_PRODUCER -> assert(on) /* alive */
        :: else
        fi;
        extracted[task]++;
        assert(extracted[task] == 1) /* once */
    };
    atomic {
        if
        :: code = 0
        :: CAN_FAIL -> code = FAILED; owed = owed || !releasing
        fi
        STEP(me, code)
    };
    atomic {
        EVENT(me, EXTRACT + ENDS + code, task)
        code = 0
    }
}

/* ---- the consumer's callbacks, on whichever thread of the producer's ---- */

/* First of all in a callback. */
inline enter() {
    assert(!handler_released); /* silent */
    assert(inside == 0);       /* serialized */
    inside++
}

inline leave(me, what, of_) {
    atomic {
        EVENT(me, what + ENDS, of_)
        inside--
    }
}

inline calls_within(me) {
    do
    :: within > 0 -> within--; request_some(me)
    :: CANCELS && (!cancelled || MORE_CANCELS) -> cancel_it(me)
    :: break
    od
}

inline on_schema(me) {
    atomic {
        EVENT(me, ON_SCHEMA, 0)
        enter();
        assert(on && !schema_came && !error_came);
        schema_came = true
    };
    if
    :: REFUSES & 1 -> refused = true; leave(me, ON_SCHEMA + FAILED, 0)
    :: calls_within(me); leave(me, ON_SCHEMA, 0)
    fi
}

inline on_next_task(me, task) {
    atomic {
        EVENT(me, ON_NEXT_TASK, task)
        enter();
        assert(on && schema_came && !error_came && !end_came && !refused);
        assert(delivered < requested); /* requested */
        delivered++;
        came[task] = true
    };
    if
    :: CALLS_FIRST -> calls_within(me)
    :: true
    fi;
    if
    :: (REFUSES & 2) && REFUSED_TASK_IS != 1 -> extract(me, task); refused = true
    :: (REFUSES & 2) && REFUSED_TASK_IS != 0 -> refused = true
    :: extract(me, task)
    :: atomic { kept[task] = 1; n_kept++ }
    fi;
    if
    :: refused -> leave(me, ON_NEXT_TASK + FAILED, task)
    :: else -> calls_within(me); leave(me, ON_NEXT_TASK, task)
    fi
}

inline on_end() {
    atomic {
        EVENT(0, ON_END, 0)
        enter();
        assert(schema_came && !error_came && !end_came && !refused);
        if
        :: END_NEEDS_REQUEST -> delivered++
        :: else
        fi;
        end_came = true
    };
    leave(0, ON_END, 0)
}

inline on_error() {
    atomic {
        EVENT(0, ON_ERROR, 0)
        enter();
        assert(!error_came && !refused);
        error_came = true
    };
    leave(0, ON_ERROR, 0)
}

inline handler_release() {
    atomic {
        EVENT(0, RELEASE, 0)
        enter()
    };
    if
    :: CANCEL_IS_GUARDED == 1 -> TAKE(lock_taken); release_begun = true; GIVE(lock_taken)
    :: CANCEL_IS_GUARDED == 3 -> release_begun = true; calling == 0
    :: else -> release_begun = true
    fi;
    atomic {
        EVENT(0, RELEASE + ENDS, 0)
        inside--;
        handler_released = true
    }
}

/* ---- the producer ---- */

#define HAS_REQUEST (delivered < requested)
/* A cancel may be answered with the end. */
#define SEES_CANCEL (cancelled && MUTATION != cancel_is_forgotten)
#define AT_THE_END  (SEES_CANCEL || (next == BATCHES && FAILS != 1))
#define TELLS_ERROR (owed && !error_came && !refused)

#if MUTATION == calls_at_once
proctype second_thread(byte task) {
    byte n, code;
    if
    :: HAS_REQUEST && !handler_released -> on_next_task(0, task)
    :: handler_released || !HAS_REQUEST
    fi
}
#endif

inline goes() {
    atomic {
        EVENT(0, GONE, 0)
        on = false
    }
}

proctype producer() {
    byte next = 0, n, code;
    if
    :: FAILS == 2 -> owed = true
    :: FAILS != 2 -> on_schema(0)
    fi;
    do
    :: refused || owed || end_came -> break
    :: SEES_CANCEL -> break
    :: atomic {
            MAY_GO_ON && next < BATCHES && (HAS_REQUEST || MUTATION == ignores_requests) ->
            skip
            STEP(0, cancelled)
        };
#if MUTATION == calls_at_once
        run second_thread(next);
        next++;
#endif
        on_next_task(0, next);
        if
        :: refused && extracted[next] == 0 && REFUSED_TASK_IS != 0 -> extract(0, next)
        :: refused && REFUSED_TASK_IS == 2 -> extract(0, next)
        :: else
        fi;
        next++
    :: atomic {
            MAY_GO_ON && next == BATCHES && FAILS == 1 && !cancelled ->
            owed = true
            STEP(0, 0)
        }
    :: atomic {
            MAY_GO_ON && AT_THE_END && (!END_NEEDS_REQUEST || HAS_REQUEST) ->
            skip
            STEP(0, cancelled)
        };
        on_end()
    od;
    do
    :: atomic { TELLS_ERROR -> skip STEP(0, 0) }; on_error()
    :: atomic { !TELLS_ERROR -> releasing = true STEP(0, 0) }; break
    od;
#if MUTATION == error_then_task
    if
    :: error_came -> on_next_task(0, BATCHES)
    :: else
    fi;
#endif
    if
    :: MUTATION == frees_before_release -> goes()
    :: else
    fi;
    handler_release();
    if
    :: MUTATION == calls_after_release -> on_error()
    :: else
    fi;
    if
    :: CANCEL_IS_GUARDED == 2 -> calls == 0
    :: else
    fi;
    if
    :: on -> goes()
    :: else
    fi
}

/* ---- the consumer's own threads ---- */

/* Whether it looks that the producer can be called, and keeps it until `stop`. */
inline start() {
    if
    :: CANCEL_IS_GUARDED == 1 -> TAKE(lock_taken); may = schema_came && !release_begun
    :: CANCEL_IS_GUARDED == 3 ->
        atomic { may = schema_came && !release_begun; calling = calling + may }
    :: else -> may = schema_came && !release_begun
    fi
}

inline stop() {
    if
    :: CANCEL_IS_GUARDED == 1 -> GIVE(lock_taken)
    :: CANCEL_IS_GUARDED == 3 -> calling = calling - may
    :: else
    fi
}

#define IS_KEPT(i) i < ROOM && kept[i % ROOM] == 1 -> task = i

inline take_one() {
    atomic {
        n_kept > 0 ->
        if
        :: IS_KEPT(0)
        :: IS_KEPT(1)
        :: IS_KEPT(2)
        :: IS_KEPT(3)
        fi;
        kept[task] = 2;
        n_kept--
    }
}

proctype consumer(byte me) {
    byte task, n, code;
    byte left = REQUESTS;
    bool may, has_cancelled;
    do
    :: left > 0 && schema_came && !release_begun ->
        left--;
        start();
        if
        :: may -> request_some(me)
        :: else
        fi;
        stop()
    :: CANCELS && !has_cancelled && schema_came && !release_begun ->
        has_cancelled = !MORE_CANCELS;
        start();
        if
        :: may -> cancel_it(me)
        :: else
        fi;
        stop()
    :: take_one(); extract(me, task)
    :: handler_released && (n_kept == 0 || MUTATION == drops_a_task) -> break
    od;
    if
    :: MUTATION == extracts_twice && kept[0] == 2 -> extract(me, 0)
    :: else
    fi;
    consumers_gone++
}

/* Each task that came was extracted. */
proctype at_the_end() {
    byte task;
    handler_released && consumers_gone == CONSUMERS && !on;
    for (task : 0 .. ROOM - 1) {
        assert(!came[task] || extracted[task] == 1) /* once */
    }
#ifdef TRACED
    next_event == 0 -> c_code { is_accepted[now.which] = 1; }
#endif
}

init {
    byte i;
#ifdef TRACED
    atomic {
        do
        :: c_expr { now.which + 1 < TRACES } -> which++
        :: break
        od;
        c_code { now.batches = traces[now.which].batches; now.fails = traces[now.which].fails; }
        THE_NEXT
    }
#endif
    atomic {
        run producer();
        for (i : 1 .. CONSUMERS) { run consumer(i) };
        run at_the_end()
    }
}
