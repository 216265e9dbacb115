/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "clean.h"
#include "report_json.h"

void adi_json_value(json_t **object, const char *key, json_t *value) {
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

json_t *adi_json_string(const char *text) {
    char *clean = adi_clean_copy(text, ADI_CLEAN_UTF8);
    json_t *string = json_string(clean);
    free(clean);
    return string;
}

void adi_json_append(json_t **list, json_t *value) {
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

void adi_json_text(json_t **object, const char *key, const char *text) {
    adi_json_value(object, key, adi_json_string(text));
}

void adi_json_number(json_t **object, const char *key, int64_t value) {
    adi_json_value(object, key, json_integer(value));
}

const char *adi_json_text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

int64_t adi_json_number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}
