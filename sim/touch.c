/* SPDX-License-Identifier: Apache-2.0
 *
 * The signal handler: a fault in one of our ranges is a touch that is reported, every other one is
 * handed to whoever was there before.
 *
 * It runs in a thread that faulted while it did not hold the engine's lock (the engine itself never
 * touches a view, but for a guarded copy, which ends there), so it may take that lock; it allocates
 * nothing.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "queue.h"

#define TRIES 100

/* Who was there before us at the last arming, and at the first. One who was armed behind us and
 * hands its faults on to us would get them back for ever: then it is the first one's turn, and
 * after that nobody's. */
static struct sigaction newest[2], first; /* newest: the one that counts, and one to be written */
static _Atomic unsigned armed;            /* how often; it is newest[armed % 2] that counts */

static _Thread_local __attribute__((tls_model("initial-exec"))) char *handing_on[2];

/* The copy of memory of the program that this thread is at; NULL: none. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct guard {
    uintptr_t to, from;
    size_t bytes;
    sigjmp_buf back;
} *volatile guard;

enum access {
    READS,
    WRITES,
    TOUCHES, /* the machine does not say */
};

static const char *const access_names[] = {"read", "written", "touched"};

#if defined(__x86_64__)
static enum access access_of(const ucontext_t *context) {
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? WRITES : READS;
}
#elif defined(__aarch64__)
/* The syndrome register is one of the records behind the registers, if the kernel gives it. */
static enum access access_of(const ucontext_t *context) {
    const uint8_t *at = context->uc_mcontext.__reserved;
    for (;;) {
        const struct _aarch64_ctx *head = (const void *)at;
        if (head->magic == 0 || head->size == 0) return TOUCHES;
        if (head->magic == ESR_MAGIC) {
            struct esr_context syndrome;
            memcpy(&syndrome, at, sizeof syndrome);
            return syndrome.esr & (1U << 6) ? WRITES : READS;
        }
        at += head->size;
    }
}
#else
static enum access access_of(const ucontext_t *context) {
    (void)context;
    return TOUCHES;
}
#endif

static void name_touch(enum sim_violation violation, const struct sim_allocation *allocation,
                       const char *address, enum access access) {
    char text[160];
    ptrdiff_t offset = address - sim_view(allocation);
    sim_allocation_about(allocation);
    sim_violate(violation, "%s is %s by the CPU at byte %td", sim_allocation_text(allocation, text),
                access_names[access], offset);
}

/* Pinned or managed memory: closed because of queued work, or only beside such bytes. */
static void judge_shared(const struct sim_allocation *allocation, const char *address,
                         enum access access) {
    struct sim_access by = {0};
    char text[160];
    size_t offset = (size_t)(address - sim_view(allocation));
    if (sim_shared_allows(allocation, offset, access != READS, sim_host_is_before, &by)) return;
    sim_log_unordered("the host", &by);
    sim.about = (struct sim_about){true, false, true, by.site.party};
    sim_violate(by.may ? SIM_LAUNCH_UNORDERED : SIM_TOUCH_PENDING,
                "%s is %s by the CPU at byte %zu before anything waited for %s on queue %" PRIu32
                " (%s, call %" PRIu64 ")%s",
                sim_allocation_text(allocation, text), access_names[access], offset, by.what,
                by.component, by.site.name, by.site.call, by.may ? SIM_OPAQUE_TEXT : "");
}

/* Before it is judged: a host function may be waiting for this very touch, by means that nobody
 * here can see, and then what is behind that function comes after it. One that ends while this
 * thread stands still does not wait for it. Copies that run meanwhile may fault in their turn. */
static void let_host_functions_end(const struct sim_arena *arena,
                                   const struct sim_allocation *allocation, const char *address,
                                   enum access access) {
    struct sim_access by;
    sigset_t fault, before;
    if (!arena->open || allocation == NULL || allocation->life != SIM_LIVE) return;
    size_t offset = (size_t)(address - sim_view(allocation));
    if (offset >= allocation->bytes) return;
    if (sim_shared_allows(allocation, offset, access != READS, NULL, &by)) return;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &fault, &before);
    sim_host_let_end(&by);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void judge(const struct sim_arena *arena, const struct sim_allocation *allocation,
                  const char *address, enum access access) {
    if (allocation == NULL)
        sim_violate(SIM_TOUCH_OUTSIDE, "simulated memory is %s by the CPU where there is none",
                    access_names[access]);
    else if (allocation->life != SIM_LIVE)
        name_touch(SIM_TOUCH_FREED, allocation, address, access);
    else if (address >= sim_view(allocation) + allocation->bytes)
        name_touch(SIM_TOUCH_OUTSIDE, allocation, address, access);
    else if (arena->open)
        judge_shared(allocation, address, access);
    else
        name_touch(SIM_TOUCH_DEVICE, allocation, address, access);
}

static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned tries;

/* Registered memory that nothing keeps closed: another thread may have opened it a moment ago, and
 * then it can be touched now. Else the program has closed it, and it is the program's fault. */
