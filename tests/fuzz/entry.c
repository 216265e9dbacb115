/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry point that libFuzzer and AFL++ call, compiled once a fuzzer: -DADI_FUZZER=shape.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#define CALL_(name) adi_fuzz_##name(bytes, count)
#define CALL(name)  CALL_(name)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    CALL(ADI_FUZZER);
    return 0;
}
