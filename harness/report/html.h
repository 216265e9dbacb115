/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page is made of, and its parts. All text is made clean on its way in; where memory runs
 * out nodes are NULL, and nothing is added to them.
 */
#ifndef ADI_HTML_H
#define ADI_HTML_H

#include <libxml/tree.h>

#include "report_view.h"

/* Adds `<element class="of">text</element>`; `of` and `text` may be NULL. */
xmlNode *adi_html_add(xmlNode *parent, const char *element, const char *of, const char *text);
/* The same with a text made by printf. */
xmlNode *adi_html_print(xmlNode *parent, const char *element, const char *of, const char *format,
                        ...) ADI_PRINTF(4, 5);
/* Sets an attribute of a node that may be NULL. */
void adi_html_set(xmlNode *node, const char *name, const char *format, ...) ADI_PRINTF(3, 4);
/* Adds text behind what the node has. */
void adi_html_say(xmlNode *node, const char *text);

/* A report on the page, the `index`th. */
struct adi_html_report {
    const struct adi_report *report;
    size_t index;
    struct adi_digest findings, unjudged;
};

/* The table of devices and families; each cell leads to the groups that it counts. */
void adi_html_matrix(xmlNode *body, const struct adi_html_report *page);
/* A group of the findings, or of what was not judged, to be folded. */
void adi_html_group(xmlNode *body, const struct adi_html_report *page, bool judged, size_t group);
/* Draws the order of things before the finding, or its program over the life cycle. false: nothing
 * is known to draw. */
bool adi_html_draw(xmlNode *parent, const struct adi_result *result);
/* The form that chooses among the groups of all reports; it stays hidden without a script. */
void adi_html_filter(xmlNode *body, const struct adi_html_report *pages, size_t n);

/* "r0-f3": what a link to the group has behind its #. */
#define ADI_HTML_ID 48
void adi_html_id(const struct adi_html_report *page, bool judged, size_t group,
                 char out[ADI_HTML_ID]);

#endif /* ADI_HTML_H */
