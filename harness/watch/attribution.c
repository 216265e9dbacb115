/* SPDX-License-Identifier: Apache-2.0 */
#include "attribution.h"

static const struct adi_interceptor *current;
static bool pauses, pauses_implementation, keeps_books;

#define HAS(slot) (current != NULL && ADI_INTERCEPTOR_HAS(current, slot))

void adi_attribution_set(const struct adi_interceptor *interceptor) {
    current = interceptor;
    pauses = keeps_books = false;
}

void adi_attribution_set_books(bool are_kept) {
    keeps_books = are_kept;
}

bool adi_attribution_keeps_books(void) {
    return keeps_books || (HAS(keeps_books) && current->keeps_books());
}

const struct adi_interceptor *adi_interceptor_current(void) {
    return current;
}

bool adi_attribution_enter(bool implementation) {
    return current != NULL && current->enter(implementation);
}

void adi_attribution_phase(const char *name) {
    if (HAS(phase)) current->phase(name);
}

void adi_interceptor_pause(bool implementation) {
    current->pause(implementation);
    pauses = true;
    pauses_implementation = implementation;
}

void adi_interceptor_resume(void) {
    current->resume();
    pauses = false;
}

bool adi_interceptor_pauses(bool implementation) {
    return pauses && pauses_implementation == implementation;
}

bool adi_interceptor_pending(const void *buffer, int64_t from, int64_t bytes) {
    return bytes > 0 && HAS(pending_in) && current->pending_in(buffer, from, bytes);
}

bool adi_interceptor_covers(const void *event, const void *buffer, int64_t from, int64_t bytes) {
    return bytes <= 0 || !HAS(covers_in) || current->covers_in(event, buffer, from, bytes);
}

bool adi_interceptor_used(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(used_in)) return current->used_in(buffer, from, bytes);
    return bytes != 0 && current != NULL && current->used(buffer);
}

bool adi_interceptor_written(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(written_in)) return current->written_in(buffer, from, bytes);
    return bytes != 0 && HAS(written) && current->written(buffer);
}

bool adi_interceptor_drains(void) {
    return HAS(drain);
}

bool adi_interceptor_has_pending_work(void) {
    return adi_interceptor_drains() && current->has_pending_work();
}

void adi_interceptor_drain(void) {
    if (adi_interceptor_drains()) current->drain();
}

void adi_interceptor_settle(void) {
    if (HAS(settle)) current->settle();
}

bool adi_interceptor_owns_address(const void *address) {
    return HAS(closed) && current->closed(address);
}

bool adi_interceptor_given_up(const void *buffer) {
    return HAS(given_up) && current->given_up(buffer);
}
