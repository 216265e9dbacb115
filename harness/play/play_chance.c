/* SPDX-License-Identifier: Apache-2.0
 *
 * No document says when a consumer releases what it has taken over, only that it does: some let go
 * of an array when the next one comes, or when they end. So neither has happened before anybody is
 * told that he never releases.
 */
#include <errno.h>

#include "export.h"
#include "move.h"
#include "play.h"
#include "schema.h"

/* Structures that nobody watches, so that they may be released whenever it pleases. */
struct plain {
    struct ArrowSchema schema, schema_out;
    struct ArrowArray host, copy;
    struct ArrowDeviceArray in, out;
};

static int import(const struct adi_importer *importer, struct plain *plain) {
    struct adi_adapter *adapter = importer->adapter;
    struct adi_device *device = importer->device;
    if (importer->role == ADI_PRODUCES)
        return adapter->produce(adapter, device->ops->type, device->id, &plain->schema,
                                &plain->host, &plain->schema_out, &plain->out);
    if (importer->role == ADI_CONSUMES)
        return adapter->consume(adapter, &plain->schema, &plain->in, &plain->schema_out,
                                &plain->copy);
    return adapter->relay(adapter, &plain->schema, &plain->in, &plain->schema_out, &plain->out);
}

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
        adi_call_enter("import");
        int code = import(importer, &plain);
        adi_call_leave();
        if (code == 0 && plain.schema_out.release != NULL)
            adi_call_release_schema(&plain.schema_out);
        if (code == 0 && plain.copy.release != NULL) adi_call_release_array(&plain.copy);
        if (code == 0 && plain.out.array.release != NULL) adi_call_release_array(&plain.out.array);
    }
    adi_schema_release(&plain.schema);
    adi_array_release(&plain.host);
    adi_device_array_release(&plain.in);
}

void adi_call_close(struct adi_adapter *adapter) {
    adi_call_enter("close");
    if (adapter->close != NULL) adapter->close(adapter);
    adi_call_leave();
}
