/* SPDX-License-Identifier: Apache-2.0
 *
 * Guarded memory: what the harness hands to an implementation lies on pages of its own, so that a
 * touch that the document forbids is a fault, and a fault is a finding. One arena a process,
 * emptied between cases.
 *
 *   region       accessible                      a forbidden touch is
 *   BUFFER       to read, up to its end          array/buffer-mutated, array/read-past-end
 *   STRUCTURE    to read and write               (after release) life/use-after-release
 *   STRING       to read, up to its end          life/structure-changed
 *   PRIVATE      never                           life/private-data-touched
 *   FOREIGN      never: of a device that the     device/buffers-dereferenced
 *                implementation cannot know
 *
 * Who frees any of it changes what is the producer's (life/structure-changed), or what it has kept
 * to itself (life/private-data-touched). A write to a live buffer is reported and let through, and
 * so is what is spared (adi_guard_spare).
 * Every other finding ends the worker (ADI_LOG_FATAL), since there is nothing sensible to go on
 * with; unless the harness itself plays the wrong consumer and says where to go on
 * (adi_guard_recover). Faults elsewhere go to the handler that was there before.
 */
#ifndef ADI_GUARD_H
#define ADI_GUARD_H

#include <setjmp.h>
#include <stddef.h>

#include "charge.h"
#include "device.h"
#include "finding.h"
#include "log.h"

enum adi_region_kind {
    ADI_REGION_BUFFER,
    ADI_REGION_STRUCTURE,
    ADI_REGION_STRING,
    ADI_REGION_PRIVATE,
    ADI_REGION_FOREIGN,
};

/* Reserves the arena and puts the handlers for SIGSEGV and SIGBUS in place; findings go to `sink`,
 * blamed on
 * `*party`. 0 or an errno value. Calling it again is cheap: it puts the handlers back in front. */
int adi_guard_start(struct adi_sink *sink, struct adi_log *log, const enum adi_party *party);

/* A zeroed region of `bytes` usable bytes, writable until it is sealed. `align` is a power of two;
 * a BUFFER or STRING ends at a page that cannot be read, as closely as `align` allows; STRUCTUREs
 * lie side by side, each on pages of its own. `place` names it in findings ("children[1]
 * .buffers[2]"); copied, cut. NULL: the arena is full. Main thread only. */
void *adi_guard_alloc(enum adi_region_kind kind, size_t bytes, size_t align, const char *place);
/* Gives all regions handed out since the last time their protection. Main thread only. */
void adi_guard_seal(void);
/* The region has been released: from now on every touch is a finding. Any thread. */
void adi_guard_retire(const void *start);
/* The same for many: they are closed when this thread settles, side by side at a time. Nobody
 * else's code runs in between. */
void adi_guard_retire_soon(const void *start);
void adi_guard_settle(void);
/* What this PRIVATE region stood for is given up: who still has its address is late, and wrong in
 * nothing. */
void adi_guard_end(const void *start);
/* Is this an address of such a region, or of one that was there before a reset? Any thread. */
bool adi_guard_has_ended(const void *address);
/* Is this an address in a region that has been released? */
bool adi_guard_is_retired(const void *address);
/* What is released from now on keeps its content behind closed pages, and who touches that has it
 * back when the finding is told, and goes on; or no longer. For what is advice alone: it ends no
 * process that is somebody else's (last_word.h). In all others nothing changes. */
void adi_guard_spare(bool spares);
bool adi_guard_spares(void);
/* A region that was retired is writable again. */
void adi_guard_reopen(const void *start);
/* A touch of this region once it is retired breaks life/depends-on-address, or no longer: what was
 * there was moved away. The region may be reopened and retired again. */
void adi_guard_leave(const void *start, bool was_left);
/* A STRUCTURE whose owner may still be called: it stays open, and its address is not handed out
 * again, not after a reset either. */
void adi_guard_stay(const void *start);
/* What a touch of this region breaks once it is retired, where it is not life/use-after-release. */
void adi_guard_charge(const void *start, enum adi_charge retired);
/* What it breaks to free this region before that, where it is not the consumer's mistake. */
void adi_guard_charge_free(const void *start, enum adi_charge freed);
/* The region is closed until it is touched for the first time; whoever does that goes on, and it is
 * no finding. Not on paper. */
void adi_guard_listen(const void *start);
/* Has it been touched? */
bool adi_guard_was_heard(const void *start);
/* Names the region anew. */
void adi_guard_name(const void *start, const char *place);
/* Empties the arena: all that was handed out is gone. */
void adi_guard_reset(void);
/* 1: somebody holds what was handed out, until -1; main thread. Whoever closes something else
 * leaves the arena as it is. */
void adi_guard_keep(int holders);
bool adi_guard_is_kept(void);

/* Empties the arena and keeps it on paper from now on, or no longer: nothing is closed for the
 * processor, so that system calls and faults cost nothing; who touches memory on purpose asks by
 * adi_guard_touch, every other mistake is left to AddressSanitizer, if it is linked. For playing
 * the harness's own code fast. An errno value: as it was. */
int adi_guard_on_paper(bool on_paper);
/* Reads the byte at `address`, as a wrong consumer would. A forbidden touch is the finding that the
 * handler makes of the fault, after which adi_guard_recover has its way; on paper: false. */
bool adi_guard_touch(const void *address);

/* Somebody asks for SIGSEGV or SIGBUS by sigaction(2), and the guard is in place: from now on the
 * handler gets what is not the guard's. false: it is not in place, or it is the guard itself that
 * asks. For whoever stands in front of the C library's sigaction. */
struct sigaction;
bool adi_guard_puts_behind(int number, const struct sigaction *wanted, struct sigaction *before);

/* Somebody is about to free what is at `address`. true: it is guarded, so that it may not be done,
 * and a finding; like a touch that ends the worker. For whoever stands in front of the C library's
 * free. Any thread; cheap. */
bool adi_guard_keeps(const void *address);

/* Whose code runs on the main thread: faults there are the implementation's only between these. */
void adi_guard_enter_implementation(void);
void adi_guard_leave_implementation(void);

/* A finding on the main thread goes on at `*point`, set by sigsetjmp, instead of ending the worker;
 * NULL: it ends it. */
void adi_guard_recover(sigjmp_buf *point);

/* While ignored, faults in guarded memory are nobody's finding: the handler that was there before
 * gets them. */
void adi_guard_ignore(bool ignore);

/* A CPU device whose buffers are guarded: what the harness produces for consumers of the CPU.
 * `seal` after producing. `align` 0: 16 bytes; else as asked, 1 for deliberately unaligned.
 * `foreign`: FOREIGN regions. */
void adi_guard_device(struct adi_device *out, const struct adi_device *like, size_t align,
                      bool foreign);
/* How many buffers were handed out since the last reset: a mark. */
size_t adi_guard_mark(void);
/* Holds the live buffers between two marks back: what writes them has not run yet, and a touch
 * breaks sync/read-before-wait. `withheld` false: it has, and they can be read. */
void adi_guard_withhold(size_t from, size_t to, bool withheld);

#endif /* ADI_GUARD_H */
