/* SPDX-License-Identifier: Apache-2.0 */
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "arena.h"
#include "attribution.h"
#include "charge.h"
#include "crash_word.h"
#include "last_word.h"

static struct {
    struct adi_sink *sink;
    struct adi_log *log;
    const enum adi_party *party;
    bool ignore, spares;
    pthread_t main_thread;
    volatile sig_atomic_t in_implementation;
    sigjmp_buf *recover;
    struct sigaction segv, bus; /* who was there before */
} guard;

/* What a touch of a live region is. */
static const enum adi_charge live[] = {
    [ADI_REGION_BUFFER] = ADI_CHARGE_TOUCH_BUFFER,
    [ADI_REGION_STRUCTURE] = ADI_CHARGE_TOUCH_STRUCTURE,
    [ADI_REGION_STRING] = ADI_CHARGE_TOUCH_STRING,
    [ADI_REGION_PRIVATE] = ADI_CHARGE_TOUCH_PRIVATE,
    [ADI_REGION_FOREIGN] = ADI_CHARGE_TOUCH_FOREIGN,
};

static void charge(enum adi_charge what, bool goes_on, const char *seen, const char *about) {
    bool recovers = guard.recover != NULL && pthread_equal(pthread_self(), guard.main_thread);
    if (!goes_on && !recovers) adi_sink_last(guard.sink);
    adi_charge(guard.sink, what, *guard.party == ADI_CONSUMER, *guard.party, seen, about);
}

static void name(struct adi_region *region, const char *place) {
    region->place[sizeof region->place - 1] = '\0';
    memccpy(region->place, place, '\0', sizeof region->place - 1);
}

static int protect(const struct adi_lane *lane, const struct adi_region *region, int protection) {
    size_t index = (size_t)(region - lane->regions);
    return adi_arena_protect(lane, index, index + 1, protection);
}

/* A private byte alone has no content: it is where pointers lead that may not be followed. */
static void say_where(const struct adi_region *region, const char *address, char out[96]) {
    ptrdiff_t at = address - region->start, bytes = region->end - region->start;
    if (at < 0)
        snprintf(out, 96, "a touch %td bytes in front of it", -at);
    else if (region->kind == ADI_REGION_PRIVATE && bytes == 1)
        snprintf(out, 96, "a touch of where its pointers lead since then, %td bytes on", at);
    else if (at >= bytes)
        snprintf(out, 96, "a touch of byte %td, and it has %td", at, bytes);
    else
        snprintf(out, 96, "a touch of byte %td of %td", at, bytes);
}

/* Is there a way to go on? After a write, a touch of what is spared, and where somebody listens. */
static bool judge_fault(const struct adi_lane *lane, struct adi_region *region,
                        const char *address) {
    char seen[96];
    int state = atomic_load(&region->state);
    bool inside = address >= region->start && address < region->end;
    /* Of two threads that come at once the second finds it open. */
    if (inside && (state == ADI_REGION_LISTENED || state == ADI_REGION_HEARD)) {
        atomic_store(&region->state, ADI_REGION_HEARD);
        return protect(lane, region, PROT_READ | PROT_WRITE) == 0;
    }
    say_where(region, address, seen);
    bool written = region->kind == ADI_REGION_BUFFER && inside && state == ADI_REGION_SEALED;
    bool spared = guard.spares && state == ADI_REGION_RETIRED;
    if (written) atomic_store(&region->state, ADI_REGION_WRITTEN);
    if (spared) atomic_store(&region->state, ADI_REGION_HEARD);
    charge(written                        ? ADI_CHARGE_TOUCH_WRITTEN
           : state == ADI_REGION_WITHHELD ? ADI_CHARGE_TOUCH_EARLY
           : state != ADI_REGION_RETIRED  ? live[region->kind]
                                          : region->retired,
           written || spared, seen, region->place);
    return (written || spared) && protect(lane, region, PROT_READ | PROT_WRITE) == 0;
}

static void judge_free(const struct adi_region *region) {
    bool gone = atomic_load(&region->state) == ADI_REGION_RETIRED;
    charge(gone ? region->retired : region->freed, false, "a call of free()", region->place);
}

/* A buffer value of the device was taken for an address of the host. */
static void judge_buffer_fault(const void *address) {
    char seen[64];
    snprintf(seen, sizeof seen, "a touch of %p", address);
    charge(ADI_CHARGE_TOUCH_VALUE, false, seen, "a buffer value");
}

