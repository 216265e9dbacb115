// SPDX-License-Identifier: Apache-2.0
//
// ExportDeviceArray does not write `reserved`, of which the C device data interface says: "These
// bytes MUST be zero'd out after initialization by the producer". ExportDeviceRecordBatch neither.
#include <cstdio>
#include <cstring>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

static bool Shows(const char *function, const arrow::Status &status, ArrowDeviceArray *out) {
    if (!status.ok()) return false;
    std::printf("%s: reserved[0] is %llx\n", function, (unsigned long long)out->reserved[0]);
    out->array.release(&out->array);
    return out->reserved[0] != 0;
}

int main() {
    arrow::Int32Builder builder;
    auto array = builder.Finish().ValueOrDie();
    auto schema = arrow::schema({arrow::field("f0", arrow::int32())});
    auto batch = arrow::RecordBatch::Make(schema, 0, {array});

    ArrowDeviceArray of_array, of_batch;
    std::memset(&of_array, 0xa5, sizeof of_array);
    std::memset(&of_batch, 0xa5, sizeof of_batch);
    bool shows =
        Shows("ExportDeviceArray", ExportDeviceArray(*array, nullptr, &of_array), &of_array);
    shows &= Shows("ExportDeviceRecordBatch", ExportDeviceRecordBatch(*batch, nullptr, &of_batch),
                   &of_batch);
    return shows ? 0 : 1;
}
