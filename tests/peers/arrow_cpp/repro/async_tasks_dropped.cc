// SPDX-License-Identifier: Apache-2.0
//
// After an error the tasks that are queued are dropped: extract_data is not called for them. So it
// is where nobody reads the stream to its end, and then nothing is cancelled either.
#include "async.h"

int main() {
    {
        auto stream = async::Import(3, EIO).result().ValueOrDie();
        std::printf("the first batch: %s\n",
                    stream.generator().result().status().ToString().c_str());
    }
    int after_error = async::extracted;
    { auto dropped = async::Import(3, 0).result().ValueOrDie(); }
    std::printf("3 tasks and an error: %d extracted; 3 tasks that nobody reads: %d\n%s\n",
                after_error, async::extracted - after_error, async::came.c_str());
    return after_error == 0 ? 0 : 1;
}
