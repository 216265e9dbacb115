// SPDX-License-Identifier: Apache-2.0
//
// EXT_DEV as a device of Arrow C++, in the manner of arrow/gpu: arrow::Device, its MemoryManager,
// Buffer, Stream and SyncEvent over adicheck's simulation (docs/simulation.md). A memory manager
// copies from the CPU on the stream of its device, without a wait, and waits for the event of what
// it copies to the CPU.
#ifndef ARROW_CPP_DEVICE_H
#define ARROW_CPP_DEVICE_H

#include <cstdint>
#include <memory>

#include <arrow/api.h>
#include <arrow/device.h>

#include "adapter.h"

namespace ext_dev {

// Registers the devices of EXT_DEV with Arrow, once a process. They are opened when they are first
// asked for, with the library that `host` names.
arrow::Status Register(const struct adi_host *host);

// Forgets the devices and the host. A device that an array still uses is closed with that array.
void Forget();

// An event that stands for all that was copied to this memory so far; null if it is the CPU's.
arrow::Result<std::shared_ptr<arrow::Device::SyncEvent>>
RecordEvent(const std::shared_ptr<arrow::MemoryManager> &memory);

// The bytes that are allocated on all devices.
int64_t BytesAllocated();

} // namespace ext_dev

#endif // ARROW_CPP_DEVICE_H
