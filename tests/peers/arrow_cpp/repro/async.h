// SPDX-License-Identifier: Apache-2.0
//
// The other party of an asynchronous stream, for the programs beside this: a handler for what Arrow
// exports, and a producer for what it imports. Both write down what comes.
#ifndef ASYNC_H
#define ASYNC_H

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/util/async_generator.h>
#include <arrow/util/thread_pool.h>

namespace async {

using namespace arrow;

inline std::string came; // the callbacks, in their order
inline std::shared_ptr<RecordBatch> batch = RecordBatch::Make(
    arrow::schema({field("f0", null())}), 3, {MakeArrayOfNull(null(), 3).ValueOrDie()});

// ---- a handler ----

inline std::function<int(ArrowAsyncProducer *)> on_schema = [](auto) { return 0; };
inline std::function<int(ArrowAsyncProducer *, ArrowAsyncTask *)> on_next_task =
    [](auto, auto task) { return task == nullptr ? 0 : task->extract_data(task, nullptr); };

// Exports `batches`, on this thread: what is requested has to be by on_schema and on_next_task.
inline void Export(std::vector<std::shared_ptr<RecordBatch>> batches) {
    ArrowAsyncDeviceStreamHandler handler = {};
    handler.on_schema = [](auto self, ArrowSchema *schema) {
        came += "on_schema ";
        schema->release(schema);
        return on_schema(self->producer);
    };
    handler.on_next_task = [](auto self, ArrowAsyncTask *task, const char *) {
        came += task == nullptr ? "on_next_task(NULL) " : "on_next_task ";
        return on_next_task(self->producer, task);
    };
    handler.on_error = [](auto, int, const char *message, const char *) {
        came += "on_error(" + std::string(message) + ") ";
    };
    handler.release = [](auto) { came += "release"; };
    (void)ExportAsyncRecordBatchReader(batches[0]->schema(), MakeVectorGenerator(batches),
                                       DeviceAllocationType::kCPU, &handler);
}

// ---- a producer ----

inline ArrowAsyncProducer producer = {ARROW_DEVICE_CPU, [](auto, int64_t) { came += "request "; },
                                      [](auto) { came += "cancel "; }, nullptr, nullptr};
inline int extracted = 0;

// What Arrow imports: `n` batches, then an error or the end, and the release.
inline Future<AsyncRecordBatchGenerator> Import(int n, int error) {
    ArrowAsyncDeviceStreamHandler handler;
    auto generator = CreateAsyncDeviceStreamHandler(&handler, internal::GetCpuThreadPool(), n + 1);
    ArrowSchema c_schema;
    (void)ExportSchema(*batch->schema(), &c_schema);
    handler.producer = &producer;
    handler.on_schema(&handler, &c_schema);
    for (int i = 0; i < n; i++) {
        ArrowAsyncTask task = {[](auto, ArrowDeviceArray *out) {
                                   extracted++;
                                   return out == nullptr ||
                                                  ExportDeviceRecordBatch(*batch, nullptr, out).ok()
                                              ? 0
                                              : EIO;
                               },
                               nullptr};
        handler.on_next_task(&handler, &task, nullptr);
    }
    if (error != 0)
        handler.on_error(&handler, error, "it failed", nullptr);
    else
        handler.on_next_task(&handler, nullptr, nullptr);
    handler.release(&handler);
    came += "(released) ";
    return generator;
}

} // namespace async

#endif // ASYNC_H
