// SPDX-License-Identifier: Apache-2.0
//
// An array on a device whose null count is -1 ("not computed yet") ends the process: the null count
// is computed by Buffer::data(), which is NULL for a buffer that is not the CPU's.
#include <cstdio>

#include <sys/wait.h>

#include "stand_in.h"

using namespace stand_in;

static const void *buffers[] = {memory.Write({0x05}), memory.Write(std::vector<uint8_t>(12))};

static void Export() {
    ArrowDeviceArray in = Exported(3, -1, buffers, 2, nullptr), out;
    auto array = ImportDeviceArray(&in, int32(), Mapper).ValueOrDie();
    (void)ExportDeviceArray(*array, nullptr, &out);
}

static void ImportBatch() {
    ArrowDeviceArray child = Exported(3, 0, buffers, 2, nullptr), in = child;
    ArrowArray *children[] = {&child.array};
    in.array.null_count = -1;
    in.array.n_buffers = 1;
    in.array.n_children = 1;
    in.array.children = children;
    (void)ImportDeviceRecordBatch(&in, schema({field("f0", int32())}), Mapper);
}

static bool Crashes(const char *what, void (*function)()) {
    int status = 0;
    if (fork() == 0) _exit((function(), 0));
    wait(&status);
    std::printf("%s: %s\n", what, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no signal");
    return WIFSIGNALED(status);
}

int main() {
    memory.Wait();
    bool shown = Crashes("ExportDeviceArray", Export);
    return Crashes("ImportDeviceRecordBatch", ImportBatch) && shown ? 0 : 1;
}
