// SPDX-License-Identifier: Apache-2.0
//
// What the adapter of Arrow C++ is made of: arrays in adapter.cc, streams in streams.cc,
// asynchronous ones in async.cc, a device in device.cc.
#ifndef ARROW_CPP_PEER_H
#define ARROW_CPP_PEER_H

#include <cstdint>
#include <functional>
#include <memory>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

#include "adapter.h"

namespace peer {

using Adapter = struct adi_adapter; // the function of this name hides the type

// The errno value of what `call` returns, or throws: no exception may pass through C.
int Guarded(const std::function<arrow::Status()> &call);

// The event that the buffers of an imported array are to be waited for by: they share it, and the
// array does not say.
std::shared_ptr<arrow::Device::SyncEvent> EventOf(const arrow::ArrayData &data);

// A batch in memory of `memory`, with the event of the copy.
arrow::Result<std::shared_ptr<arrow::RecordBatch>>
Copied(const arrow::RecordBatch &batch, const std::shared_ptr<arrow::MemoryManager> &memory);

// The batches of a stream of the host, which moves, in `memory`; each is copied when it is asked
// for.
arrow::Result<std::shared_ptr<arrow::RecordBatchReader>>
ImportHost(ArrowArrayStream *host, std::shared_ptr<arrow::MemoryManager> memory);

constexpr unsigned kStreamRoles =
    ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS;
int ProduceStream(Adapter *, ArrowDeviceType type, int64_t id, ArrowArrayStream *host,
                  ArrowDeviceArrayStream *out);
int ConsumeStream(Adapter *, ArrowDeviceArrayStream *in, ArrowArrayStream *host_out);
int RelayStream(Adapter *, ArrowDeviceArrayStream *in, ArrowDeviceArrayStream *out);

constexpr unsigned kAsyncRoles = ADI_PRODUCES_ASYNC | ADI_CONSUMES_ASYNC;
constexpr uint32_t kAsyncLayout = offsetof(struct ArrowAsyncProducer, additional_metadata);
int ProduceAsync(Adapter *, ArrowDeviceType type, int64_t id, ArrowArrayStream *host,
                 ArrowAsyncDeviceStreamHandler *handler);
int ConsumeAsync(Adapter *, ArrowAsyncDeviceStreamHandler *handler, int64_t batches_at_once);
int ConsumeAsyncFinish(Adapter *, ArrowArrayStream *host_out);

} // namespace peer

#endif // ARROW_CPP_PEER_H