/* The guard's own word to the C library; a handler says it, too: hence no lazy allocation. */
static _Thread_local volatile sig_atomic_t asks __attribute__((tls_model("initial-exec")));

static int ask(int number, const struct sigaction *wanted, struct sigaction *before) {
    asks = 1;
    int result = sigaction(number, wanted, before);
    asks = 0;
    return result;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    struct adi_lane *lane;
    bool is_sent = info->si_code <= 0; /* by raise(3) or kill(2): there is no address */
    struct adi_region *region = is_sent ? NULL : adi_arena_find(info->si_addr, &lane);
    bool main_thread = pthread_equal(pthread_self(), guard.main_thread);
    bool ours = main_thread && !guard.in_implementation;
    bool is_buffer =
        region == NULL && !ours && !is_sent && adi_interceptor_owns_address(info->si_addr);
    if ((region != NULL || is_buffer) && !guard.ignore) {
        if (is_buffer) judge_buffer_fault(info->si_addr);
        if (region != NULL && !ours && judge_fault(lane, region, info->si_addr)) return;
        if (!ours && main_thread && guard.recover != NULL) siglongjmp(*guard.recover, 1);
        if (ours)
            adi_log_write(guard.log, ADI_LOG_ERROR, 0, ADI_BOTH, 0, NULL,
                          "the harness itself touched guarded memory", region->place, NULL);
        adi_last_word(guard.log);
    }
    const struct sigaction *before = number == SIGSEGV ? &guard.segv : &guard.bus;
    if (adi_crash_word_pass(before, number, info, context)) return;
    if (ask(number, adi_crash_word_left(before), NULL) == 0 && is_sent)
        raise(number); /* else the instruction faults again */
}

bool adi_guard_puts_behind(int number, const struct sigaction *wanted, struct sigaction *before) {
    if (guard.sink == NULL || asks || (number != SIGSEGV && number != SIGBUS)) return false;
    struct sigaction *behind = number == SIGSEGV ? &guard.segv : &guard.bus;
    struct sigaction present = *behind;
    if (wanted != NULL) *behind = *wanted;
    if (before != NULL) *before = present;
    return true;
}

bool adi_guard_keeps(const void *address) {
    if (!adi_arena_holds(address)) return false;
    struct adi_region *region = adi_arena_find(address, NULL);
    bool main_thread = region != NULL && pthread_equal(pthread_self(), guard.main_thread);
    if (region == NULL || guard.sink == NULL || guard.ignore ||
        (main_thread && !guard.in_implementation))
        return false;
    judge_free(region);
    if (main_thread && guard.recover != NULL) siglongjmp(*guard.recover, 1);
    adi_last_word(guard.log);
}

static int take_signal(int number, struct sigaction *before) {
    struct sigaction now;
    if (ask(number, NULL, &now) != 0) return errno;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return 0;
    struct sigaction ours = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    *before = now;
    return ask(number, &ours, NULL) == 0 ? 0 : errno;
}

static int take_signals(void) {
    ADI_TRY(take_signal(SIGSEGV, &guard.segv));
    return take_signal(SIGBUS, &guard.bus);
}

static void take_stack(void) {
    static char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE))
        sigaltstack(&alternate, NULL);
}

int adi_guard_start(struct adi_sink *sink, struct adi_log *log, const enum adi_party *party) {
    ADI_TRY(adi_arena_reserve());
    take_stack();
    guard.sink = sink;
    guard.log = log;
    guard.party = party;
    guard.main_thread = pthread_self();
    return take_signals();
}

/* ---- regions, and what becomes of them ---- */

void *adi_guard_alloc(enum adi_region_kind kind, size_t bytes, size_t align, const char *place) {
    struct adi_region *region = adi_arena_add(kind, bytes, align);
    if (region == NULL) return NULL;
    bool closed = kind == ADI_REGION_PRIVATE || kind == ADI_REGION_FOREIGN;
    atomic_store(&region->state, closed ? ADI_REGION_SEALED : ADI_REGION_OPEN);
    name(region, place);
    return region->start;
}

/* The region that begins here; NULL: none does. */
static struct adi_region *region_at(const void *start, struct adi_lane **lane) {
    struct adi_region *region = adi_arena_find(start, lane);
    return region != NULL && region->start == start ? region : NULL;
}

