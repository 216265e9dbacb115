/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices.h"
#include "node.h"
#include "planted.h"
#include "safe_read.h"

Suite *harness_tree_suite(void);

static struct planted p;

/* The last bytes in front of a page that cannot be read; never unmapped. */
static char *edge(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t open = (bytes + page - 1) / page * page;
    char *all = mmap(NULL, open + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert_int_eq(mprotect(all + open, page, PROT_NONE), 0);
    return all + open - bytes;
}

START_TEST(a_safe_read_stops_where_memory_ends)
{
    char *at = edge(8), copy[16];
    memcpy(at, "abcdefg", 8);
    ck_assert_int_eq(adi_safe_read(copy, at, 8), 0);
    ck_assert_str_eq(copy, "abcdefg");
    ck_assert_int_eq(adi_safe_read(copy, at, 9), EFAULT);
    ck_assert_int_eq(adi_safe_read(copy, NULL, 1), EFAULT);
    ck_assert_int_eq(adi_safe_read(copy, NULL, 0), 0);
    ck_assert_int_eq(adi_safe_read(copy, (void *)UINTPTR_MAX, 1), EFAULT);
}
END_TEST

START_TEST(a_pipe_sees_what_a_safe_read_sees)
{
    enum {
        BYTES = 10000
    };
    static char copy[BYTES + 1];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = edge(page);
    for (size_t i = 0; i < page; i++) at[i] = (char)i;
    ck_assert_int_eq(adi_safe_read_by_pipe(copy, at, page), 0);
    ck_assert_mem_eq(copy, at, page);
    ck_assert_int_eq(adi_safe_read_by_pipe(copy, at, page + 1), EFAULT);
    ck_assert_int_eq(adi_safe_read_by_pipe(copy, NULL, 1), EFAULT);
    ck_assert_int_eq(adi_safe_read_by_pipe(copy, &p, BYTES), 0);
    ck_assert_mem_eq(copy, &p, BYTES);
}
END_TEST

START_TEST(a_safe_reader_sees_what_a_safe_read_sees)
{
    struct adi_safe_reader reader = {.n = 0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = edge(page), copy[1024];
    for (size_t i = 0; i < page; i++) at[i] = (char)i;
    for (int round = 0; round < 2; round++) {
        for (size_t bytes = 1; bytes <= sizeof copy; bytes++) {
            memset(copy, 0, sizeof copy);
            ck_assert_int_eq(adi_safe_reader_read(&reader, copy, at + page - bytes, bytes), 0);
            ck_assert_mem_eq(copy, at + page - bytes, bytes);
            ck_assert_int_eq(adi_safe_reader_read(&reader, copy, at + page - bytes + 1, bytes),
                             EFAULT);
        }
        ck_assert_int_eq(adi_safe_reader_read(&reader, copy, at + page, 0), 0);
        ck_assert_int_eq(adi_safe_reader_read(&reader, copy, NULL, 8), EFAULT);
        ck_assert_int_eq(adi_safe_reader_read(&reader, copy, (void *)(UINTPTR_MAX - 7), 16),
                         EFAULT);
    }
}
END_TEST

START_TEST(a_safe_reader_keeps_apart_more_pages_than_it_remembers)
{
    enum {
        PAGES = 3 * ADI_SAFE_PAGES
    };
    struct adi_safe_reader reader = {.n = 0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(at, MAP_FAILED);
    for (size_t i = 1; i < PAGES; i += 2)
        ck_assert_int_eq(mprotect(at + i * page, page, PROT_NONE), 0);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < PAGES; i++) {
            char byte;
            ck_assert_int_eq(adi_safe_reader_read(&reader, &byte, at + i * page + i, 1),
                             i % 2 == 0 ? 0 : EFAULT);
        }
    munmap(at, PAGES * page);
}
END_TEST

START_TEST(a_string_needs_its_end)
{
    char *at = edge(200), *copy = NULL;
    memset(at, 'x', 200);
    ck_assert_int_eq(adi_safe_reader_string(NULL, at, 1000, &copy), EFAULT);
    at[199] = '\0';
    ck_assert_int_eq(adi_safe_reader_string(NULL, at, 1000, &copy), 0);
    ck_assert_uint_eq(strlen(copy), 199);
    free(copy);
    ck_assert_int_eq(adi_safe_reader_string(NULL, at, 100, &copy), E2BIG);
    ck_assert_int_eq(adi_safe_reader_string(NULL, at + 199, 1, &copy), 0);
    ck_assert_str_eq(copy, "");
    free(copy);
}
END_TEST

static int safe_read_metadata(const int32_t *words, size_t bytes, int64_t *size) {
    char *at = edge(bytes);
    memcpy(at, words, bytes);
    uint8_t *copy = NULL;
    struct adi_error error = {""};
    int code = adi_safe_reader_metadata(NULL, at, &copy, size, &error);
    ck_assert((code == 0) == (*error.text == '\0'));
    ck_assert(code != 0 || memcmp(copy, words, (size_t)*size) == 0);
    free(copy);
    return code;
}

START_TEST(metadata_ends_with_its_last_value)
{
    int64_t size;
    ck_assert_int_eq(safe_read_metadata((int32_t[]){0}, 4, &size), 0);
    ck_assert_int_eq(size, 4);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){1, 4, 0x79656b, 0}, 16, &size), 0);
    ck_assert_int_eq(size, 16);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){2, 4, 0x79656b, 0}, 16, &size), EFAULT);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){1, 5, 0x79656b, 0}, 16, &size), EFAULT);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){1, INT32_MAX, 0}, 12, &size), EFAULT);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){1, -1, 0, 0}, 16, &size), EINVAL);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){-1}, 4, &size), EINVAL);
    ck_assert_int_eq(safe_read_metadata((int32_t[]){1}, 2, &size), EFAULT);
}
END_TEST

