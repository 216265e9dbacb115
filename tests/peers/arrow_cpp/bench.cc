// SPDX-License-Identifier: Apache-2.0
//
// Arrow C++ for the bench. What it exports and imports for goes through its own memory pool.
#include <memory>
#include <utility>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

#include "../../bench/bench.h"

namespace {

std::shared_ptr<arrow::Schema> type;
std::shared_ptr<arrow::RecordBatch> batch;

int Begin(ArrowSchema *c_schema, ArrowArray *c_batch) {
    auto schema = arrow::ImportSchema(c_schema);
    if (!schema.ok()) return 1;
    auto imported = arrow::ImportRecordBatch(c_batch, *schema);
    if (!imported.ok()) return 1;
    type = *std::move(schema);
    batch = *std::move(imported);
    return 0;
}

void End() {
    batch.reset();
    type.reset();
}

int ExportRelease() {
    ArrowDeviceArray out;
    if (!arrow::ExportDeviceRecordBatch(*batch, nullptr, &out).ok()) return 1;
    out.array.release(&out.array);
    return 0;
}

int ImportRelease(ArrowDeviceArray *in) {
    return arrow::ImportDeviceRecordBatch(in, type).ok() ? 0 : 1;
}

// The system's pool goes through malloc's kin, which the bench counts itself.
int64_t Allocations() {
    const arrow::MemoryPool *pool = arrow::default_memory_pool();
    return pool->backend_name() == "system" ? 0 : pool->num_allocations();
}

} // namespace

const struct adi_bench_peer *adi_bench_peer(void) {
    static const struct adi_bench_peer peer = {"Arrow C++",   ARROW_VERSION_STRING, Begin,      End,
                                               ExportRelease, ImportRelease,        Allocations};
    return &peer;
}
