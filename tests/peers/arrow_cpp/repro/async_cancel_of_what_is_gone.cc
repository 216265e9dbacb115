// SPDX-License-Identifier: Apache-2.0
//
// A cancel when the end of the stream is told, which is before the release and so allowed, uses the
// ArrowAsyncProducer that has been freed (async_producer_is_gone.cc). One before the end does not.
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "async.h"

// libarrow frees by these: what is freed is no longer what it was.
void operator delete(void *memory) noexcept {
    if (memory != nullptr) explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}
void operator delete(void *memory, size_t) noexcept {
    operator delete(memory);
}

// How the process ended that cancels at the end, or else at the first task.
static int Cancel(bool at_end) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        async::on_schema = [](ArrowAsyncProducer *producer) {
            producer->request(producer, 2);
            return 0;
        };
        async::on_next_task = [=](ArrowAsyncProducer *producer, ArrowAsyncTask *task) {
            int code = task == nullptr ? 0 : task->extract_data(task, nullptr);
            if ((task == nullptr) == at_end) producer->cancel(producer);
            return code;
        };
        async::Export({async::batch});
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

int main() {
    int with_task = Cancel(false), at_end = Cancel(true);
    std::printf("cancelled with a task: status %d; at the end: signal %d\n", with_task,
                WIFSIGNALED(at_end) ? WTERMSIG(at_end) : 0);
    return with_task == 0 && WIFSIGNALED(at_end) ? 0 : 1;
}