/* What is not looked at is not blamed either. */
START_TEST(metadata_that_is_very_long_is_let_be)
{
    enum {
        BYTES = 20 << 20
    };
    const int32_t words[] = {1, 0, BYTES - 12};
    char *at = edge(BYTES);
    uint8_t *copy;
    int64_t size;
    struct adi_error error = {""};
    memcpy(at, words, sizeof words);
    ck_assert_int_eq(adi_safe_reader_metadata(NULL, at, &copy, &size, &error), E2BIG);
    ck_assert_str_eq(error.text, "");
    at[8]++;
    ck_assert_int_eq(adi_safe_reader_metadata(NULL, at, &copy, &size, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "value 0 is said to have"));
}
END_TEST

START_TEST(a_tree_is_copied_with_its_buffers)
{
    planted_tree(&p);
    struct adi_node *root = adi_tree_copy(p.root.schema, &p.array, &p.device);
    ck_assert_int_eq(root->n_children, PLANTED_COLUMNS);
    ck_assert_int_eq(root->device_array->device_id, -1);
    const struct adi_node *text = root->children[PLANTED_TEXT];
    ck_assert_str_eq(text->format, "u");
    ck_assert_str_eq(text->type.name, "utf8");
    ck_assert_int_eq(text->n_buffers, 3);
    ck_assert_int_eq(text->buffers[0].size, 0);
    ck_assert_int_eq(text->buffers[2].size, 5);
    ck_assert_mem_eq(text->buffers[2].data, p.text, 5);
    const struct adi_node *words = root->children[PLANTED_INDEX]->dictionary;
    ck_assert(words->is_dictionary && words->array_at == p.words.array);
    ck_assert_int_gt(root->children[PLANTED_STAMP]->metadata_size, 0);
    adi_tree_free(root);
}
END_TEST

