// SPDX-License-Identifier: Apache-2.0
//
// A batch that cannot be exported, since its columns are on two devices: extract_data answers 0,
// and has written nothing.
#include "async.h"
#include "stand_in.h"

int main() {
    int answer = -1;
    ArrowDeviceArray out;
    out.array.release = nullptr;
    auto here = arrow::MakeArrayFromScalar(arrow::Int32Scalar(7), 3).ValueOrDie();
    auto there = here->CopyTo(stand_in::Mapper(0, 0).ValueOrDie()).ValueOrDie();
    auto fields = arrow::schema(
        {arrow::field("here", arrow::int32()), arrow::field("there", arrow::int32())});
    async::on_schema = [](ArrowAsyncProducer *producer) {
        producer->request(producer, 1);
        return 0;
    };
    async::on_next_task = [&](ArrowAsyncProducer *, ArrowAsyncTask *task) {
        if (task != nullptr) answer = task->extract_data(task, &out);
        return 0;
    };
    async::Export({arrow::RecordBatch::Make(fields, 3, {here, there})});
    std::printf("extract_data answered %d, release is %p; %s\n", answer, (void *)out.array.release,
                async::came.c_str());
    return answer == 0 && out.array.release == nullptr ? 0 : 1;
}