void adi_guard_name(const void *start, const char *place) {
    struct adi_region *region = region_at(start, NULL);
    if (region != NULL) name(region, place);
}

/* Those between two indices that are in a state come into another and get its protection, as many
 * at a time as lie side by side. */
static void change(struct adi_lane *lane, size_t from, size_t to, enum adi_region_state before,
                   enum adi_region_state after, int protection) {
    size_t run = from;
    for (size_t i = from; i < to; i++) {
        int state = (int)before;
        if (atomic_compare_exchange_strong(&lane->regions[i].state, &state, (int)after)) continue;
        adi_arena_protect(lane, run, i, protection);
        run = i + 1;
    }
    if (run < to) adi_arena_protect(lane, run, to, protection);
}

void adi_guard_seal(void) {
    static const enum adi_lane_name sealed[] = {ADI_LANE_STRING, ADI_LANE_BUFFER};
    for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
        struct adi_lane *lane = &adi_lanes[sealed[i]];
        change(lane, lane->sealed, lane->n, ADI_REGION_OPEN, ADI_REGION_SEALED, PROT_READ);
        lane->sealed = lane->n;
    }
    adi_arena_trim();
}

/* What this thread has retired and not closed yet lies between two indices. */
static _Thread_local struct { size_t from, to; } unsettled[ADI_LANES];

void adi_guard_retire_soon(const void *start) {
    struct adi_lane *lane;
    struct adi_region *region = region_at(start, &lane);
    if (region == NULL) return;
    if (atomic_exchange(&region->state, ADI_REGION_RETIRED) == ADI_REGION_RETIRED) return;
    size_t at = (size_t)(region - lane->regions), name = (size_t)(lane - adi_lanes);
    bool first = unsettled[name].to == 0;
    if (first || at < unsettled[name].from) unsettled[name].from = at;
    if (first || at >= unsettled[name].to) unsettled[name].to = at + 1;
}

void adi_guard_settle(void) {
    for (size_t i = 0; i < ADI_LANES; i++) {
        struct adi_lane *lane = &adi_lanes[i];
        if (!lane->shut)
            change(lane, unsettled[i].from, unsettled[i].to, ADI_REGION_RETIRED, ADI_REGION_RETIRED,
                   PROT_NONE);
        unsettled[i].from = unsettled[i].to = 0;
    }
}

void adi_guard_retire(const void *start) {
    adi_guard_retire_soon(start);
    adi_guard_settle();
}

void adi_guard_spare(bool spares) {
    guard.spares = spares && adi_last_word_is_said();
}

bool adi_guard_spares(void) {
    return guard.spares;
}

void adi_guard_reopen(const void *start) {
    struct adi_lane *lane;
    struct adi_region *region = region_at(start, &lane);
    if (region == NULL) return;
    atomic_store(&region->state, ADI_REGION_OPEN);
    protect(lane, region, PROT_READ | PROT_WRITE);
}

void adi_guard_listen(const void *start) {
    struct adi_lane *lane;
    struct adi_region *region = region_at(start, &lane);
    if (region == NULL) return;
    atomic_store(&region->state, ADI_REGION_LISTENED);
    protect(lane, region, PROT_NONE);
}

bool adi_guard_was_heard(const void *start) {
    struct adi_region *region = region_at(start, NULL);
    return region != NULL && atomic_load(&region->state) == ADI_REGION_HEARD;
}

bool adi_guard_is_retired(const void *address) {
    struct adi_region *region = adi_arena_find(address, NULL);
    return region != NULL && atomic_load(&region->state) == ADI_REGION_RETIRED;
}

void adi_guard_end(const void *start) {
    struct adi_region *region = region_at(start, NULL);
    if (region != NULL) atomic_store(&region->state, ADI_REGION_ENDED);
}

bool adi_guard_has_ended(const void *address) {
    struct adi_region *region = adi_arena_find(address, NULL);
    return region != NULL ? atomic_load(&region->state) == ADI_REGION_ENDED
                          : adi_arena_is_former(address);
}

void adi_guard_leave(const void *start, bool was_left) {
    adi_guard_charge(start, was_left ? ADI_CHARGE_TOUCH_LEFT : ADI_CHARGE_TOUCH_RELEASED);
}

