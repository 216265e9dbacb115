// SPDX-License-Identifier: Apache-2.0
//
// request(-1) is taken for 2^64 - 1 batches. (request(0) is taken for none, and waited on.)
#include "async.h"

int main() {
    async::on_schema = [](ArrowAsyncProducer *producer) {
        producer->request(producer, -1);
        return 0;
    };
    async::Export({async::batch, async::batch, async::batch});
    std::printf("%s\n", async::came.c_str());
    return async::came.find("on_error") == std::string::npos ? 0 : 1;
}
