/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"
#include "stream_whole.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "last_error.h"
#include "move.h"
#include "shape.h"

/* ---- producing ---- */

struct produced {
    struct ArrowArrayStream in;
    struct ArrowSchema schema; /* released: not known yet */
    uint64_t at;               /* of the chunk that is next */
    struct adi_last_error last;
    struct adi_last_error failed; /* get_next goes no further */
    struct adi_device *const *devices;
    const struct adi_chunk_plan *chunks;
    size_t n_chunks;
};

/* A consumer may ask for chunks without having asked for the schema. */
static int know_schema(struct produced *stream) {
    if (stream->schema.release != NULL) return 0;
    struct ArrowSchema schema;
    int code = stream->in.get_schema(&stream->in, &schema);
    if (code != 0) return adi_last_error_of_stream(&stream->in, code, &stream->last);
    adi_schema_move(&schema, &stream->schema);
    return 0;
}

static int produced_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct produced *stream = self->private_data;
    struct ArrowSchema schema;
    adi_last_error_clear(&stream->last);
    int code = stream->in.get_schema(&stream->in, &schema);
    if (code != 0) return adi_last_error_of_stream(&stream->in, code, &stream->last);
    adi_schema_move(&schema, out);
    return 0;
}

/* Makes of a pending chunk what its plan says. */
static int settle(struct adi_device *device, enum adi_chunk_event event,
                  struct ArrowDeviceArray *chunk, struct adi_error *error) {
    if (event == ADI_CHUNK_PENDING) return 0;
    ADI_TRY(device->ops->wait_host(device, chunk->sync_event, error));
    if (event == ADI_CHUNK_WITHOUT_EVENT) chunk->sync_event = NULL;
    return 0;
}

static int produce_chunk(struct produced *stream, struct ArrowArray *host,
                         struct ArrowDeviceArray *out, struct adi_error *error) {
    struct ArrowDeviceArray chunk;
    struct adi_chunk_plan plan = {0, ADI_CHUNK_PENDING};
    if (stream->n_chunks > 0) plan = stream->chunks[stream->at % stream->n_chunks];
    struct adi_device *device = stream->devices[plan.device];
    ADI_TRY(adi_shape_check(&stream->schema, host, error));
    ADI_TRY(adi_produce(device, &stream->schema, host, &chunk, error));
    int code = settle(device, plan.event, &chunk, error);
    if (code != 0) {
        adi_device_array_release(&chunk);
        return code;
    }
    adi_device_array_move(&chunk, out);
    stream->at++;
    return 0;
}

static int next_produced(struct produced *stream, struct ArrowDeviceArray *out) {
    struct ArrowArray host;
    struct adi_error error = {""};
    int code = know_schema(stream);
    if (code != 0) return code;
    code = stream->in.get_next(&stream->in, &host);
    if (code != 0) return adi_last_error_of_stream(&stream->in, code, &stream->last);
    if (host.release == NULL) {
        *out = (struct ArrowDeviceArray){.array = {.release = NULL}};
        return 0;
    }
    code = produce_chunk(stream, &host, out, &error);
    if (code == 0) return 0;
    adi_array_release(&host);
    return adi_last_error_set(&stream->last, code, error.text);
}

static int produced_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct produced *stream = self->private_data;
    const struct adi_last_error *failed = &stream->failed;
    adi_last_error_clear(&stream->last);
    if (failed->code != 0) return adi_last_error_set(&stream->last, failed->code, failed->text);
    int code = next_produced(stream, out);
    return code == 0 ? 0 : adi_last_error_set(&stream->failed, code, stream->last.text);
}

static const char *produced_error(struct ArrowDeviceArrayStream *self) {
    return ((struct produced *)self->private_data)->last.text;
}

static void produced_release(struct ArrowDeviceArrayStream *self) {
    struct produced *stream = self->private_data;
    adi_array_stream_release(&stream->in);
    adi_schema_release(&stream->schema);
    adi_last_error_clear(&stream->last);
    adi_last_error_clear(&stream->failed);
    free(stream);
    self->release = NULL;
}

static int check_plan(const struct adi_stream_plan *plan, struct adi_error *error) {
    ArrowDeviceType type = plan->devices[0]->ops->type;
    for (size_t i = 1; i < plan->n_devices; i++)
        if (plan->devices[i]->ops->type != type)
            return adi_error_set(error, EINVAL, "device %zu is a %s, the first is a %s", i,
                                 plan->devices[i]->ops->name, plan->devices[0]->ops->name);
    for (size_t i = 0; i < plan->n_chunks; i++)
        if (plan->chunks[i].device >= plan->n_devices)
            return adi_error_set(error, EINVAL, "row %zu names device %zu of %zu", i,
                                 plan->chunks[i].device, plan->n_devices);
    return 0;
}

int adi_stream_produce(const struct adi_stream_plan *plan, struct ArrowArrayStream *in,
                       struct ArrowDeviceArrayStream *out, struct adi_error *error) {
    ADI_TRY(adi_host_stream_check(in, error));
    ADI_TRY(check_plan(plan, error));
    size_t devices_bytes = plan->n_devices * sizeof *plan->devices;
    size_t chunks_bytes = plan->n_chunks * sizeof *plan->chunks;
    struct produced *stream = malloc(sizeof *stream + devices_bytes + chunks_bytes);
    if (stream == NULL) return adi_error_set(error, ENOMEM, "no memory for a stream");
    char *devices = (char *)(stream + 1), *chunks = devices + devices_bytes;
    memcpy(devices, plan->devices, devices_bytes);
    if (chunks_bytes > 0) memcpy(chunks, plan->chunks, chunks_bytes);
    *stream = (struct produced){.devices = (struct adi_device *const *)(void *)devices,
                                .chunks = (const struct adi_chunk_plan *)(void *)chunks,
                                .n_chunks = plan->n_chunks};
    adi_array_stream_move(in, &stream->in);
    *out = (struct ArrowDeviceArrayStream){plan->devices[0]->ops->type,
                                           produced_schema,
                                           produced_next,
                                           produced_error,
                                           produced_release,
                                           stream};
    return 0;
}
