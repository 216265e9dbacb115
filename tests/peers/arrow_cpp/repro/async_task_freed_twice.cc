// SPDX-License-Identifier: Apache-2.0
//
// on_next_task gives its task up, by extract_data with NULL, and answers an error: the producer
// frees the task again. A task that was left alone is freed once, and on_error is called.
#include <sys/wait.h>
#include <unistd.h>

#include "async.h"

int main() {
    async::on_schema = [](ArrowAsyncProducer *producer) {
        producer->request(producer, 2);
        return 0;
    };
    async::on_next_task = [](ArrowAsyncProducer *, ArrowAsyncTask *) { return EIO; };
    async::Export({async::batch});
    std::printf("left alone: %s\n", async::came.c_str());
    std::fflush(stdout);

    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        async::on_next_task = [](ArrowAsyncProducer *, ArrowAsyncTask *task) {
            task->extract_data(task, nullptr);
            return EIO;
        };
        async::Export({async::batch});
        _exit(0);
    }
    waitpid(child, &status, 0);
    std::printf("given up: the process died of signal %d\n", WTERMSIG(status));
    return WIFSIGNALED(status) && async::came.find("on_error") != std::string::npos ? 0 : 1;
}
