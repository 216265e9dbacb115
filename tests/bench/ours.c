/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#include "devices.h"
#include "export.h"
#include "import.h"
#include "move.h"

static struct adi_device cpu;
static struct ArrowSchema type;
static struct ArrowArray source;

static int begin(struct ArrowSchema *schema, struct ArrowArray *batch) {
    adi_schema_move(schema, &type);
    adi_array_move(batch, &source);
    return adi_device_cpu.open(-1, &cpu, NULL);
}

static void end(void) {
    cpu.ops->close(&cpu);
    adi_schema_release(&type);
    adi_array_release(&source);
}

static int export_release(void) {
    struct ArrowDeviceArray out = {.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    ADI_TRY(adi_export(&source, (struct adi_owner){NULL, NULL}, &out.array, NULL));
    out.array.release(&out.array);
    return 0;
}

static int import_release(struct ArrowDeviceArray *in) {
    struct ArrowDeviceArray taken;
    ADI_TRY(adi_import(&cpu, &type, in, &taken, NULL));
    taken.array.release(&taken.array);
    return 0;
}

static int stream(int64_t chunks) {
    return adi_bench_ours_stream(&cpu, &type, &source, chunks);
}

static int stream_async(int64_t chunks) {
    return adi_bench_ours_stream_async(&cpu, &type, &source, chunks);
}

const struct adi_bench_peer adi_bench_ours = {
    .name = "adicheck",
    .version = ADI_VERSION,
    .begin = begin,
    .end = end,
    .export_release = export_release,
    .import_release = import_release,
    .stream = stream,
    .stream_async = stream_async,
};
