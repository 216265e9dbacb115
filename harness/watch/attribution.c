/* SPDX-License-Identifier: Apache-2.0 */
#include "attribution.h"

static const struct adi_interceptor *told;
static bool holds, holds_implementation;

#define HAS(slot) (told != NULL && ADI_INTERCEPTOR_HAS(told, slot))

void adi_attribution_set(const struct adi_interceptor *interceptor) {
    told = interceptor;
    holds = false;
}

const struct adi_interceptor *adi_interceptor_current(void) {
    return told;
}

bool adi_attribution_enter(bool implementation) {
    return told != NULL && told->enter(implementation);
}

void adi_attribution_phase(const char *name) {
    if (HAS(phase)) told->phase(name);
}

void adi_interceptor_pause(bool implementation) {
    told->hold(implementation);
    holds = true;
    holds_implementation = implementation;
}

void adi_interceptor_resume(void) {
    told->let();
    holds = false;
}

bool adi_interceptor_pauses(bool implementation) {
    return holds && holds_implementation == implementation;
}

bool adi_interceptor_pending(const void *buffer, int64_t from, int64_t bytes) {
    return bytes > 0 && HAS(pending_in) && told->pending_in(buffer, from, bytes);
}

bool adi_interceptor_covers(const void *event, const void *buffer, int64_t from, int64_t bytes) {
    return bytes <= 0 || !HAS(covers_in) || told->covers_in(event, buffer, from, bytes);
}

bool adi_interceptor_used(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(used_in)) return told->used_in(buffer, from, bytes);
    return bytes != 0 && told != NULL && told->used(buffer);
}

bool adi_interceptor_written(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(written_in)) return told->written_in(buffer, from, bytes);
    return bytes != 0 && HAS(written) && told->written(buffer);
}

bool adi_interceptor_drains(void) {
    return HAS(finish);
}

bool adi_interceptor_has_pending_work(void) {
    return adi_interceptor_drains() && told->due();
}

void adi_interceptor_drain(void) {
    if (adi_interceptor_drains()) told->finish();
}

bool adi_interceptor_owns_address(const void *address) {
    return HAS(closed) && told->closed(address);
}

bool adi_interceptor_given_up(const void *buffer) {
    return HAS(given_up) && told->given_up(buffer);
}
