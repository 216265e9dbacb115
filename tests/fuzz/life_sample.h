/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of the fuzzer `life` export: a small array with each part that a step can be
 * about, a child, a dictionary below it, and a child without either.
 */
#ifndef ADI_TESTS_FUZZ_LIFE_SAMPLE_H
#define ADI_TESTS_FUZZ_LIFE_SAMPLE_H

#include "abi.h"
#include "device.h"

/* Static memory; releasing the schema does nothing, the array has no release callback. */
extern const struct ArrowSchema life_type;
extern const struct ArrowArray life_array;

/* cpu:-1, open, which trusts that what it reads is there. */
struct adi_device *life_device(void);

/* Before the first program: real pages are closed, faults are waited for, and releases come from
 * another thread where a program says so, as `adicheck replay` has it. */
void life_in_guarded_memory(void);

/* What the programs are played on, open; never closed. */
struct adi_execution *life_execution(void);

#endif /* ADI_TESTS_FUZZ_LIFE_SAMPLE_H */
