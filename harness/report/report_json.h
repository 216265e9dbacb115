/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of JSON share.
 */
#ifndef ADI_REPORT_JSON_H
#define ADI_REPORT_JSON_H

#include <jansson.h>

#include "report.h"

/* An object under construction. A failure sticks, and the object is freed at the end. */
struct adi_json {
    json_t *object;
    int failed;
};

struct adi_json adi_json_begin(void);
void adi_json_text(struct adi_json *json, const char *key, const char *text); /* made clean */
void adi_json_number(struct adi_json *json, const char *key, int64_t value);
void adi_json_truth(struct adi_json *json, const char *key, bool value);
/* Takes `value` over; NULL is a failure. */
void adi_json_value(struct adi_json *json, const char *key, json_t *value);
/* The object, the caller's; NULL: out of memory. */
json_t *adi_json_end(struct adi_json *json);

/* The rows "devices" of the record. NULL: out of memory. */
json_t *adi_json_devices(const struct adi_report_device *devices, size_t n);

/* Writes `value`, which it takes over, and a newline, all in ASCII: it may go to a terminal. ENOMEM
 * if it is NULL; EIO. */
int adi_json_write(json_t *value, FILE *out);

#endif /* ADI_REPORT_JSON_H */
