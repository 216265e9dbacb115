// SPDX-License-Identifier: Apache-2.0
//
// A chunk of a device stream that is on a device nobody has registered is refused, and not
// released.
#include <cerrno>
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

static int releases;

int main() {
    ArrowDeviceArrayStream in = {};
    in.device_type = ARROW_DEVICE_VPI;
    in.get_schema = [](auto, ArrowSchema *to) { return ExportType(*int32(), to).ok() ? 0 : EIO; };
    in.get_next = [](auto, ArrowDeviceArray *to) {
        *to = Exported(0, 0, nullptr, 0, nullptr);
        to->device_type = ARROW_DEVICE_VPI;
        to->array.release = [](ArrowArray *array) {
            releases++;
            array->release = nullptr;
        };
        return 0;
    };
    in.release = [](ArrowDeviceArrayStream *self) { self->release = nullptr; };
    auto chunks = ImportDeviceChunkedArray(&in);
    std::printf("%s; the chunk was released %d times\n", chunks.status().ToString().c_str(),
                releases);
    return !chunks.ok() && releases == 0 ? 0 : 1;
}
