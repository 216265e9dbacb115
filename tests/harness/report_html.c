/* SPDX-License-Identifier: Apache-2.0
 *
 * The page.
 */
#include <check.h>
#include <libxml/HTMLparser.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "report_sample.h"

Suite *harness_report_html_suite(void);

static size_t count_elements(const xmlNode *node, const char *name) {
    size_t n = 0;
    for (; node != NULL; node = node->next)
        n += (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0) +
             count_elements(node->children, name);
    return n;
}

static htmlDocPtr page_of(struct adi_report *const *reports, size_t n) {
    char *text = adi_report_written(adi_report_html, reports, n);
    htmlDocPtr page = htmlReadMemory(text, (int)strlen(text), "page", "utf-8",
                                     HTML_PARSE_NONET | HTML_PARSE_NOERROR);
    ck_assert_ptr_nonnull(page);
    free(text);
    return page;
}

static bool has_attribute(const xmlNode *node, const char *name, const char *wanted) {
    xmlChar *seen = xmlGetProp(node, (const xmlChar *)name);
    bool same = seen != NULL && (wanted == NULL || strcmp((const char *)seen, wanted) == 0);
    xmlFree(seen);
    return same;
}

/* The next element of the name and attribute, in the order of the text; `wanted` NULL: any value.
 */
static xmlNode *next_element(xmlNode *node, const char *element, const char *name,
                             const char *wanted) {
    while (node != NULL) {
        if (node->children != NULL && node->type == XML_ELEMENT_NODE) {
            node = node->children;
        } else {
            while (node != NULL && node->next == NULL) node = node->parent;
            if (node != NULL) node = node->next;
        }
        if (node != NULL && node->type == XML_ELEMENT_NODE &&
            strcmp((const char *)node->name, element) == 0 && has_attribute(node, name, wanted))
            return node;
    }
    return NULL;
}

static size_t count_with(htmlDocPtr page, const char *element, const char *name,
                         const char *wanted) {
    size_t n = 0;
    xmlNode *at = xmlDocGetRootElement(page);
    while ((at = next_element(at, element, name, wanted)) != NULL) n++;
    return n;
}

START_TEST(html_keeps_hostile_text_as_text)
{
    struct adi_report *report = adi_sample_full_report();
    adi_result_set(&report->results[0].device, "%s", HOSTILE);
    adi_result_set(&report->results[ADI_FAIL].case_name, "%s", HOSTILE);
    adi_result_set(&report->implementation, "%s", HOSTILE);
    snprintf(report->devices[1].why, sizeof report->devices[1].why, "%s", HOSTILE);
    char *text = adi_report_written(adi_report_html, &report, 1);
    ck_assert_uint_eq(adi_occurrences(text, "<script"), 1); /* the page's own */
    ck_assert_uint_eq(adi_occurrences(text, "\x1b"), 0);
    free(text);
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "script"), 1);
    ck_assert_uint_eq(count_with(page, "details", "class", "group"), 11); /* no pass */
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

START_TEST(html_fetches_nothing)
{
    struct adi_report *report = adi_sample_full_report();
    htmlDocPtr page = page_of(&report, 1);
    static const char *const elements[] = {"link", "img", "iframe", "object", "base"};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), elements[i]), 0);
    ck_assert_uint_eq(count_with(page, "script", "src", NULL), 0);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

