// SPDX-License-Identifier: Apache-2.0
//
// ImportDeviceArray keeps 8 bits of the device type: 257, which is no device, passes for 1, the
// CPU, and the buffers of whatever device that is are read as CPU memory.
#include <cstdint>
#include <cstdio>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

int main() {
    static const int32_t values[] = {7};
    static const void *buffers[] = {nullptr, values};
    ArrowDeviceArray in = {};
    in.array.length = 1;
    in.array.n_buffers = 2;
    in.array.buffers = buffers;
    in.array.release = [](ArrowArray *array) { array->release = nullptr; };
    in.device_type = 257;

    auto imported = arrow::ImportDeviceArray(&in, arrow::int32());
    if (!imported.ok()) {
        std::printf("refused: %s\n", imported.status().ToString().c_str());
        in.array.release(&in.array);
        return 1;
    }
    const auto &array = static_cast<const arrow::Int32Array &>(**imported);
    bool is_cpu = array.device_type() == arrow::DeviceAllocationType::kCPU;
    std::printf("device type 257 was taken for %d; the value on the CPU: %d\n",
                static_cast<int>(array.device_type()), array.Value(0));
    return is_cpu ? 0 : 1;
}
