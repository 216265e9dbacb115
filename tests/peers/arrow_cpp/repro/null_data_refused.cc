// SPDX-License-Identifier: Apache-2.0
//
// A buffer of 0 bytes that is NULL becomes a placeholder on the CPU when it is imported, and so an
// array on a device that has one cannot be exported again: its buffers are on two devices. (Nothing
// is broken by a refusal; this is here because the array is a common one: texts that are all
// empty.)
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

int main() {
    const void *buffers[] = {nullptr, memory.Write(std::vector<uint8_t>(12)), nullptr};
    memory.Wait();
    ArrowDeviceArray in = Exported(2, 0, buffers, 3, nullptr), out;
    auto imported = ImportDeviceArray(&in, utf8(), Mapper).ValueOrDie();
    Status status = ExportDeviceArray(*imported, nullptr, &out);
    std::printf("%s\n", status.ToString().c_str());
    return status.ok() ? 1 : 0;
}
