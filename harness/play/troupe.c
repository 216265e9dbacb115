/* SPDX-License-Identifier: Apache-2.0 */
#include "troupe.h"

#include <errno.h>

#include "check.h"
#include "compare.h"
#include "move.h"
#include "play.h"
#include "schema.h"

static int refused(struct adi_troupe_context *context, int code) {
    struct adi_adapter *adapter = context->adapter;
    const char *why = NULL;
    if (code != 0 && adapter->last_error != NULL) why = adapter->last_error(adapter);
    return code == 0
               ? 0
               : adi_error_set(&context->performance->error, code, "%s", why == NULL ? "" : why);
}

static int produce(void *context_at, struct ArrowArray *host, struct ArrowDeviceArray *out) {
    struct adi_troupe_context *context = context_at;
    struct adi_performance *p = context->performance;
    struct ArrowSchema schema = {.release = NULL}, schema_out = {.release = NULL};
    ADI_TRY(adi_schema_export(&p->schema, &schema, &p->error));
    adi_guard_enter_implementation();
    int code = context->adapter->produce(context->adapter, p->device->ops->type, p->device->id,
                                         &schema, host, &schema_out, out);
    adi_guard_leave_implementation();
    adi_schema_release(&schema);
    adi_array_release(host);
    if (code != 0) return refused(context, code);
    bool sound = adi_check_array(&p->schema, out, p->device, &p->sink);
    if (schema_out.release != NULL) adi_call_release_schema(&schema_out);
    return sound ? 0 : adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

static int relay(void *context_at, const struct ArrowSchema *type, struct ArrowDeviceArray *in,
                 struct ArrowDeviceArray *out) {
    struct adi_troupe_context *context = context_at;
    struct ArrowSchema schema, schema_out = {.release = NULL};
    ADI_TRY(adi_schema_export(type, &schema, &context->performance->error));
    adi_guard_enter_implementation();
    int code = context->adapter->relay(context->adapter, &schema, in, &schema_out, out);
    adi_guard_leave_implementation();
    adi_schema_release(&schema);
    if (code != 0) return refused(context, code);
    if (schema_out.release != NULL) adi_call_release_schema(&schema_out);
    return 0;
}

static int consume(void *context_at, const struct ArrowSchema *type, struct ArrowDeviceArray *in,
                   const struct ArrowArray *wanted) {
    struct adi_troupe_context *context = context_at;
    struct ArrowSchema schema, schema_out = {.release = NULL};
    struct ArrowArray copy = {.release = NULL};
    struct adi_error why = {""};
    ADI_TRY(adi_schema_export(type, &schema, &context->performance->error));
    adi_guard_enter_implementation();
    int code = context->adapter->consume(context->adapter, &schema, in, &schema_out, &copy);
    adi_guard_leave_implementation();
    adi_schema_release(&schema);
    if (code != 0) return refused(context, code);
    if (adi_array_compare(type, &copy, type, wanted, &why) != 0)
        adi_report(&context->performance->sink, "array/misread", ADI_CONSUMER, NULL, NULL, "%s",
                   why.text);
    if (copy.release != NULL) adi_call_release_array(&copy);
    if (schema_out.release != NULL) adi_call_release_schema(&schema_out);
    return 0;
}

void adi_troupe_cast(struct adi_troupe_context *context, enum adi_part part) {
    context->performance->troupe = (struct adi_troupe){
        .context = context,
        .produce = part == ADI_PART_PRODUCER ? produce : NULL,
        .relay = part == ADI_PART_RELAY ? relay : NULL,
        .consume = part == ADI_PART_CONSUMER ? consume : NULL,
    };
}
