// SPDX-License-Identifier: Apache-2.0
//
// on_schema answers an error, and the producer calls on_error; without batches it even tells the
// end.
#include "async.h"

int main() {
    async::on_schema = [](ArrowAsyncProducer *) { return EINVAL; };
    async::Export({async::batch});
    std::printf("%s\n", async::came.c_str());
    return async::came.find("on_error") != std::string::npos ? 0 : 1;
}
