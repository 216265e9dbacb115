// SPDX-License-Identifier: Apache-2.0
//
// ImportDeviceArray of utf8 (and binary, large or not) copies the offsets from the device before
// the event of the array has been given to any of its buffers: the memory manager that is asked to
// copy sees device_sync_event() == nullptr and cannot wait. What is read there is not the offsets.
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

int main() {
    int event;                       // what the handle is does not matter here
    memset(memory.open, 0xde, 4096); // what is there before
    const void *buffers[] = {nullptr, memory.Write({0, 0, 0, 0, 3, 0, 0, 0}),
                             memory.Write({'a', 'b', 'c'})};
    ArrowDeviceArray in = Exported(1, 0, buffers, 3, &event);

    auto imported = ImportDeviceArray(&in, utf8(), Mapper).ValueOrDie();
    int reads = memory.reads, waits = memory.waits;
    auto copy = imported->CopyTo(default_cpu_memory_manager());
    std::printf("before it returns, ImportDeviceArray has copied %d buffer(s) from the device and "
                "waited %d times;\nthe size of the data is %lld for it, wanted 3; CopyTo: %s\n",
                reads, waits, (long long)imported->data()->buffers[2]->size(),
                copy.ok() ? "OK" : copy.status().ToString().c_str());
    return reads > 0 && waits == 0 ? 0 : 1;
}
