// SPDX-License-Identifier: Apache-2.0
//
// The ArrowAsyncProducer has been freed when the end of the stream is told, and before the release.
#include <cstdlib>
#include <malloc.h>

#include "async.h"

static void *producer;
static bool is_freed;

// libarrow frees by this one.
void operator delete(void *memory) noexcept {
    size_t offset = (char *)producer - (char *)memory;
    if (memory != nullptr && producer != nullptr) is_freed |= offset < malloc_usable_size(memory);
    free(memory);
}
void operator delete(void *memory, size_t) noexcept {
    operator delete(memory);
}

int main() {
    bool was_freed = false;
    async::on_schema = [](ArrowAsyncProducer *given) {
        producer = given;
        given->request(given, 2);
        return 0;
    };
    async::on_next_task = [&](ArrowAsyncProducer *, ArrowAsyncTask *task) {
        if (task != nullptr) return task->extract_data(task, nullptr);
        was_freed = is_freed;
        return 0;
    };
    async::Export({async::batch});
    std::printf("%s; on_next_task(NULL) came when the producer was %s\n", async::came.c_str(),
                was_freed ? "gone" : "there");
    return was_freed ? 0 : 1;
}