START_TEST(each_cell_of_the_matrix_leads_to_its_findings)
{
    struct adi_report *reports[] = {adi_sample_full_report(), adi_sample_report()};
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    adi_sample_row(reports[1], ADI_PASS, rule, "a");
    struct adi_result *row = adi_sample_row(reports[1], ADI_UNSUPPORTED, rule, "b");
    row->party = ADI_CONSUMER;
    adi_result_set(&row->message, "no strings");
    adi_sample_row(reports[1], ADI_FAIL, rule, "int32/nulls/relay");
    htmlDocPtr page = page_of(reports, 2);
    xmlNode *root = xmlDocGetRootElement(page), *at = root;
    size_t n = 0, n_relays = 0;
    while ((at = next_element(at, "a", "class", "cell")) != NULL) {
        xmlChar *to = xmlGetProp(at, (const xmlChar *)"href");
        xmlNode *group = next_element(root, "details", "id", (const char *)to + 1);
        ck_assert_msg(group != NULL, "%s leads nowhere", (const char *)to);
        xmlChar *family = xmlGetProp(at, (const xmlChar *)"data-rule"),
                *rules = xmlGetProp(group, (const xmlChar *)"data-rule"),
                *party = xmlGetProp(at, (const xmlChar *)"data-party");
        ck_assert_ptr_nonnull(strstr((const char *)rules, (const char *)family));
        /* A relay is blamed as producer or as consumer. */
        n_relays += party == NULL;
        ck_assert(party == NULL || has_attribute(group, "data-party", (const char *)party));
        xmlFree(to);
        xmlFree(family);
        xmlFree(rules);
        xmlFree(party);
        n++;
    }
    ck_assert_uint_eq(n, 3); /* what has passed leads nowhere */
    ck_assert_uint_eq(n_relays, 1);
    xmlFreeDoc(page);
    adi_report_free(reports[0]);
    adi_report_free(reports[1]);
}
END_TEST

START_TEST(a_device_that_nothing_is_judged_on_is_one_word_of_a_line)
{
    struct adi_report *report = adi_sample_full_report();
    struct adi_report_device *idle = adi_report_add_device(report);
    snprintf(idle->name, sizeof idle->name, "vpi:0");
    idle->available = true;
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "tr"), 4); /* head, 2, opencl */
    xmlNode *line = next_element(xmlDocGetRootElement(page), "p", "class", "idle");
    xmlChar *text = xmlNodeGetContent(line);
    ck_assert_str_eq((const char *)text, "Nothing is judged on vpi:0.");
    xmlFree(text);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

START_TEST(html_shows_what_was_not_judged_and_links_to_documents)
{
    struct adi_report *report = adi_sample_report();
    for (int i = 0; i < 3; i++)
        adi_result_set(&adi_sample_row(report, ADI_UNSUPPORTED, adi_sample_rule(ADI_MUST, ADI_TEXT),
                                       "utf8/many/export")
                            ->message,
                       "no strings on CUDA");
    adi_sample_row(report, ADI_FAIL, adi_rule_named("sync/read-before-wait"), "a");
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_with(page, "details", "data-verdict", "unsupported"), 1);
    ck_assert_uint_eq(count_with(page, "a", "href",
                                 "https://arrow.apache.org/docs/format/"
                                 "CDeviceDataInterface.html#synchronization"),
                      1);
    xmlNode *form = next_element(xmlDocGetRootElement(page), "form", "id", "filter");
    ck_assert(has_attribute(form, "hidden", NULL)); /* without a script */
    /* A control of that name would hide the form's function, which the script calls. */
    ck_assert_ptr_null(next_element(form, "button", "name", "reset"));
    ck_assert_uint_eq(count_with(page, "option", "value", "unsupported"), 1);
    ck_assert_uint_eq(count_with(page, "option", "value", "sync/read-before-wait"), 1);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

START_TEST(a_finding_about_order_is_drawn)
{
    struct adi_report *report = adi_sample_report();
    struct adi_result *row =
        adi_sample_row(report, ADI_FAIL, adi_rule_named("sync/read-before-wait"), "int32/nulls/x");
    row->order = adi_order_of(
        "{\"whose\":0,\"call\":1,\"in\":\"copy\",\"by\":\"queue 1\",\"writes\":\"allocation 1\"}\n"
        "{\"step\":\"consume\",\"text\":\"<script>\"}\n"
        "{\"whose\":1,\"call\":2,\"in\":\"copy\",\"by\":\"queue 2\",\"reads\":\"allocation 1\"}\n"
        "{\"call\":2,\"unordered\":\"queue 2\",\"behind\":\"queue 1\",\"earlier\":1}\n");
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "svg"), 1);
    ck_assert_uint_eq(count_with(page, "line", "class", "lane"), 3);
    ck_assert_uint_eq(count_with(page, "circle", "class", "mark command bad"), 2);
    ck_assert_uint_eq(count_with(page, "path", "class", "missing"), 2); /* and its head */
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "script"), 1);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