void adi_guard_stay(const void *start) {
    struct adi_lane *lane;
    struct adi_region *region = region_at(start, &lane);
    if (region != NULL) adi_arena_stay(lane, region);
}

void adi_guard_charge(const void *start, enum adi_charge retired) {
    struct adi_region *region = region_at(start, NULL);
    if (region != NULL) region->retired = retired;
}

void adi_guard_charge_free(const void *start, enum adi_charge freed) {
    struct adi_region *region = region_at(start, NULL);
    if (region != NULL) region->freed = freed;
}

void adi_guard_reset(void) {
    adi_arena_reset();
}

static int kept;

void adi_guard_keep(int holders) {
    kept += holders;
}

bool adi_guard_is_kept(void) {
    return kept > 0;
}

size_t adi_guard_mark(void) {
    return adi_lanes[ADI_LANE_BUFFER].n;
}

void adi_guard_withhold(size_t from, size_t to, bool withheld) {
    struct adi_lane *lane = &adi_lanes[ADI_LANE_BUFFER];
    if (withheld)
        change(lane, from, to, ADI_REGION_SEALED, ADI_REGION_WITHHELD, PROT_NONE);
    else
        change(lane, from, to, ADI_REGION_WITHHELD, ADI_REGION_SEALED, PROT_READ);
}

/* ---- on paper ---- */

int adi_guard_on_paper(bool on_paper) {
    ADI_TRY(adi_arena_reserve());
    adi_guard_reset();
    return adi_arena_on_paper(on_paper);
}

/* What the processor would have said, had the memory been closed. */
static bool is_closed(const struct adi_lane *lane, const struct adi_region *region,
                      const char *address) {
    int state = atomic_load(&region->state);
    return address < region->start || address >= region->end || state == ADI_REGION_WITHHELD ||
           state == ADI_REGION_RETIRED || lane->shut;
}

bool adi_guard_touch(const void *address) {
    struct adi_lane *lane;
    struct adi_region *region = adi_arena_is_on_paper() ? adi_arena_find(address, &lane) : NULL;
    if (region != NULL && is_closed(lane, region, address)) {
        judge_fault(lane, region, address);
        return false;
    }
    (void)*(volatile const char *)address;
    return true;
}

/* ---- whose code runs ---- */

void adi_guard_enter_implementation(void) {
    guard.in_implementation = 1;
    adi_attribution_enter(true);
}

void adi_guard_leave_implementation(void) {
    adi_attribution_enter(false);
    guard.in_implementation = 0;
    /* It may have put handlers in front. */
    if (guard.sink != NULL) take_signals();
}

void adi_guard_recover(sigjmp_buf *point) {
    guard.recover = point;
}

void adi_guard_ignore(bool ignore) {
    guard.ignore = ignore;
}

/* ---- the guarded CPU device ---- */

static struct {
    struct adi_device_ops ops;
    size_t align;
    enum adi_region_kind kind;
} device;

static int alloc_buffer(struct adi_device *unused, int64_t bytes, void **buffer,
                        struct adi_error *error) {
    (void)unused;
    bool unaligned = device.align == 1;
    if ((uint64_t)bytes > SIZE_MAX - 1) return adi_error_set(error, ENOMEM, "so much there is not");
    char *start = adi_guard_alloc(device.kind, (size_t)bytes + unaligned,
                                  unaligned ? 2 : device.align, "a buffer");
    if (start == NULL) return adi_error_set(error, ENOMEM, "the guarded memory is full");
    /* One byte behind an even address is aligned to nothing. */
    *buffer = start + unaligned;
    return 0;
}

static void free_buffer(struct adi_device *unused, void *buffer) {
    (void)unused;
    adi_guard_retire((char *)buffer - (device.align == 1));
}

static int write_buffer(struct adi_device *unused, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    (void)unused;
    (void)error;
    if (device.kind == ADI_REGION_BUFFER) memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

void adi_guard_device(struct adi_device *out, const struct adi_device *like, size_t align,
                      bool foreign) {
    device.ops = *like->ops;
    device.ops.alloc = alloc_buffer;
    device.ops.free = free_buffer;
    device.ops.write = write_buffer;
    device.align = align == 0 ? 16 : align;
    device.kind = foreign ? ADI_REGION_FOREIGN : ADI_REGION_BUFFER;
    *out = (struct adi_device){.ops = &device.ops, .id = like->id, .state = like->state};
}
