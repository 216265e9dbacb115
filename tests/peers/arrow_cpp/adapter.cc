// SPDX-License-Identifier: Apache-2.0
//
// Shows Arrow C++ to adicheck: libarrow and its headers as they come in the pyarrow wheel, on the
// CPU, and on EXT_DEV by a device of one's own (device.h). A field is imported and exported, not
// only its type, so that names, flags and metadata are Arrow's to keep or to lose; an array is
// exported straight into the structure that the harness gave, so that what Arrow does not write
// stays visible.
#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "device.h"
#include "peer.h"

namespace {

using peer::Adapter;
using peer::EventOf;
using peer::Guarded;

std::string last_error_text;

int Fail(const arrow::Status &status) {
    last_error_text = status.ToString();
    switch (status.code()) {
    case arrow::StatusCode::OutOfMemory:
        return ENOMEM;
    case arrow::StatusCode::NotImplemented:
        return ENOTSUP;
    case arrow::StatusCode::IOError:
        return EIO;
    default:
        return EINVAL;
    }
}

} // namespace

int peer::Guarded(const std::function<arrow::Status()> &call) {
    arrow::Status status;
    try {
        status = call();
    } catch (const std::bad_alloc &) {
        status = arrow::Status::OutOfMemory("an allocation failed");
    } catch (const std::exception &error) {
        status = arrow::Status::UnknownError(error.what());
    }
    return status.ok() ? 0 : Fail(status);
}

std::shared_ptr<arrow::Device::SyncEvent> peer::EventOf(const arrow::ArrayData &data) {
    for (const auto &buffer : data.buffers)
        if (buffer != nullptr && buffer->device_sync_event() != nullptr)
            return buffer->device_sync_event();
    for (const auto &child : data.child_data)
        if (auto event = EventOf(*child)) return event;
    return data.dictionary == nullptr ? nullptr : EventOf(*data.dictionary);
}

namespace {

// Exports the field beside an array that has been exported already: both, or neither.
arrow::Status ExportFieldBeside(const arrow::Field &field, ArrowSchema *schema, ArrowArray *array) {
    arrow::Status status = arrow::ExportField(field, schema);
    if (!status.ok()) array->release(array);
    return status;
}

unsigned Roles(Adapter *, ArrowDeviceType type, int64_t) {
    bool has = type == ARROW_DEVICE_CPU || type == ARROW_DEVICE_EXT_DEV;
    unsigned arrays = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS;
    return has ? arrays | peer::kStreamRoles | peer::kAsyncRoles : 0;
}

int Open(Adapter *, const adi_host *host) {
    return Guarded([&] { return ext_dev::Register(host); });
}

void Close(Adapter *) {
    ext_dev::Forget();
}

int Produce(Adapter *self, ArrowDeviceType type, int64_t id, ArrowSchema *schema, ArrowArray *host,
            ArrowSchema *schema_out, ArrowDeviceArray *out) {
    return Guarded([&]() -> arrow::Status {
        if (Roles(self, type, id) == 0) return arrow::Status::NotImplemented("device type ", type);
        ARROW_ASSIGN_OR_RAISE(auto memory, arrow::DefaultDeviceMemoryMapper(type, id));
        ARROW_ASSIGN_OR_RAISE(auto field, arrow::ImportField(schema));
        ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportArray(host, field->type()));
        ARROW_ASSIGN_OR_RAISE(auto array, given->CopyTo(memory));
        ARROW_ASSIGN_OR_RAISE(auto event, ext_dev::RecordEvent(memory));
        ARROW_RETURN_NOT_OK(arrow::ExportDeviceArray(*array, event, out));
        return ExportFieldBeside(*field, schema_out, &out->array);
    });
}

int Consume(Adapter *, ArrowSchema *schema, ArrowDeviceArray *in, ArrowSchema *schema_out,
            ArrowArray *host_out) {
    return Guarded([&]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(auto field, arrow::ImportField(schema));
        ARROW_ASSIGN_OR_RAISE(auto given, arrow::ImportDeviceArray(in, field->type()));
        ARROW_ASSIGN_OR_RAISE(auto array, given->CopyTo(arrow::default_cpu_memory_manager()));
        ARROW_RETURN_NOT_OK(arrow::ExportArray(*array, host_out));
        return ExportFieldBeside(*field, schema_out, host_out);
    });
}

int Relay(Adapter *, ArrowSchema *schema, ArrowDeviceArray *in, ArrowSchema *schema_out,
          ArrowDeviceArray *out) {
    return Guarded([&]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(auto field, arrow::ImportField(schema));
        ARROW_ASSIGN_OR_RAISE(auto array, arrow::ImportDeviceArray(in, field->type()));
        ARROW_RETURN_NOT_OK(arrow::ExportDeviceArray(*array, EventOf(*array->data()), out));
        return ExportFieldBeside(*field, schema_out, &out->array);
    });
}

int64_t BytesAllocated(Adapter *) {
    return arrow::default_memory_pool()->bytes_allocated() + ext_dev::BytesAllocated();
}

const char *LastError(Adapter *) {
    return last_error_text.c_str();
}

} // namespace

Adapter *adi_adapter(void) {
    static Adapter adapter = {};
    adapter.size = sizeof adapter;
    adapter.version = ADI_ADAPTER_VERSION;
    adapter.name = "Arrow C++";
    adapter.release_name = arrow::GetBuildInfo().version_string.c_str();
    adapter.roles = Roles;
    adapter.open = Open;
    adapter.close = Close;
    adapter.produce = Produce;
    adapter.consume = Consume;
    adapter.relay = Relay;
    adapter.produce_stream = peer::ProduceStream;
    adapter.consume_stream = peer::ConsumeStream;
    adapter.relay_stream = peer::RelayStream;
    adapter.async_layout = peer::kAsyncLayout;
    adapter.produce_async = peer::ProduceAsync;
    adapter.consume_async = peer::ConsumeAsync;
    adapter.consume_async_finish = peer::ConsumeAsyncFinish;
    adapter.bytes_allocated = BytesAllocated;
    adapter.last_error = LastError;
    return &adapter;
}