START_TEST(buffers_of_another_device_are_left_alone)
{
    planted_tree(&p);
    p.array.device_type = adi_device_cuda.type;
    struct adi_node *root = adi_tree_copy(p.root.schema, &p.array, &p.device);
    const struct adi_node *ints = root->children[PLANTED_INT];
    ck_assert_int_eq(ints->buffers[1].size, 16);
    ck_assert_ptr_null(ints->buffers[1].data);
    ck_assert_ptr_null(ints->buffers[1].fault);
    adi_tree_free(root);
}
END_TEST

static int waits;

static int wait_in_vain(struct adi_device *device, void *event, struct adi_error *error) {
    (void)device, (void)event;
    waits++;
    return adi_error_set(error, ETIMEDOUT, "wait %d", waits);
}

static void copy_with(void *event, int n_waits, const char *says) {
    p.array.sync_event = event;
    struct adi_node *root = adi_tree_copy(p.root.schema, &p.array, &p.device);
    ck_assert_int_eq(root->waited, ETIMEDOUT);
    ck_assert_str_eq(root->wait_error, says);
    ck_assert_int_eq(waits, n_waits);
    adi_tree_free(root);
}

/* Each wait has a limit of seconds. */
START_TEST(an_event_that_never_completes_is_waited_for_once)
{
    static int one, other;
    struct adi_error error = {""};
    planted_tree(&p);
    p.ops.type = p.array.device_type = adi_device_cuda.type;
    p.ops.wait_host = wait_in_vain;
    copy_with(&one, 1, "wait 1");
    copy_with(&one, 2, "wait 2"); /* nobody has said that it is the same array */
    ck_assert_int_eq(adi_tree_wait(&p.device, &one, &error), ETIMEDOUT);
    copy_with(&one, 3, "wait 3");
    ck_assert_int_eq(adi_tree_wait(&p.device, &one, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "wait 3");
    ck_assert_int_eq(waits, 3);
    copy_with(&other, 4, "wait 4");
    adi_tree_wait_anew();
    copy_with(&one, 5, "wait 5");
}
END_TEST

START_TEST(what_is_unreadable_says_why)
{
    planted_tree(&p);
    p.root.arrays[0] = NULL;
    p.root.arrays[1] = (struct ArrowArray *)(uintptr_t)4096;
    p.root.arrays[2] = &p.array.array;
    p.column[3].array->release = NULL;
    struct adi_node *root = adi_tree_copy(p.root.schema, &p.array, &p.device);
    ck_assert_int_eq(root->children[0]->array_unreadable, ADI_NULL);
    ck_assert_int_eq(root->children[1]->array_unreadable, ADI_UNREADABLE);
    ck_assert_int_eq(root->children[2]->array_unreadable, ADI_CYCLIC);
    ck_assert_int_eq(root->children[3]->array_unreadable, ADI_COPIED);
    ck_assert_int_eq(root->children[3]->n_children, 0);
    adi_tree_free(root);
}
END_TEST

#define CHAIN (ADI_TREE_DEPTH + 100)

static void mark_released(struct ArrowSchema *schema) {
    schema->release = NULL;
}

START_TEST(a_bottomless_tree_is_cut)
{
    static struct ArrowSchema chain[CHAIN], *next[CHAIN];
    for (int i = 0; i < CHAIN; i++) {
        next[i] = &chain[i + 1 < CHAIN ? i + 1 : i];
        chain[i] = (struct ArrowSchema){
            .format = "+l", .n_children = 1, .children = &next[i], .release = mark_released};
    }
    struct adi_node *root = adi_tree_copy(&chain[0], NULL, NULL);
    int depth = 0;
    const struct adi_node *node = root;
    for (; node->n_children == 1; node = node->children[0]) depth++;
    ck_assert_int_eq(depth, ADI_TREE_DEPTH);
    ck_assert_int_eq(node->schema_unreadable, ADI_CUT);
    adi_tree_free(root);
}
END_TEST

/* Two children that are one: 2^60 nodes, and no cycle. */
START_TEST(an_endless_tree_is_cut)
{
    static struct ArrowSchema levels[60], *pairs[60][2];
    for (int i = 0; i < 60; i++) {
        levels[i] = (struct ArrowSchema){.format = "+s", .release = mark_released};
        if (i + 1 == 60) break;
        pairs[i][0] = pairs[i][1] = &levels[i + 1];
        levels[i].n_children = 2;
        levels[i].children = pairs[i];
    }
    struct adi_node *root = adi_tree_copy(&levels[0], NULL, NULL);
    ck_assert_ptr_nonnull(root);
    adi_tree_free(root);
}
END_TEST

START_TEST(places_are_the_way_from_the_root)
{
    planted_tree(&p);
    struct adi_node *root = adi_tree_copy(p.root.schema, &p.array, NULL);
    const struct adi_node *words = root->children[PLANTED_INDEX]->dictionary;
    ck_assert_str_eq(adi_at(root, "length").text, "length");
    ck_assert_str_eq(adi_at(words, "buffers[%d]", 2).text, "children[6].dictionary.buffers[2]");
    ck_assert_str_eq(adi_at(words, "%s", "").text, "children[6].dictionary");
    ck_assert_str_eq(adi_at(root, "%s", "").text, "");
    struct adi_node deep[40] = {{.parent = NULL}};
    for (int i = 1; i < 40; i++) deep[i].parent = &deep[i - 1];
    const char *end = ".children[0].length";
    struct adi_words cut = adi_at(&deep[39], "length");
    ck_assert_int_eq(strncmp(cut.text, "...", 3), 0);
    ck_assert_str_eq(cut.text + strlen(cut.text) - strlen(end), end);
    adi_tree_free(root);
}
END_TEST

START_TEST(utf8_is_told_from_what_is_not)
{
    ck_assert_int_eq(adi_utf8_error("a\0\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x8d", 11), -1);
    static const char *const bad[] = {"\x80",         "\xc0\x80",         "\xc3",
                                      "\xe0\x80\x80", "\xed\xa0\x80",     "\xe2\x82",
                                      "\xff",         "\xf4\x90\x80\x80", "\xf0\x80\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(adi_utf8_error(bad[i], (int64_t)strlen(bad[i])), 0);
    ck_assert_int_eq(adi_utf8_error("ab\xe2\x82z", 5), 2);
}
END_TEST

Suite *harness_tree_suite(void) {
    Suite *suite = suite_create("harness_tree");
    TCase *peek = tcase_create("peek");
    tcase_add_test(peek, a_safe_read_stops_where_memory_ends);
    tcase_add_test(peek, a_pipe_sees_what_a_safe_read_sees);
    tcase_add_test(peek, a_safe_reader_sees_what_a_safe_read_sees);
    tcase_add_test(peek, a_safe_reader_keeps_apart_more_pages_than_it_remembers);
    tcase_add_test(peek, a_string_needs_its_end);
    tcase_add_test(peek, metadata_ends_with_its_last_value);
    tcase_add_test(peek, metadata_that_is_very_long_is_let_be);
    suite_add_tcase(suite, peek);

    TCase *tree = tcase_create("tree");
    tcase_set_timeout(tree, 30);
    tcase_add_test(tree, a_tree_is_copied_with_its_buffers);
    tcase_add_test(tree, buffers_of_another_device_are_left_alone);
    tcase_add_test(tree, an_event_that_never_completes_is_waited_for_once);
    tcase_add_test(tree, what_is_unreadable_says_why);
    tcase_add_test(tree, a_bottomless_tree_is_cut);
    tcase_add_test(tree, an_endless_tree_is_cut);
    tcase_add_test(tree, places_are_the_way_from_the_root);
    tcase_add_test(tree, utf8_is_told_from_what_is_not);
    suite_add_tcase(suite, tree);
    return suite;
}
