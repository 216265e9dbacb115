/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writers of JSON share.
 */
#ifndef ADI_REPORT_JSON_H
#define ADI_REPORT_JSON_H

#include <jansson.h>

#include "report.h"

/* Members of an object: `value` is taken over, a text made clean. An object that lacks something
 * becomes NULL, as a list does. */
void adi_json_value(json_t **object, const char *key, json_t *value);
void adi_json_text(json_t **object, const char *key, const char *text);
void adi_json_number(json_t **object, const char *key, int64_t value);

/* The text, made clean; NULL: out of memory. */
json_t *adi_json_string(const char *text);
/* Appends `value`, which it takes over. A list that lacks something becomes NULL. */
void adi_json_append(json_t **list, json_t *value);

/* Members of a value that is read; "" and 0: it has none. */
const char *adi_json_text_of(const json_t *object, const char *key);
int64_t adi_json_number_of(const json_t *object, const char *key);

/* The rows "devices" of the record. NULL: out of memory. */
json_t *adi_json_devices(const struct adi_report_device *devices, size_t n);

/* Writes `value`, which it takes over, and a newline, all in ASCII: it may go to a terminal. ENOMEM
 * if it is NULL; EIO. */
int adi_json_write(json_t *value, FILE *out);

#endif /* ADI_REPORT_JSON_H */
