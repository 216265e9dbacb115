/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a single value legal, worked out apart from ref/.
 */
#ifndef ADI_TESTS_LEGAL_H
#define ADI_TESTS_LEGAL_H

#include <stdbool.h>
#include <stdint.h>

/* The integer of `bits` bits at `index`, wherever the buffer lies. */
int64_t legal_read(const void *buffer, int64_t index, int64_t bits);

/* UTF-8 as Unicode has it: no overlong form, no surrogate, nothing beyond U+10FFFF. */
bool legal_utf8(const uint8_t *text, int64_t bytes);

/* The decimal digits of a two's complement number of at most 32 bytes, least byte first. */
int legal_digits(const uint8_t *value, int bytes);

#endif /* ADI_TESTS_LEGAL_H */
