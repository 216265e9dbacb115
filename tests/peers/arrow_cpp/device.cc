// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include <dlfcn.h>

#include "../../../sim/sim.h"

namespace ext_dev {
namespace {

using arrow::Buffer;
using arrow::MemoryManager;
using arrow::Result;
using arrow::Status;

// ---- the engine ----

#define EXT_DEV_FUNCTIONS(F)                                                                       \
    F(context_open)                                                                                \
    F(context_close)                                                                               \
    F(queue_create)                                                                                \
    F(queue_destroy)                                                                               \
    F(queue_sync)                                                                                  \
    F(alloc)                                                                                       \
    F(free_on)                                                                                     \
    F(copy)                                                                                        \
    F(event_create)                                                                                \
    F(event_destroy)                                                                               \
    F(event_record)                                                                                \
    F(event_wait)                                                                                  \
    F(event_sync)

struct Engine {
#define MEMBER(name) decltype(&adi_sim_##name) name;
    EXT_DEV_FUNCTIONS(MEMBER)
#undef MEMBER
};

Engine engine; // one a process
bool engine_is_loaded = false;

Status Load(const char *path) {
    if (engine_is_loaded) return Status::OK();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return Status::IOError(dlerror());
#define FIND(name)                                                                                 \
    engine.name = reinterpret_cast<decltype(engine.name)>(dlsym(library, "adi_sim_" #name));       \
    if (engine.name == nullptr) return Status::IOError(path, " has no adi_sim_" #name);
    EXT_DEV_FUNCTIONS(FIND)
#undef FIND
    engine_is_loaded = true;
    return Status::OK();
}

// Of what a function of the engine returned.
Status Checked(int code, const char *function) {
    if (code == 0) return Status::OK();
    if (code == ENOMEM) return Status::OutOfMemory(function);
    return Status::IOError(function, ": ", std::strerror(code));
}

#define SIM(function, ...) Checked(engine.function(__VA_ARGS__), "adi_sim_" #function)

// ---- stream and event ----

// get_raw() is the adi_sim_queue.
class Stream : public arrow::Device::Stream {
  public:
    Stream(adi_sim_queue queue, release_fn_t release)
        : arrow::Device::Stream(queue, std::move(release)) {}
    adi_sim_queue queue() const { return static_cast<adi_sim_queue>(stream_.get()); }

    Status WaitEvent(const arrow::Device::SyncEvent &event) override;
    Status Synchronize() const override { return SIM(queue_sync, queue()); }
};

// get_raw() points to an adi_sim_event.
class SyncEvent : public arrow::Device::SyncEvent {
  public:
    SyncEvent(void *event, release_fn_t release)
        : arrow::Device::SyncEvent(event, std::move(release)) {}
    adi_sim_event event() const { return *static_cast<adi_sim_event *>(sync_event_.get()); }

    Status Wait() override { return SIM(event_sync, event()); }
    Status Record(const arrow::Device::Stream &on) override {
        auto stream = dynamic_cast<const Stream *>(&on);
        if (stream == nullptr) return Status::Invalid("the stream of another device");
        return SIM(event_record, event(), stream->queue());
    }
};

Status Stream::WaitEvent(const arrow::Device::SyncEvent &on) {
    auto event = dynamic_cast<const SyncEvent *>(&on);
    if (event == nullptr) return Status::Invalid("the event of another device");
    return SIM(event_wait, queue(), event->event());
}

// ---- device ----

class Device : public arrow::Device {
  public:
    static Result<std::shared_ptr<Device>> Open(int64_t id) {
        if (id < 0 || id >= ADI_SIM_DEVICES) return Status::Invalid("there is no ext_dev:", id);
        adi_sim_context context;
        ARROW_RETURN_NOT_OK(SIM(context_open, "ext_dev", static_cast<int>(id), &context));
        std::shared_ptr<Device> device(new Device(id, context));
        ARROW_ASSIGN_OR_RAISE(device->stream_, device->MakeStream(0));
        return device;
    }

    ~Device() override {
        stream_.reset();
        engine.context_close(context_);
    }

    const char *type_name() const override { return kTypeName; }
    std::string ToString() const override { return "ext_dev:" + std::to_string(id_); }
    bool Equals(const arrow::Device &other) const override {
        return std::strcmp(other.type_name(), kTypeName) == 0 && other.device_id() == id_;
    }
    int64_t device_id() const override { return id_; }
    arrow::DeviceAllocationType device_type() const override {
        return arrow::DeviceAllocationType::kEXT_DEV;
    }
    std::shared_ptr<MemoryManager> default_memory_manager() override;

    Result<std::shared_ptr<arrow::Device::Stream>> MakeStream(unsigned int flags) override {
        adi_sim_queue queue;
        ARROW_RETURN_NOT_OK(SIM(queue_create, context_, flags, &queue));
        return WrapStream(
            queue, [](void *made) { engine.queue_destroy(static_cast<adi_sim_queue>(made)); });
    }

    Result<std::shared_ptr<arrow::Device::Stream>>
    WrapStream(void *queue, arrow::Device::Stream::release_fn_t release) override {
        if (!release) release = [](void *) {};
        return std::make_shared<ext_dev::Stream>(static_cast<adi_sim_queue>(queue),
                                                 std::move(release));
    }

    adi_sim_context context() const { return context_; }
    // That memory managers copy on, and free in the order of.
    const arrow::Device::Stream &stream() const { return *stream_; }
    adi_sim_queue queue() const { return static_cast<const ext_dev::Stream &>(*stream_).queue(); }

  private:
    static constexpr char kTypeName[] = "ext_dev::Device";

    Device(int64_t id, adi_sim_context context) : id_(id), context_(context) {}

    const int64_t id_;
    const adi_sim_context context_;
    std::shared_ptr<arrow::Device::Stream> stream_;
};

// ---- memory ----

std::atomic<int64_t> bytes_allocated{0};

// Owns its memory, and gives it back behind all that its device's stream has to do with it.
class DeviceBuffer : public arrow::MutableBuffer {
  public:
    using arrow::MutableBuffer::MutableBuffer;
    ~DeviceBuffer() override {
        if (data_ == nullptr) return;
        auto &device = static_cast<const Device &>(*memory_manager()->device());
        engine.free_on(device.queue(), const_cast<uint8_t *>(data_));
        bytes_allocated -= size_;
    }
};

class DeviceMemory : public MemoryManager {
  public:
    explicit DeviceMemory(const std::shared_ptr<arrow::Device> &device) : MemoryManager(device) {}

    const Device &ext_device() const { return static_cast<const Device &>(*device_); }

    Result<std::shared_ptr<arrow::io::RandomAccessFile>>
    GetBufferReader(std::shared_ptr<Buffer>) override {
        return Status::NotImplemented("a reader of ", device_->ToString());
    }

    Result<std::shared_ptr<arrow::io::OutputStream>>
    GetBufferWriter(std::shared_ptr<Buffer>) override {
        return Status::NotImplemented("a writer of ", device_->ToString());
    }

    Result<std::unique_ptr<Buffer>> AllocateBuffer(int64_t size) override {
        void *data = nullptr;
        if (size > 0)
            ARROW_RETURN_NOT_OK(SIM(alloc, ext_device().context(), ADI_SIM_DEVICE,
                                    static_cast<size_t>(size), &data));
        bytes_allocated += size;
        return std::make_unique<DeviceBuffer>(static_cast<uint8_t *>(data), size,
                                              shared_from_this());
    }

    Result<std::shared_ptr<arrow::Device::SyncEvent>> MakeDeviceSyncEvent() override {
        auto event = std::make_unique<adi_sim_event>();
        ARROW_RETURN_NOT_OK(SIM(event_create, ext_device().context(), event.get()));
        return WrapDeviceSyncEvent(event.release(), [](void *made) {
            auto own = static_cast<adi_sim_event *>(made);
            engine.event_destroy(*own);
            delete own;
        });
    }

    Result<std::shared_ptr<arrow::Device::SyncEvent>>
    WrapDeviceSyncEvent(void *event, arrow::Device::SyncEvent::release_fn_t release) override {
        if (!release) release = [](void *) {};
        return std::make_shared<SyncEvent>(event, std::move(release));
    }

  protected:
    Result<std::shared_ptr<Buffer>>
    CopyBufferFrom(const std::shared_ptr<Buffer> &source,
                   const std::shared_ptr<MemoryManager> &from) override {
        return CopyNonOwnedFrom(*source, from);
    }

    Result<std::shared_ptr<Buffer>>
    CopyBufferTo(const std::shared_ptr<Buffer> &source,
                 const std::shared_ptr<MemoryManager> &to) override {
        return CopyNonOwnedTo(*source, to);
    }

    // The engine has read the memory of the CPU when it returns; it has not written the device's.
    Result<std::unique_ptr<Buffer>>
    CopyNonOwnedFrom(const Buffer &source, const std::shared_ptr<MemoryManager> &from) override {
        if (!from->is_cpu()) return nullptr;
        ARROW_ASSIGN_OR_RAISE(auto copy, AllocateBuffer(source.size()));
        ARROW_RETURN_NOT_OK(Copy(copy->mutable_address(), source.address(), source.size(), 0));
        return copy;
    }

    Result<std::unique_ptr<Buffer>>
    CopyNonOwnedTo(const Buffer &source, const std::shared_ptr<MemoryManager> &to) override {
        if (!to->is_cpu()) return nullptr;
        if (auto event = source.device_sync_event()) ARROW_RETURN_NOT_OK(event->Wait());
        ARROW_ASSIGN_OR_RAISE(auto copy, to->AllocateBuffer(source.size()));
        ARROW_RETURN_NOT_OK(
            Copy(copy->mutable_address(), source.address(), source.size(), ADI_SIM_WAIT));
        return copy;
    }

  private:
    Status Copy(uintptr_t to, uintptr_t from, int64_t bytes, unsigned flags) {
        if (bytes == 0) return Status::OK();
        return SIM(copy, ext_device().queue(), reinterpret_cast<void *>(to),
                   reinterpret_cast<const void *>(from), static_cast<size_t>(bytes), flags);
    }
};

std::shared_ptr<MemoryManager> Device::default_memory_manager() {
    return std::make_shared<DeviceMemory>(shared_from_this());
}

// ---- which devices there are ----

const struct adi_host *the_host = nullptr;
std::map<int64_t, std::shared_ptr<Device>> devices;

// The host knows the library by the device of the case alone; the others are found in it, too.
Status FindEngine(int64_t id) {
    if (engine_is_loaded) return Status::OK();
    auto path = the_host == nullptr
                    ? nullptr
                    : the_host->get(the_host, ARROW_DEVICE_EXT_DEV, id, "ext_dev.library");
    if (path == nullptr) return Status::Invalid("there is no ext_dev:", id);
    return Load(static_cast<const char *>(path));
}

Result<std::shared_ptr<MemoryManager>> Find(int64_t id) {
    auto &device = devices[id];
    if (device == nullptr) {
        ARROW_RETURN_NOT_OK(FindEngine(id));
        ARROW_ASSIGN_OR_RAISE(device, Device::Open(id));
    }
    return device->default_memory_manager();
}

} // namespace

Status Register(const struct adi_host *host) {
    static const Status registered =
        arrow::RegisterDeviceMapper(arrow::DeviceAllocationType::kEXT_DEV, Find);
    the_host = host;
    return registered;
}

void Forget() {
    devices.clear();
    the_host = nullptr;
}

Result<std::shared_ptr<arrow::Device::SyncEvent>>
RecordEvent(const std::shared_ptr<MemoryManager> &memory) {
    if (memory->is_cpu()) return nullptr;
    ARROW_ASSIGN_OR_RAISE(auto event, memory->MakeDeviceSyncEvent());
    ARROW_RETURN_NOT_OK(event->Record(static_cast<const Device &>(*memory->device()).stream()));
    return event;
}

int64_t BytesAllocated() {
    return bytes_allocated;
}

} // namespace ext_dev
