// SPDX-License-Identifier: Apache-2.0
//
// Streams of Arrow C++, of its two kinds: structs without nulls of their own go through its readers
// of record batches, all else through its chunked arrays. A batch has a place for an event; a chunk
// of an array has none, so that what is copied to a device is waited for.
#include <cstring>
#include <string>
#include <utility>

#include "device.h"
#include "peer.h"

namespace peer {
namespace {

using arrow::ChunkedArray;
using arrow::MemoryManager;
using arrow::RecordBatch;
using arrow::RecordBatchReader;
using arrow::Result;
using arrow::Status;

class CopyingReader : public RecordBatchReader {
  public:
    CopyingReader(std::shared_ptr<RecordBatchReader> from, std::shared_ptr<MemoryManager> memory)
        : from_(std::move(from)), memory_(std::move(memory)) {}

    std::shared_ptr<arrow::Schema> schema() const override { return from_->schema(); }
    Status ReadNext(std::shared_ptr<RecordBatch> *batch) override {
        ARROW_RETURN_NOT_OK(from_->ReadNext(batch));
        if (*batch == nullptr) return Status::OK();
        return Copied(**batch, memory_).Value(batch);
    }
    Status Close() override { return from_->Close(); }
    arrow::DeviceAllocationType device_type() const override {
        return memory_->device()->device_type();
    }

  private:
    const std::shared_ptr<RecordBatchReader> from_;
    const std::shared_ptr<MemoryManager> memory_;
};

// Does a record batch say what a chunk of this stream says? Not where the struct may be null.
template <typename Stream> Result<bool> HasBatches(Stream *stream) {
    if (stream->release == nullptr) return false;
    ArrowSchema schema;
    if (stream->get_schema(stream, &schema) != 0) {
        const char *text = stream->get_last_error(stream);
        std::string said = text == nullptr ? "the stream has no schema" : text;
        stream->release(stream);
        return Status::IOError(said);
    }
    bool has = std::strcmp(schema.format, "+s") == 0 && (schema.flags & ARROW_FLAG_NULLABLE) == 0;
    schema.release(&schema);
    return has;
}

Result<std::shared_ptr<ChunkedArray>> CopiedChunks(const ChunkedArray &chunks,
                                                   const std::shared_ptr<MemoryManager> &memory) {
    arrow::ArrayVector copies;
    for (const auto &chunk : chunks.chunks()) {
        ARROW_ASSIGN_OR_RAISE(auto copy, chunk->CopyTo(memory));
        copies.push_back(std::move(copy));
    }
    ARROW_ASSIGN_OR_RAISE(auto event, ext_dev::RecordEvent(memory));
    if (event != nullptr) ARROW_RETURN_NOT_OK(event->Wait());
    return ChunkedArray::Make(std::move(copies), chunks.type());
}

} // namespace

Result<std::shared_ptr<RecordBatch>> Copied(const RecordBatch &batch,
                                            const std::shared_ptr<MemoryManager> &memory) {
    ARROW_ASSIGN_OR_RAISE(auto copy, batch.CopyTo(memory));
    ARROW_ASSIGN_OR_RAISE(auto event, ext_dev::RecordEvent(memory));
    return RecordBatch::Make(copy->schema(), copy->num_rows(), copy->columns(), std::move(event));
}

Result<std::shared_ptr<RecordBatchReader>> ImportHost(ArrowArrayStream *host,
                                                      std::shared_ptr<MemoryManager> memory) {
    ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportRecordBatchReader(host));
    return std::make_shared<CopyingReader>(std::move(given), std::move(memory));
}

int ProduceStream(Adapter *, ArrowDeviceType type, int64_t id, ArrowArrayStream *host,
                  ArrowDeviceArrayStream *out) {
    return Guarded([&]() -> Status {
        ARROW_ASSIGN_OR_RAISE(auto memory, arrow::DefaultDeviceMemoryMapper(type, id));
        ARROW_ASSIGN_OR_RAISE(bool batches, HasBatches(host));
        if (batches) {
            ARROW_ASSIGN_OR_RAISE(auto reader, ImportHost(host, memory));
            return arrow::ExportDeviceRecordBatchReader(std::move(reader), out);
        }
        ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportChunkedArray(host));
        ARROW_ASSIGN_OR_RAISE(auto copy, CopiedChunks(*given, memory));
        return arrow::ExportDeviceChunkedArray(std::move(copy), memory->device()->device_type(),
                                               out);
    });
}

int ConsumeStream(Adapter *, ArrowDeviceArrayStream *in, ArrowArrayStream *host_out) {
    return Guarded([&]() -> Status {
        auto cpu = arrow::default_cpu_memory_manager();
        ARROW_ASSIGN_OR_RAISE(bool batches, HasBatches(in));
        if (batches) {
            ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportDeviceRecordBatchReader(in));
            return arrow::ExportRecordBatchReader(
                std::make_shared<CopyingReader>(std::move(given), cpu), host_out);
        }
        ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportDeviceChunkedArray(in));
        ARROW_ASSIGN_OR_RAISE(auto copy, CopiedChunks(*given, cpu));
        return arrow::ExportChunkedArray(std::move(copy), host_out);
    });
}

int RelayStream(Adapter *, ArrowDeviceArrayStream *in, ArrowDeviceArrayStream *out) {
    return Guarded([&]() -> Status {
        ARROW_ASSIGN_OR_RAISE(bool batches, HasBatches(in));
        if (batches) {
            ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ImportDeviceRecordBatchReader(in));
            return arrow::ExportDeviceRecordBatchReader(std::move(reader), out);
        }
        auto type = static_cast<arrow::DeviceAllocationType>(in->device_type);
        ARROW_ASSIGN_OR_RAISE(auto chunks, arrow::ImportDeviceChunkedArray(in));
        for (const auto &chunk : chunks->chunks()) // the export has no place for an event
            if (auto event = EventOf(*chunk->data())) ARROW_RETURN_NOT_OK(event->Wait());
        return arrow::ExportDeviceChunkedArray(std::move(chunks), type, out);
    });
}

} // namespace peer
