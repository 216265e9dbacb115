// SPDX-License-Identifier: Apache-2.0
//
// An array that has no buffers is exported as one of the CPU, whatever device the caller had it
// from, and with the event that the caller gave: on a type without events `sync_event` "should
// always be null", says the C Device data interface.
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

int main() {
    int event = 0;
    auto given = std::make_shared<Event>(&event);
    ArrowDeviceArray out;
    if (!ExportDeviceArray(NullArray(3), given, &out).ok()) return 1;
    std::printf("device type %d, sync_event %s\n", out.device_type,
                out.sync_event == &event ? "the one that was given" : "another");
    bool shown = out.device_type == ARROW_DEVICE_CPU && out.sync_event == &event;
    out.array.release(&out.array);
    return shown ? 0 : 1;
}
