// SPDX-License-Identifier: Apache-2.0
//
// What came is requested anew when it is read, also when the handler was released long ago, and the
// producer with it.
#include "async.h"

int main() {
    auto stream = async::Import(2, 0).result().ValueOrDie();
    auto first = stream.generator().result().ValueOrDie();
    auto second = stream.generator().result().ValueOrDie();
    std::printf("%s\n", async::came.c_str());
    auto released = async::came.find("(released)");
    return async::came.find("request", released) != std::string::npos ? 0 : 1;
}
