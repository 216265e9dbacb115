/* SPDX-License-Identifier: Apache-2.0 */
#include "whose.h"

#include <stddef.h>

static const struct adi_witness *told;
static bool holds;

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
    if (told != NULL && told->size > offsetof(struct adi_witness, phase) && told->phase != NULL)
        told->phase(name);
}

void adi_whose_hold(bool implementation) {
    told->hold(implementation);
    holds = true;
}

void adi_whose_let(void) {
    told->let();
    holds = false;
}

bool adi_whose_holds(void) {
    return holds;
}

bool adi_whose_buffer(const void *address) {
    return told != NULL && told->size > offsetof(struct adi_witness, closed) &&
           told->closed != NULL && told->closed(address);
}