static bool was_closed(void) {
    if (tries++ < TRIES) return true;
    tries = 0;
    return false;
}

/* Is it ours, and can the program go on? Before the program's next call nothing that it does is
 * part of the call it made last. */
static bool take_fault(const char *address, const ucontext_t *context, bool *ours) {
    struct sim_arena *arena;
    *ours = false;
    if (!sim_lock()) return false;
    const struct sim_allocation *allocation = sim_memory_around(address, &arena);
    struct sim_allocation *own = arena == NULL ? sim_own_around(address, 1) : NULL;
    if (own != NULL && !(own->closes && own->closed)) {
        bool again = own->closes && was_closed();
        sim_unlock();
        return again;
    }
    if (own != NULL) {
        tries = 0;
        allocation = own;
        arena = sim_memory_shared();
    }
    bool handle = arena == NULL && sim_registry_has(address), go_on = false;
    sim.site = (struct sim_site){sim.calls, "the program, after this call", sim_party()};
    if (sim_in_host_function()) sim.site = sim_host_site();
    if (handle) sim_violate(SIM_TOUCH_HANDLE, "a handle is looked through");
    if (arena != NULL) {
        let_host_functions_end(arena, allocation, address, access_of(context));
        /* What others did meanwhile, freeing it included, they did. */
        uint64_t before = sim.errors;
        if (own == NULL) allocation = sim_memory_around(address, &arena);
        enum access access = access_of(context);
        judge(arena, allocation, address, access);
        bool allowed = sim.errors == before;
        go_on = allowed || !sim.settings.stop_at_touch;
        if (go_on && own != NULL)
            sim_own_open_touched(own, address, allowed && access == READS);
        else if (go_on)
            sim_memory_open_touched(arena, address, allowed && access == READS);
    }
    *ours = arena != NULL;
    sim_unlock();
    return go_on;
}

static void hand_on(const struct sigaction *to, int number, siginfo_t *info, void *context) {
    if (to->sa_flags & SA_SIGINFO || (to->sa_handler != SIG_DFL && to->sa_handler != SIG_IGN)) {
        sigset_t open;
        sigemptyset(&open);
        sigaddset(&open, number);
        if (to->sa_flags & SA_NODEFER) pthread_sigmask(SIG_UNBLOCK, &open, NULL);
        if (to->sa_flags & SA_SIGINFO)
            to->sa_sigaction(number, info, context);
        else
            to->sa_handler(number);
        return;
    }
    struct sigaction end = {.sa_handler = SIG_DFL};
    sigaction(number, &end, NULL);
    if (info->si_code <= 0) raise(number); /* was sent: nothing will fault again */
}

/* Ends the copy that faulted, if it is one. The signal is let through again by hand: to save the
 * mask before each copy would be a system call. */
static void end_copy(uintptr_t at) {
    struct guard *copy = guard;
    sigset_t fault;
    if (copy == NULL) return;
    bool target = at - copy->to < copy->bytes;
    if (!target && at - copy->from >= copy->bytes) return;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &fault, NULL);
    siglongjmp(copy->back, target ? SIM_TARGET : SIM_SOURCE);
}

enum sim_side sim_touch_copy(void *to, const void *from, size_t bytes) {
    struct guard here = {.to = (uintptr_t)to, .from = (uintptr_t)from, .bytes = bytes};
    enum sim_side side = (enum sim_side)sigsetjmp(here.back, 0);
    if (side == SIM_NEITHER) {
        guard = &here;
        atomic_signal_fence(memory_order_seq_cst);
        if (from == NULL)
            memset(to, SIM_POISON, bytes);
        else
            memcpy(to, from, bytes);
        atomic_signal_fence(memory_order_seq_cst);
    }
    guard = NULL;
    return side;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    static const struct sigaction nobody = {.sa_handler = SIG_DFL};
    const struct sigaction *const turns[] = {&newest[armed % 2], &first, &nobody};
    bool ours = false;
    char here;
    if (info->si_code > 0) end_copy((uintptr_t)info->si_addr);
    if (info->si_code > 0 && take_fault(info->si_addr, context, &ours)) return;
    /* The stack grows downwards: a frame that is above this one is still at it. */
    size_t turn = 0;
    while (turn < 2 && handing_on[turn] != NULL && handing_on[turn] > &here) turn++;
    if (ours) turn = 2; /* was reported, and shall end the program */
    sim_lock_give_up();
    if (turn < 2) handing_on[turn] = &here;
    hand_on(turns[turn], number, info, context);
    if (turn < 2) handing_on[turn] = NULL;
}

void sim_touch_arm(void) {
    struct sigaction now;
    memset(handing_on, 0, sizeof handing_on);
    if (sigaction(SIGSEGV, NULL, &now) != 0) return;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&ours.sa_mask);
    newest[(armed + 1) % 2] = now;
    if (armed == 0) first = now;
    armed++;
    sigaction(SIGSEGV, &ours, NULL);
}
