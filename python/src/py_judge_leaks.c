/* SPDX-License-Identifier: Apache-2.0 */
#include "py_judge_leaks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grace_period.h"
#include "heap.h"
#include "helper.h"
#include "py_error.h"

/* How often it is done: until caches are warm; for a glance, after which most are known to be
 * right; to see whether what was released is free; and until those have filled that hold some
 * hundred. */
#define WARM    8
#define GLANCE  16
#define WEIGHED 4 /* of these, each by itself */
#define LOOKS   8
#define AGAIN   64
#define ROUNDS  8
#define MOST    1024
#define LEAST   128 /* fewer say nothing: some give back a hundred at a time */

#define MOST_BYTES ((int64_t)160 << 20)     /* that an implementation may lose for it, twice */
#define COLLECT_NS (300 * INT64_C(1000000)) /* beyond, there are too many objects for it */
#define MOST_NS    (2 * INT64_C(1000000000))
#define BLOCK      48 /* bytes: no smaller one is an export's */
#define LATE_MS    ADI_RELEASE_LATE_MS
#define NAP_MS     5
#define COLLECTED  64 /* naps */

/* ---- what is held ---- */

static int64_t blocks_of_python(void) {
    PyObject *function = PySys_GetObject("getallocatedblocks"); /* borrowed */
    PyObject *number = function == NULL ? NULL : PyObject_CallNoArgs(function);
    int64_t blocks = number == NULL ? 0 : PyLong_AsLongLong(number);
    Py_XDECREF(number);
    PyErr_Clear();
    return blocks;
}

/* What waits for the collector of cycles is no loss. While it is disabled it does nothing at all.
 */
static void collect(void) {
    PyGC_Enable();
    PyGC_Collect();
    PyGC_Disable();
}

/* The C library looks through all that is free to say how much that is: where there is much it
 * takes milliseconds, which are not for each export. */
static struct adi_py_load load_of(PyObject *object, bool weighs) {
    return (struct adi_py_load){Py_REFCNT(object), blocks_of_python(),
                                weighs ? adi_heap_about() : 0};
}

static struct adi_py_load more_than(struct adi_py_load before, struct adi_py_load now) {
    return (struct adi_py_load){now.references - before.references, now.blocks - before.blocks,
                                now.bytes - before.bytes};
}

static int64_t lesser(int64_t one, int64_t other) {
    return one < other ? one : other;
}

static struct adi_py_load least_of(struct adi_py_load one, struct adi_py_load other) {
    return (struct adi_py_load){lesser(one.references, other.references),
                                lesser(one.blocks, other.blocks), lesser(one.bytes, other.bytes)};
}

static struct adi_py_load share_of(struct adi_py_load all, int64_t n) {
    return (struct adi_py_load){all.references / n, all.blocks / n, all.bytes / n};
}

/* ---- where it lies ---- */

#define PLACES 8192 /* a power of two, more than twice as many as there are exports */

static uintptr_t places[ADI_PY_PARTS][PLACES];

struct watch {
    PyObject *object;
    const struct adi_py_exporting *how;
    struct {
        uintptr_t first;
        size_t bytes;
        bool is_anew, is_same; /* each time; in the same place */
    } parts[ADI_PY_PARTS];
    bool gives_references, gives; /* releases give something back */
    bool weighs;                  /* each export, its bytes too */
    int64_t least_ns;             /* that an export took */
};

