// SPDX-License-Identifier: Apache-2.0
//
// ExportDeviceArray asks the buffers of an array and of its children where they are, and not those
// of its dictionary: indices on the CPU with a dictionary on a device are exported as CPU, and a
// consumer that believes it touches memory of the device.
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

int main() {
    StringBuilder words;
    Int8Builder indices;
    (void)words.Append("one");
    (void)indices.Append(0);
    auto there = words.Finish().ValueOrDie()->CopyTo(Mapper(0, 0).ValueOrDie()).ValueOrDie();
    DictionaryArray array(dictionary(int8(), utf8()), indices.Finish().ValueOrDie(), there);

    ArrowDeviceArray out;
    Status status = ExportDeviceArray(array, nullptr, &out);
    if (!status.ok()) return std::printf("refused: %s\n", status.ToString().c_str()), 1;
    auto data = (const uint8_t *)out.array.dictionary->buffers[2];
    bool on_device = data >= memory.closed && data < memory.closed + kBytes;
    std::printf("device_type is %d, and the dictionary's data is memory of %s\n", out.device_type,
                on_device ? "the device" : "the CPU");
    out.array.release(&out.array);
    return on_device && out.device_type == ARROW_DEVICE_CPU ? 0 : 1;
}
