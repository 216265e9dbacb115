/* SPDX-License-Identifier: Apache-2.0
 *
 * No document says when a consumer releases what it has taken over, only that it does: some let go
 * of an array when the next one comes, or when they end. So neither has happened before anybody is
 * told that he never releases.
 */

#include "export.h"
#include "move.h"
#include "play.h"

/* Structures that nobody watches, so that they may be released whenever it pleases. */
struct plain {
    struct ArrowSchema schema, schema_out;
    struct ArrowArray host, copy;
    struct ArrowDeviceArray in, out;
};

static int make(const struct adi_importer *importer, struct plain *plain) {
    struct adi_device *device = importer->device;
    ADI_TRY(adi_sample(importer->type, importer->shape, importer->seed, &plain->schema,
                       &plain->host, NULL));
    if (importer->role == ADI_PRODUCES) return 0;
    ADI_TRY(adi_produce(device, &plain->schema, &plain->host, &plain->in, NULL));
    return plain->in.sync_event == NULL
               ? 0
               : device->ops->wait_host(device, plain->in.sync_event, NULL);
}

void adi_import_once_more(const struct adi_importer *importer) {
    struct plain plain = {.schema.release = NULL};
    if (make(importer, &plain) == 0) {
        const struct adi_call call = {.adapter = importer->adapter,
                                      .device = importer->device,
                                      .role = importer->role,
                                      .schema = &plain.schema,
                                      .schema_out = &plain.schema_out,
                                      .host = &plain.host,
                                      .copy = &plain.copy,
                                      .in = &plain.in,
                                      .out = &plain.out};
        int code = adi_call("import", &call);
        if (code == 0 && plain.schema_out.release != NULL)
            adi_call_release_schema(&plain.schema_out);
        if (code == 0 && plain.copy.release != NULL) adi_call_release_array(&plain.copy);
        if (code == 0 && plain.out.array.release != NULL) adi_call_release_array(&plain.out.array);
    }
    adi_schema_release(&plain.schema);
    adi_array_release(&plain.host);
    adi_device_array_release(&plain.in);
}