/* Has nothing been there before? */
static bool put(uintptr_t *set, uintptr_t at) {
    size_t i = (size_t)((at >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 51) % PLACES;
    while (set[i] != 0 && set[i] != at) i = (i + 1) % PLACES;
    bool is_new = set[i] == 0;
    set[i] = at;
    return is_new;
}

static void note(struct watch *watch, const struct adi_py_part *parts) {
    for (size_t i = 0; i < ADI_PY_PARTS; i++) {
        uintptr_t at = (uintptr_t)parts[i].at;
        bool is_there = at != 0;
        if (watch->parts[i].first == 0) watch->parts[i].first = at;
        watch->parts[i].bytes = parts[i].bytes;
        watch->parts[i].is_same = watch->parts[i].is_same && watch->parts[i].first == at;
        watch->parts[i].is_anew = is_there && watch->parts[i].is_anew && put(places[i], at);
    }
}

/* Is it in memory that either allocator hands out next? */
static bool is_free(const void *at) {
    enum {
        STEP = 16,
        SIZES = 64,
        EACH = 4,
        KINDS = 2
    };
    static void *blocks[KINDS][SIZES][EACH];
    bool found = false;
    for (size_t i = 0; i < SIZES * EACH; i++) {
        size_t size = STEP * (i / EACH + 1);
        char *of_c = blocks[0][i / EACH][i % EACH] = malloc(size);
        char *of_python = blocks[1][i / EACH][i % EACH] = PyMem_Malloc(size);
        uintptr_t in_c = (uintptr_t)at - (uintptr_t)of_c,
                  in_python = (uintptr_t)at - (uintptr_t)of_python;
        found = found || in_c < size || in_python < size;
    }
    for (size_t i = SIZES * EACH; i-- > 0;) {
        free(blocks[0][i / EACH][i % EACH]);
        PyMem_Free(blocks[1][i / EACH][i % EACH]);
    }
    return found;
}

static void look_whether_free(struct watch *watch, const struct adi_py_part *parts) {
    for (size_t i = 0; i < ADI_PY_PARTS; i++)
        if (watch->parts[i].is_anew && is_free(parts[i].at)) watch->parts[i].is_anew = false;
}

/* ---- an export ---- */

static int64_t now_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool export(struct watch *watch, struct adi_py_part parts[ADI_PY_PARTS]) {
    struct adi_py_taken taken;
    int64_t begun = now_ns(CLOCK_MONOTONIC);
    memset(&taken, 0, sizeof taken);
    if (!watch->how->take(watch->object, &taken)) return false;
    memcpy(parts, taken.parts, sizeof taken.parts);
    struct adi_py_load held = load_of(watch->object, watch->weighs);
    ADI_PY_ASIDE(watch->how->end(&taken));
    struct adi_py_load given = more_than(load_of(watch->object, watch->weighs), held);
    watch->gives_references = watch->gives_references || given.references > 0;
    watch->gives = watch->gives || given.references > 0 || given.blocks > 0 || given.bytes > 0;
    watch->least_ns = lesser(watch->least_ns, now_ns(CLOCK_MONOTONIC) - begun);
    return watch->least_ns < MOST_NS / (WARM + GLANCE); /* else it is too slow */
}

static bool export_many(struct watch *watch, int64_t n, bool is_noted, bool is_probed) {
    struct adi_py_part parts[ADI_PY_PARTS];
    for (int64_t i = 0; i < n; i++) {
        if (!export(watch, parts)) return false;
        if (is_noted) note(watch, parts);
        if (is_probed) look_whether_free(watch, parts);
    }
    return true;
}

/* Two that are there at once: is it one structure? */
static bool is_one(struct watch *watch) {
    struct adi_py_taken one, other;
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    if (!watch->how->take(watch->object, &one)) return false;
    bool is_taken = watch->how->take(watch->object, &other);
    bool is_same = is_taken && one.parts[0].at != NULL && one.parts[0].at == other.parts[0].at;
    if (is_taken) ADI_PY_ASIDE(watch->how->end(&other));
    ADI_PY_ASIDE(watch->how->end(&one));
    return is_same;
}

/* ---- what it comes to ---- */

static bool grows(struct adi_py_load each) {
    return each.references >= 1 || each.blocks >= 1 || each.bytes >= BLOCK;
}

/* Is that a loss, if so much more is held after each export? */
static bool is_loss(const struct watch *watch, struct adi_py_load each) {
    for (size_t i = 0; i < ADI_PY_PARTS; i++) {
        bool is_as_large =
            watch->parts[i].bytes > 0 && each.bytes >= (int64_t)watch->parts[i].bytes;
        if (watch->parts[i].is_anew && grows(each) && (!watch->gives || is_as_large)) return true;
    }
    return watch->parts[0].is_same && each.references >= 1 && !watch->gives_references;
}

/* How many exports can be made; 0: too few. */
static int64_t count(const struct watch *watch, struct adi_py_load each) {
    int64_t n = MOST;
    if (each.bytes > 0) n = lesser(n, MOST_BYTES / each.bytes);
    if (watch->least_ns > 0) n = lesser(n, MOST_NS / watch->least_ns);
    return n < LEAST ? 0 : n / ROUNDS * ROUNDS;
}

/* false: all naps are over. A process that was stopped meanwhile has had one of them. */
static bool nap(struct adi_grace_period *grace, int *naps) {
    bool goes_on;
    Py_BEGIN_ALLOW_THREADS;
    goes_on = adi_grace_period_sleep(grace);
    if (!goes_on && *naps > 0) nanosleep(&(struct timespec){.tv_nsec = NAP_MS * 1000000L}, NULL);
    goes_on = goes_on || *naps > 0;
    --*naps;
    Py_END_ALLOW_THREADS;
    return goes_on;
}

/* Is it held still when others have had the time to give it back? The collector of cycles is asked
 * now and then, since it takes its time. */
static enum adi_py_leaks stays(struct watch *watch, struct adi_py_load before, int64_t n,
                               struct adi_py_load *each) {
    const bool has_threads = adi_other_threads() > 0;
    struct adi_grace_period grace = adi_grace_period(has_threads ? LATE_MS : 0);
    int naps = has_threads ? LATE_MS / NAP_MS : 0;
    bool goes_on = true;
    for (int i = 0; goes_on; i++) {
        goes_on = nap(&grace, &naps);
        if (i % COLLECTED == 0 || !goes_on) collect();
        *each = least_of(*each, share_of(more_than(before, load_of(watch->object, true)), n));
        if (!is_loss(watch, *each)) return ADI_PY_LEAKS_NOT;
    }
    return grace.is_starved ? ADI_PY_LEAKS_UNKNOWN : ADI_PY_LEAKS;
}

static enum adi_py_leaks confirm(struct watch *watch, struct adi_py_load *each) {
    int64_t n = count(watch, *each), begun_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
    if (n == 0) return ADI_PY_LEAKS_UNKNOWN;
    collect();
    if (now_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns > COLLECT_NS) return ADI_PY_LEAKS_UNKNOWN;
    const struct adi_py_load begun = load_of(watch->object, true);
    struct adi_py_load before = begun;
    *each = (struct adi_py_load){INT64_MAX, INT64_MAX, INT64_MAX};
    for (int64_t i = 0; i < ROUNDS; i++) {
        if (!export_many(watch, n / ROUNDS, true, false)) return ADI_PY_LEAKS_UNKNOWN;
        collect();
        struct adi_py_load now = load_of(watch->object, true);
        *each = least_of(*each, share_of(more_than(before, now), n / ROUNDS));
        if (!is_loss(watch, *each)) return ADI_PY_LEAKS_NOT;
        before = now;
    }
    if (watch->parts[0].is_same && !is_one(watch)) watch->parts[0].is_same = false;
    return stays(watch, begun, n, each);
}

/* What has grown once with releases that came late, a table or an arena, is large enough then. */
static enum adi_py_leaks confirm_twice(struct watch *watch, struct adi_py_load *each) {
    enum adi_py_leaks found = confirm(watch, each);
    return found == ADI_PY_LEAKS ? confirm(watch, each) : found;
}

/* Where more is held each time, nobody knows whose it is. */
static enum adi_py_leaks no_loss(struct watch *watch, struct adi_py_load each) {
    if (!grows(each)) return ADI_PY_LEAKS_NOT;
    collect();
    struct adi_py_load before = load_of(watch->object, true);
    if (!export_many(watch, AGAIN, false, false)) return ADI_PY_LEAKS_UNKNOWN;
    collect();
    each = share_of(more_than(before, load_of(watch->object, true)), AGAIN);
    return grows(each) ? ADI_PY_LEAKS_UNKNOWN : ADI_PY_LEAKS_NOT;
}

static enum adi_py_leaks leaks_of(struct watch *watch, struct adi_py_load *each) {
    if (!export_many(watch, WARM, false, false)) return ADI_PY_LEAKS_UNKNOWN;
    struct adi_py_load before = load_of(watch->object, true);
    watch->gives = watch->gives_references = false;
    for (int i = 0; i < GLANCE; i++) {
        watch->weighs = i < WEIGHED;
        if (!export_many(watch, 1, true, false)) return ADI_PY_LEAKS_UNKNOWN;
        if (!watch->weighs && i + 1 < GLANCE) continue;
        *each = share_of(more_than(before, load_of(watch->object, true)), i + 1);
        if (each->bytes * (GLANCE + WARM) > MOST_BYTES) return ADI_PY_LEAKS_UNKNOWN;
    }
    if (!is_loss(watch, *each)) return no_loss(watch, *each);
    if (!export_many(watch, LOOKS, true, true)) return ADI_PY_LEAKS_UNKNOWN;
    return is_loss(watch, *each) ? confirm_twice(watch, each) : ADI_PY_LEAKS_UNKNOWN;
}

enum adi_py_leaks adi_py_leaks_of(PyObject *object, const struct adi_py_exporting *how,
                                  struct adi_py_load *each) {
    struct watch watch = {.object = object, .how = how, .least_ns = INT64_MAX};
    memset(places, 0, sizeof places);
    for (size_t i = 0; i < ADI_PY_PARTS; i++)
        watch.parts[i].is_anew = watch.parts[i].is_same = true;
    int was_enabled = PyGC_Disable();
    enum adi_py_leaks found = leaks_of(&watch, each);
    if (was_enabled) PyGC_Enable();
    return found;
}
