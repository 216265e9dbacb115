// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous streams of Arrow C++, which are of record batches. What it calls of a handler it
// calls on a thread of its pool, as in its own tests: ExportAsyncRecordBatchReader waits for
// requests where it is called.
#include <utility>

#include <arrow/util/async_generator.h>
#include <arrow/util/thread_pool.h>

#include "peer.h"

namespace peer {
namespace {

using arrow::RecordBatch;
using arrow::Status;
using Batch = std::shared_ptr<RecordBatch>;

// One handler at a time.
arrow::Future<arrow::AsyncRecordBatchGenerator> generator_to_come;

} // namespace

int ProduceAsync(Adapter *, ArrowDeviceType type, int64_t id, ArrowArrayStream *host,
                 ArrowAsyncDeviceStreamHandler *handler) {
    return Guarded([&]() -> Status {
        ARROW_ASSIGN_OR_RAISE(auto memory, arrow::DefaultDeviceMemoryMapper(type, id));
        ARROW_ASSIGN_OR_RAISE(auto reader, ImportHost(host, memory));
        arrow::AsyncGenerator<Batch> generator = [reader] {
            return arrow::Future<Batch>::MakeFinished(reader->Next());
        };
        auto device_type = memory->device()->device_type();
        return arrow::internal::GetCpuThreadPool()->Spawn([=, schema = reader->schema()] {
            // How it ended the handler is told, too.
            (void)arrow::ExportAsyncRecordBatchReader(schema, generator, device_type, handler);
        });
    });
}

int ConsumeAsync(Adapter *, ArrowAsyncDeviceStreamHandler *handler, int64_t batches_at_once) {
    return Guarded([&] {
        generator_to_come = arrow::CreateAsyncDeviceStreamHandler(
            handler, arrow::internal::GetCpuThreadPool(), static_cast<uint64_t>(batches_at_once));
        return Status::OK();
    });
}

int ConsumeAsyncFinish(Adapter *, ArrowArrayStream *host_out) {
    return Guarded([&]() -> Status {
        auto to_come = std::exchange(generator_to_come, {});
        ARROW_ASSIGN_OR_RAISE(auto stream, to_come.result());
        arrow::RecordBatchVector batches;
        for (;;) {
            auto coming = stream.generator();
            ARROW_ASSIGN_OR_RAISE(auto next, coming.result());
            if (next.batch == nullptr) break;
            ARROW_ASSIGN_OR_RAISE(auto copy,
                                  Copied(*next.batch, arrow::default_cpu_memory_manager()));
            batches.push_back(std::move(copy));
        }
        ARROW_ASSIGN_OR_RAISE(auto reader, arrow::RecordBatchReader::Make(batches, stream.schema));
        return arrow::ExportRecordBatchReader(std::move(reader), host_out);
    });
}

} // namespace peer
