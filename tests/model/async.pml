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
 *   REFUSES      1: on_schema, 2: on_next_task answers non-zero
 *
 * A property, and the sentence that it is from:
 *   requested    no task comes without a request           (request: "maximum of the total sum")
 *   silent       no callback comes after release           (on_error, release: "the last call")
 *   serialized   no callback comes while another runs      ("Thread safety")
 *   alive        nobody calls a producer that is gone      ("ArrowAsyncProducer Lifetime")
 *   once         each task is extracted exactly once       (extract_data)
 *   ends         release comes, and nobody waits for ever  (cancel: "eventually")
 */
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
/* 18: extract_data may come after release: 1: what a task needs lives as long as its producer; 0: as
 * long as the task. */
#ifndef TASK_NEEDS_PRODUCER
#define TASK_NEEDS_PRODUCER 0
#endif
/* 28: what keeps a cancel from the producer's end: 0: nothing, 1: the consumer's lock, under which
 * its release callback says that it has begun; 2: the producer waits for calls that run. */
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

bool on = true;          /* the producer can be called */
bool handler_released;
bool schema_came, error_came, end_came, refused;
bool cancelled, release_begun, consumer_gone;
byte inside;             /* callbacks that run */
byte calls;              /* calls of the producer's methods that run */
byte requested, delivered;
byte extracted[BATCHES + 1];
bool came[BATCHES + 1];
bool lock_taken;

#define TAKE(lock) atomic { !lock -> lock = true }
#define GIVE(lock) lock = false

inline enter() {
    assert(!handler_released); /* silent */
    assert(inside == 0);       /* serialized */
    inside++
}

inline leave() { inside-- }

/* ---- the consumer's calls of the producer ---- */

inline request_one() {
    assert(on); /* alive */
    calls++;
    if
    :: !cancelled -> requested++
    :: else
    fi;
    calls--
}

inline cancel_it() {
    assert(on); /* alive */
    calls++;
    if
    :: MUTATION == cancel_waits -> inside == 0
    :: else
    fi;
    cancelled = true;
    calls--
}

inline extract(task) {
    if
    :: TASK_NEEDS_PRODUCER -> assert(on) /* alive */
    :: else
    fi;
    extracted[task]++;
    assert(extracted[task] == 1) /* once */
}

/* ---- the consumer's callbacks, on whichever thread of the producer's ---- */

byte kept[BATCHES + 1]; /* copied, to be extracted later */

inline on_schema() {
    enter();
    assert(on && !schema_came && !error_came);
    schema_came = true;
    if
    :: REFUSES == 1 -> refused = true
    :: REFUSES != 1 && REQUESTS > 0 -> request_one()
    :: REFUSES != 1
    :: REFUSES != 1 && CANCELS -> cancel_it()
    fi;
    leave()
}

inline on_next_task(task) {
    enter();
    assert(on && schema_came && !error_came && !end_came && !refused);
    assert(delivered < requested); /* requested */
    delivered++;
    came[task] = true;
    if
    :: REFUSES == 2 && REFUSED_TASK_IS != 1 -> extract(task); refused = true
    :: REFUSES == 2 && REFUSED_TASK_IS != 0 -> refused = true
    :: REFUSES != 2 -> extract(task)
    :: REFUSES != 2 -> kept[task] = 1
    fi;
    if
    :: !refused && delivered < BATCHES && REQUESTS > 1 -> request_one()
    :: !refused && CANCELS -> cancel_it()
    :: true
    fi;
    leave()
}

inline on_end() {
    enter();
    assert(schema_came && !error_came && !end_came && !refused);
    if
    :: END_NEEDS_REQUEST -> delivered++
    :: else
    fi;
    end_came = true;
    leave()
}

inline on_error() {
    enter();
    assert(!error_came && !refused);
    error_came = true;
    leave()
}

inline handler_release() {
    if
    :: CANCEL_IS_GUARDED == 1 -> TAKE(lock_taken); release_begun = true; GIVE(lock_taken)
    :: else -> release_begun = true
    fi;
    enter();
    leave();
    handler_released = true
}

/* ---- the producer ---- */

#define HAS_REQUEST (delivered < requested)

proctype second_thread() {
    if
    :: HAS_REQUEST && !handler_released -> on_next_task(BATCHES)
    :: handler_released || !HAS_REQUEST
    fi
}

proctype producer() {
    byte next = 0;
    on_schema();
    do
    :: refused -> break
    :: !refused && cancelled && MUTATION != cancel_is_forgotten -> break
    :: !refused && next < BATCHES && (HAS_REQUEST || MUTATION == ignores_requests) ->
        if
        :: MUTATION == calls_at_once -> run second_thread()
        :: else
        fi;
        on_next_task(next);
        if
        :: refused && extracted[next] == 0 && REFUSED_TASK_IS != 0 -> extract(next)
        :: refused && REFUSED_TASK_IS == 2 -> extract(next)
        :: else
        fi;
        next++
    :: !refused && next == BATCHES && FAILS -> on_error(); break
    :: !refused && next == BATCHES && !FAILS && (!END_NEEDS_REQUEST || HAS_REQUEST) ->
        on_end();
        break
    od;
    if
    :: MUTATION == error_then_task && error_came -> on_next_task(BATCHES)
    :: else
    fi;
    if
    :: MUTATION == frees_before_release -> on = false
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
    on = false
}

/* ---- the consumer's own thread ---- */

proctype consumer() {
    byte task;
    byte left = REQUESTS;
    bool may;
    do
    :: left > 0 && schema_came && !release_begun && !refused ->
        if
        :: CANCEL_IS_GUARDED == 1 -> TAKE(lock_taken)
        :: else
        fi;
        may = schema_came && !release_begun;
        if
        :: may -> request_one()
        :: else
        fi;
        if
        :: CANCEL_IS_GUARDED == 1 -> GIVE(lock_taken)
        :: else
        fi;
        left--
    :: CANCELS && schema_came && !release_begun ->
        if
        :: CANCEL_IS_GUARDED == 1 -> TAKE(lock_taken)
        :: else
        fi;
        may = schema_came && !release_begun;
        if
        :: may -> cancel_it()
        :: else
        fi;
        if
        :: CANCEL_IS_GUARDED == 1 -> GIVE(lock_taken)
        :: else
        fi;
        break
    :: kept[0] == 1 -> kept[0] = 2; extract(0)
    :: release_begun -> break
    od;
    /* What was kept is extracted on the way, or here. */
    handler_released;
    for (task : 0 .. BATCHES) {
        if
        :: kept[task] == 1 && MUTATION != drops_a_task -> extract(task)
        :: else
        fi;
        if
        :: kept[task] > 0 && MUTATION == extracts_twice -> extract(task)
        :: else
        fi
    };
    consumer_gone = true
}

/* Each task that came was extracted. */
proctype at_the_end() {
    byte task;
    handler_released && consumer_gone && !on;
    for (task : 0 .. BATCHES) {
        assert(!came[task] || extracted[task] == 1) /* once */
    }
}

init {
    atomic { run producer(); run consumer(); run at_the_end() }
}
