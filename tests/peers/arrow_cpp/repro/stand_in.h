// SPDX-License-Identifier: Apache-2.0
//
// A device for the programs beside this. Its memory is closed to the CPU: a touch is a SIGSEGV.
// What is written to it comes when somebody waits for the event, as on a queue that runs late.
#ifndef STAND_IN_H
#define STAND_IN_H

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/device.h>

namespace stand_in {

using namespace arrow;

constexpr size_t kBytes = 1 << 20;

struct Memory { // the same pages twice: as the CPU sees them, and as the device does
    int fd = memfd_create("device", 0);
    int grown = ftruncate(fd, kBytes);
    uint8_t *closed = Map(PROT_NONE), *open = Map(PROT_READ | PROT_WRITE);
    size_t used = 0;
    std::vector<std::function<void()>> queued;
    int reads = 0, waits = 0;

    uint8_t *Map(int access) { return (uint8_t *)mmap(nullptr, kBytes, access, MAP_SHARED, fd, 0); }
    uint8_t *Alloc(int64_t size) {
        uint8_t *at = closed + used;
        used += (size + 63) / 64 * 64;
        return at;
    }
    uint8_t *Device(uintptr_t address) { return open + ((const uint8_t *)address - closed); }
    // Queues a write, and says where it goes.
    const void *Write(std::vector<uint8_t> bytes) {
        uint8_t *at = Alloc(bytes.size());
        queued.push_back([=, this] { memcpy(Device((uintptr_t)at), bytes.data(), bytes.size()); });
        return at;
    }
    void Wait() {
        waits++;
        for (auto &work : queued) work();
        queued.clear();
    }
};
inline Memory memory;

struct Event : Device::SyncEvent {
    explicit Event(void *event) : Device::SyncEvent(event, [](void *) {}) {}
    Status Wait() override { return memory.Wait(), Status::OK(); }
    Status Record(const Device::Stream &) override { return Status::OK(); }
};

struct TheDevice : Device {
    const char *type_name() const override { return "stand_in"; }
    std::string ToString() const override { return "stand_in"; }
    bool Equals(const Device &other) const override { return this == &other; }
    int64_t device_id() const override { return 0; }
    DeviceAllocationType device_type() const override { return DeviceAllocationType::kEXT_DEV; }
    std::shared_ptr<MemoryManager> default_memory_manager() override;
};

struct TheMemory : MemoryManager {
    explicit TheMemory(std::shared_ptr<Device> device) : MemoryManager(device) {}
    Result<std::shared_ptr<io::RandomAccessFile>>
    GetBufferReader(std::shared_ptr<Buffer>) override {
        return Status::NotImplemented("reader");
    }
    Result<std::shared_ptr<io::OutputStream>> GetBufferWriter(std::shared_ptr<Buffer>) override {
        return Status::NotImplemented("writer");
    }
    Result<std::unique_ptr<Buffer>> AllocateBuffer(int64_t size) override {
        uint8_t *at = size == 0 ? nullptr : memory.Alloc(size);
        return std::make_unique<MutableBuffer>(at, size, shared_from_this());
    }
    Result<std::shared_ptr<Device::SyncEvent>>
    WrapDeviceSyncEvent(void *event, Device::SyncEvent::release_fn_t) override {
        return std::make_shared<Event>(event);
    }
    // Waits for the event of what it reads, as the memory manager of CUDA does.
    Result<std::shared_ptr<Buffer>>
    CopyBufferTo(const std::shared_ptr<Buffer> &from,
                 const std::shared_ptr<MemoryManager> &to) override {
        if (!to->is_cpu()) return nullptr;
        if (auto event = from->device_sync_event()) ARROW_RETURN_NOT_OK(event->Wait());
        memory.reads++;
        ARROW_ASSIGN_OR_RAISE(auto copy, to->AllocateBuffer(from->size()));
        if (from->size() > 0)
            memcpy(copy->mutable_data(), memory.Device(from->address()), from->size());
        return std::shared_ptr<Buffer>(std::move(copy));
    }
    Result<std::shared_ptr<Buffer>>
    CopyBufferFrom(const std::shared_ptr<Buffer> &from,
                   const std::shared_ptr<MemoryManager> &manager) override {
        if (!manager->is_cpu()) return nullptr;
        ARROW_ASSIGN_OR_RAISE(auto copy, AllocateBuffer(from->size()));
        if (from->size() > 0) memcpy(memory.Device(copy->address()), from->data(), from->size());
        return std::shared_ptr<Buffer>(std::move(copy));
    }
};

inline std::shared_ptr<MemoryManager> TheDevice::default_memory_manager() {
    return std::make_shared<TheMemory>(shared_from_this());
}

// What ImportDeviceArray is given as its mapper.
inline Result<std::shared_ptr<MemoryManager>> Mapper(ArrowDeviceType, int64_t) {
    static auto device = std::make_shared<TheDevice>();
    return device->default_memory_manager();
}

// An array as another library exports it.
inline ArrowDeviceArray Exported(int64_t length, int64_t null_count, const void **buffers,
                                 int64_t n, void *sync_event) {
    ArrowDeviceArray out = {};
    out.array.length = length;
    out.array.null_count = null_count;
    out.array.n_buffers = n;
    out.array.buffers = buffers;
    out.array.release = [](ArrowArray *array) { array->release = nullptr; };
    out.device_type = ARROW_DEVICE_EXT_DEV;
    out.sync_event = sync_event;
    return out;
}

} // namespace stand_in

#endif // STAND_IN_H
