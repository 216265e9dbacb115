/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "clean.h"
#include "html.h"

xmlNode *adi_html_add(xmlNode *parent, const char *element, const char *of, const char *text) {
    if (text != NULL) return adi_html_print(parent, element, of, "%s", text);
    xmlNode *node = parent == NULL ? NULL : xmlNewTextChild(parent, NULL, BAD_CAST element, NULL);
    if (node != NULL && of != NULL) xmlNewProp(node, BAD_CAST "class", BAD_CAST of);
    return node;
}

xmlNode *adi_html_print(xmlNode *parent, const char *element, const char *of, const char *format,
                        ...) {
    va_list arguments;
    va_start(arguments, format);
    char *clean = adi_clean_format(format, arguments);
    va_end(arguments);
    xmlNode *node = adi_html_add(parent, element, of, NULL);
    if (node != NULL && clean != NULL) xmlNodeAddContent(node, BAD_CAST clean);
    free(clean);
    return node;
}

void adi_html_set(xmlNode *node, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *clean = adi_clean_format(format, arguments);
    va_end(arguments);
    if (node != NULL && clean != NULL) xmlSetProp(node, BAD_CAST name, BAD_CAST clean);
    free(clean);
}

void adi_html_say(xmlNode *node, const char *text) {
    char *clean = node == NULL ? NULL : adi_clean_copy(text, ADI_CLEAN_LINES);
    if (clean != NULL) xmlAddChild(node, xmlNewText(BAD_CAST clean));
    free(clean);
}
