/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "clean.h"
#include "html.h"

xmlNode *adi_html_add(xmlNode *parent, const char *element, const char *of, const char *text) {
    char *clean = text == NULL ? NULL : adi_clean_copy(text, ADI_CLEAN_LINES);
    xmlNode *node = parent == NULL
                        ? NULL
                        : xmlNewTextChild(parent, NULL, BAD_CAST element, (const xmlChar *)clean);
    free(clean);
    if (node != NULL && of != NULL) xmlNewProp(node, BAD_CAST "class", BAD_CAST of);
    return node;
}

void adi_html_set(xmlNode *node, const char *name, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    char *clean = length < 0 ? NULL : adi_clean_copy(text, ADI_CLEAN_LINES);
    if (node != NULL && clean != NULL) xmlSetProp(node, BAD_CAST name, BAD_CAST clean);
    if (length >= 0) free(text);
    free(clean);
}

void adi_html_say(xmlNode *node, const char *text) {
    char *clean = node == NULL ? NULL : adi_clean_copy(text, ADI_CLEAN_LINES);
    if (clean != NULL) xmlAddChild(node, xmlNewText(BAD_CAST clean));
    free(clean);
}
