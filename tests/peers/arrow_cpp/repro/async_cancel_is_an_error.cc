// SPDX-License-Identifier: Apache-2.0
//
// A consumer that cancels is told of an error.
#include "async.h"

int main() {
    async::on_schema = [](ArrowAsyncProducer *producer) {
        producer->request(producer, 1);
        producer->cancel(producer);
        return 0;
    };
    async::Export({async::batch, async::batch});
    std::printf("%s\n", async::came.c_str());
    return async::came.find("on_error") != std::string::npos ? 0 : 1;
}