static const struct {
    const char *case_name, *program, *steps[6];
    size_t step;
    unsigned program_step;
    const char *failed; /* its word on the page; NULL: none is red */
} lives[] = {
    {"struct/many/program-export", "e0 c0.1>2 x0 r2 x2", {"program"}, 1, 3, "x0"},
    {"struct/many/program-export", "e0 x0", {"program"}, 1, 0, NULL},
    {"struct/many/export",
     NULL,
     {"produce      +s, length 3", "read         it", "release      all"},
     3,
     0,
     "x0"},
    {"int32/many/export-moved",
     NULL,
     {"produce      i, length 3", "move         bitwise, so"},
     2,
     0,
     "m01"},
    {"int32/many/export", NULL, {"produce      i, length 3", "read         it"}, 2, 0, NULL},
    /* What is exported beside it is in no slot. */
    {"struct/many/export-children-moved",
     NULL,
     {"produce      +s, length 3", "move         child 1 out", "release      the parent",
      "produce      another array, with other values", "read         what was moved out",
      "release      what was moved out"},
     6,
     0,
     "x1"},
    {"struct/many/export-children-moved",
     NULL,
     {"produce      +s, length 3", "move         child 1 out", "release      the parent",
      "produce      another array, with other values"},
     4,
     0,
     "x0"},
};

START_TEST(a_finding_about_life_is_its_program_over_the_life_cycle)
{
    struct adi_report *report = adi_sample_report();
    struct adi_result *row = adi_sample_row(
        report, ADI_FAIL, adi_rule_named("life/release-not-cleared"), lives[_i].case_name);
    for (size_t i = 0; i < 6 && lives[_i].steps[i] != NULL; i++)
        adi_result_step(row, "%s", lives[_i].steps[i]);
    if (lives[_i].program != NULL) adi_sample_program(row, lives[_i].program);
    row->step = lives[_i].step;
    row->program_step = lives[_i].program_step;
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "svg"), 1);
    xmlNode *bad = next_element(xmlDocGetRootElement(page), "text", "class", "bad");
    ck_assert((bad != NULL) == (lives[_i].failed != NULL));
    if (bad != NULL) ck_assert_str_eq((const char *)bad->children->content, lives[_i].failed);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

/* What is no program is not drawn as one. */
START_TEST(steps_that_mean_nothing_in_a_program_are_not_drawn)
{
    static const char *const steps[] = {"break        a schema", "program      struct/many e9",
                                        "program      nothing/many e0", "program"};
    struct adi_report *report = adi_sample_report();
    struct adi_result *row = adi_sample_row(
        report, ADI_FAIL, adi_rule_named("life/release-not-cleared"), "struct/many/a");
    adi_result_step(row, "%s", steps[_i]);
    htmlDocPtr page = page_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(page), "svg"), 0);
    xmlFreeDoc(page);
    adi_report_free(report);
}
END_TEST

Suite *harness_report_html_suite(void) {
    Suite *suite = suite_create("harness_report_html");
    TCase *html = tcase_create("page");
    tcase_add_test(html, html_keeps_hostile_text_as_text);
    tcase_add_test(html, html_fetches_nothing);
    tcase_add_test(html, each_cell_of_the_matrix_leads_to_its_findings);
    tcase_add_test(html, a_device_that_nothing_is_judged_on_is_one_word_of_a_line);
    tcase_add_test(html, html_shows_what_was_not_judged_and_links_to_documents);
    tcase_add_test(html, a_finding_about_order_is_drawn);
    tcase_add_loop_test(html, a_finding_about_life_is_its_program_over_the_life_cycle, 0,
                        sizeof lives / sizeof *lives);
    tcase_add_loop_test(html, steps_that_mean_nothing_in_a_program_are_not_drawn, 0, 4);
    suite_add_tcase(suite, html);
    return suite;
}
