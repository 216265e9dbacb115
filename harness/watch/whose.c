/* SPDX-License-Identifier: Apache-2.0 */
#include "whose.h"

static const struct adi_witness *told;
static bool holds, holds_implementation;

#define HAS(slot) (told != NULL && ADI_WITNESS_HAS(told, slot))

void adi_whose_tell(const struct adi_witness *witness) {
    told = witness;
    holds = false;
}

const struct adi_witness *adi_whose_witness(void) {
    return told;
}

bool adi_whose_enter(bool implementation) {
    return told != NULL && told->enter(implementation);
}

void adi_whose_phase(const char *name) {
    if (HAS(phase)) told->phase(name);
}

void adi_whose_hold(bool implementation) {
    told->hold(implementation);
    holds = true;
    holds_implementation = implementation;
}

void adi_whose_let(void) {
    told->let();
    holds = false;
}

bool adi_whose_holds(bool implementation) {
    return holds && holds_implementation == implementation;
}

bool adi_whose_pending(const void *buffer, int64_t from, int64_t bytes) {
    return bytes > 0 && HAS(pending_in) && told->pending_in(buffer, from, bytes);
}

bool adi_whose_covers(const void *event, const void *buffer, int64_t from, int64_t bytes) {
    return bytes <= 0 || !HAS(covers_in) || told->covers_in(event, buffer, from, bytes);
}

bool adi_whose_used(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(used_in)) return told->used_in(buffer, from, bytes);
    return bytes != 0 && told != NULL && told->used(buffer);
}

bool adi_whose_written(const void *buffer, int64_t from, int64_t bytes) {
    if (bytes > 0 && HAS(written_in)) return told->written_in(buffer, from, bytes);
    return bytes != 0 && HAS(written) && told->written(buffer);
}

bool adi_whose_finishes(void) {
    return HAS(finish);
}

bool adi_whose_is_due(void) {
    return adi_whose_finishes() && told->due();
}

void adi_whose_finish(void) {
    if (adi_whose_finishes()) told->finish();
}

bool adi_whose_buffer(const void *address) {
    return HAS(closed) && told->closed(address);
}

bool adi_whose_given_up(const void *buffer) {
    return HAS(given_up) && told->given_up(buffer);
}
