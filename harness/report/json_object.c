/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "clean.h"
#include "report_json.h"

struct adi_json adi_json_begin(void) {
    return (struct adi_json){json_object(), 0};
}

void adi_json_value(struct adi_json *json, const char *key, json_t *value) {
    if (json_object_set_new(json->object, key, value) != 0) json->failed = 1;
}

void adi_json_text(struct adi_json *json, const char *key, const char *text) {
    char *clean = adi_clean_copy(text, ADI_CLEAN_UTF8);
    adi_json_value(json, key, json_string(clean));
    free(clean);
}

void adi_json_number(struct adi_json *json, const char *key, int64_t value) {
    adi_json_value(json, key, json_integer(value));
}

void adi_json_truth(struct adi_json *json, const char *key, bool value) {
    adi_json_value(json, key, json_boolean(value));
}

json_t *adi_json_end(struct adi_json *json) {
    if (!json->failed && json->object != NULL) return json->object;
    json_decref(json->object);
    return NULL;
}
