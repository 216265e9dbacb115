// SPDX-License-Identifier: Apache-2.0
//
// Arrow C++ for the bench. What it exports and imports for goes through its own memory pool.
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/util/async_generator.h>
#include <arrow/util/thread_pool.h>

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

// So many times the batch.
class Repeated : public arrow::RecordBatchReader {
  public:
    explicit Repeated(int64_t chunks) : left_(chunks) {}
    std::shared_ptr<arrow::Schema> schema() const override { return type; }
    arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch> *out) override {
        *out = left_-- > 0 ? batch : nullptr;
        return arrow::Status::OK();
    }

  private:
    int64_t left_;
};

int Stream(int64_t chunks) {
    ArrowDeviceArrayStream stream;
    if (!arrow::ExportDeviceRecordBatchReader(std::make_shared<Repeated>(chunks), &stream).ok())
        return 1;
    auto reader = arrow::ImportDeviceRecordBatchReader(&stream);
    if (!reader.ok()) return 1;
    std::shared_ptr<arrow::RecordBatch> next;
    int64_t taken = -1;
    do {
        if (!(*reader)->ReadNext(&next).ok()) return 1;
        taken++;
    } while (next != nullptr);
    return taken == chunks ? 0 : 1;
}

// How many come before the end; -1: an error.
int64_t Drain(const arrow::AsyncGenerator<arrow::RecordBatchWithMetadata> &next) {
    for (int64_t taken = 0;; taken++) {
        auto got = next().result();
        if (!got.ok()) return -1;
        if (got->batch == nullptr) return taken;
    }
}

// The consumer is driven on this thread and imports on the pool's; the producer, which blocks until
// there are requests, has a thread of its own.
int StreamAsync(int64_t chunks) {
    auto *handler = new ArrowAsyncDeviceStreamHandler;
    auto opened =
        arrow::CreateAsyncDeviceStreamHandler(handler, arrow::internal::GetCpuThreadPool());
    auto left = std::make_shared<std::atomic<int64_t>>(chunks);
    arrow::AsyncGenerator<std::shared_ptr<arrow::RecordBatch>> next = [left] {
        return arrow::Future<std::shared_ptr<arrow::RecordBatch>>::MakeFinished(
            left->fetch_sub(1) > 0 ? batch : nullptr);
    };
    arrow::Status produced;
    std::thread producer([handler, next, &produced] {
        produced = arrow::ExportAsyncRecordBatchReader(type, next,
                                                       arrow::DeviceAllocationType::kCPU, handler)
                       .status();
    });
    int64_t taken = opened.status().ok() ? Drain(opened.result()->generator) : -1;
    producer.join();
    return produced.ok() && taken == chunks ? 0 : 1;
}

// The system's pool goes through malloc's kin, which the bench counts itself.
int64_t Allocations() {
    const arrow::MemoryPool *pool = arrow::default_memory_pool();
    return pool->backend_name() == "system" ? 0 : pool->num_allocations();
}

} // namespace

const struct adi_bench_peer *adi_bench_peer(void) {
    static const struct adi_bench_peer peer = {
        "Arrow C++",   ARROW_VERSION_STRING, Begin,  End,        ExportRelease,
        ImportRelease, Allocations,          Stream, StreamAsync};
    return &peer;
}
