/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared library of our making with a section of what it needs and one of its symbols; then one
 * number at a time is wrong. What makes no sense counts as absent, and nothing outside the file is
 * touched.
 */
#include <elf.h>

#include <check.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../harness/run/elf.h"

Suite *harness_elf_suite(void);

enum {
    NONE,
    DYNAMIC,
    SYMBOLS,
    STRINGS,
    SECTIONS
};

struct library {
    ElfW(Ehdr) head;
    ElfW(Shdr) sections[SECTIONS];
    ElfW(Dyn) dynamic[4];
    ElfW(Sym) symbols[3];
    char strings[64];
};

/* Where the names lie among the strings. */
#define LIBC    1
#define RUNTIME 16
#define INIT    32
#define STRING  "\0libc.so.6\0\0\0\0\0\0libasan.so.8\0\0\0\0__asan_init"

static struct library make_library(void) {
    struct library made = {
        .head = {.e_shoff = offsetof(struct library, sections),
                 .e_shnum = SECTIONS,
                 .e_shentsize = sizeof(ElfW(Shdr))},
        .dynamic = {{.d_tag = DT_SONAME},
                    {.d_tag = DT_NEEDED, .d_un.d_val = LIBC},
                    {.d_tag = DT_NEEDED, .d_un.d_val = RUNTIME},
                    {.d_tag = DT_NULL}},
        .symbols = {{.st_name = 0}, {.st_name = LIBC, .st_shndx = 1}, {.st_name = INIT}},
        .strings = STRING,
    };
    memcpy(made.head.e_ident, ELFMAG, SELFMAG);
    made.head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    made.head.e_ident[EI_DATA] =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    made.sections[DYNAMIC] = (ElfW(Shdr)){.sh_type = SHT_DYNAMIC,
                                          .sh_link = STRINGS,
                                          .sh_offset = offsetof(struct library, dynamic),
                                          .sh_size = sizeof made.dynamic};
    made.sections[SYMBOLS] = (ElfW(Shdr)){.sh_type = SHT_DYNSYM,
                                          .sh_link = STRINGS,
                                          .sh_offset = offsetof(struct library, symbols),
                                          .sh_size = sizeof made.symbols};
    made.sections[STRINGS] = (ElfW(Shdr)){.sh_type = SHT_STRTAB,
                                          .sh_offset = offsetof(struct library, strings),
                                          .sh_size = sizeof made.strings};
    return made;
}

static struct adi_elf_facts facts_of(const struct library *library, size_t bytes) {
    struct adi_elf_facts facts;
    char path[64];
    int fd = memfd_create("library", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, library, bytes), (ssize_t)bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_assert_int_eq(adi_elf_read(path, &facts), 0);
    close(fd);
    return facts;
}

START_TEST(the_runtime_and_the_call_for_it_are_found)
{
    struct library library = make_library();
    struct adi_elf_facts facts = facts_of(&library, sizeof library);
    ck_assert(facts.is_elf);
    ck_assert_str_eq(facts.needed, "libasan.so.8");
    ck_assert(facts.wants_asan);
}
END_TEST

#define FAR      (sizeof(struct library) - 1)
#define AT(what) offsetof(struct library, what), sizeof((struct library *)NULL)->what

/* The number that is wrong, and what is still seen: a file for this machine, the runtime, the call
 * for it. */
static const struct wrong {
    size_t offset, bytes;
    uint64_t value;
    bool is_elf, needs, wants;
} wrongs[] = {
    {AT(head.e_ident[EI_MAG0]), 0, false, false, false},
    {AT(head.e_ident[EI_MAG3]), 0, false, false, false},
    {AT(head.e_ident[EI_CLASS]), ELFCLASSNONE, false, false, false},
    {AT(head.e_ident[EI_DATA]), ELFDATANONE, false, false, false},
    {AT(head.e_shentsize), 1, true, false, false},
    {AT(head.e_shoff), UINT64_MAX, true, false, false},
    {AT(head.e_shoff), FAR, true, false, false},
    {AT(head.e_shnum), 0, true, false, false},
    {AT(head.e_shnum), UINT16_MAX, true, true, true},
    {AT(sections[DYNAMIC].sh_link), UINT32_MAX, true, false, true},
    {AT(sections[SYMBOLS].sh_link), UINT32_MAX, true, true, false},
    {AT(sections[DYNAMIC].sh_offset), FAR, true, false, true},
    {AT(sections[DYNAMIC].sh_offset), UINT64_MAX, true, false, true},
    {AT(sections[SYMBOLS].sh_offset), FAR, true, true, false},
    {AT(sections[DYNAMIC].sh_size), 1, true, false, true},
    {AT(sections[SYMBOLS].sh_size), UINT64_MAX, true, true, true},
    {AT(dynamic[0].d_tag), DT_NULL, true, false, true},
    {AT(dynamic[2].d_un.d_val), UINT64_MAX, true, false, true},
    {AT(dynamic[2].d_un.d_val), LIBC, true, false, true},
    {AT(symbols[2].st_name), UINT32_MAX, true, true, false},
    {AT(symbols[2].st_shndx), 1, true, true, false},
    {AT(sections[STRINGS].sh_offset), UINT64_MAX, true, false, false},
    {AT(sections[STRINGS].sh_size), INIT, true, true, false},
    {AT(sections[STRINGS].sh_size), RUNTIME + 4, true, false, false},
};

#define WRONGS ((int)(sizeof wrongs / sizeof *wrongs))

static void spoil(struct library *library, const struct wrong *wrong) {
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    unsigned char *to = (unsigned char *)library + wrong->offset;
    for (size_t i = 0; i < wrong->bytes; i++)
        to[little ? i : wrong->bytes - 1 - i] = (unsigned char)(wrong->value >> 8 * i);
}

START_TEST(what_makes_no_sense_counts_as_absent)
{
    const struct wrong *wrong = &wrongs[_i];
    struct library library = make_library();
    spoil(&library, wrong);
    struct adi_elf_facts facts = facts_of(&library, sizeof library);
    ck_assert_int_eq(facts.is_elf, wrong->is_elf);
    ck_assert_str_eq(facts.needed, wrong->needs ? "libasan.so.8" : "");
    ck_assert_int_eq(facts.wants_asan, wrong->wants);
}
END_TEST

/* Cut off anywhere it is read without a fault, and never says what the whole does not. */
START_TEST(a_file_that_ends_early_is_read_as_far_as_it_goes)
{
    struct library library = make_library();
    for (size_t bytes = 0; bytes < sizeof library; bytes++) {
        struct adi_elf_facts facts = facts_of(&library, bytes);
        ck_assert_int_eq(facts.is_elf, bytes >= sizeof library.head);
        ck_assert(facts.needed[0] == '\0' || strcmp(facts.needed, "libasan.so.8") == 0);
        ck_assert(!facts.wants_asan || bytes > offsetof(struct library, strings) + INIT);
    }
}
END_TEST

START_TEST(the_runtime_is_preloaded_by_the_name_that_is_needed)
{
    char preload[512];
    adi_elf_preload(&(struct adi_elf_facts){.is_elf = true}, preload);
    ck_assert_str_eq(preload, "");
    adi_elf_preload(&(struct adi_elf_facts){.needed = "libasan.so.8"}, preload);
    ck_assert_str_eq(preload, "libasan.so.8");
    adi_elf_preload(&(struct adi_elf_facts){.needed = "/opt/lib/libtsan.so.2"}, preload);
    ck_assert_str_eq(preload, "");
    adi_elf_preload(&(struct adi_elf_facts){.needed = "libclang_rt.asan-nowhere.so"}, preload);
    ck_assert_str_eq(preload, "libclang_rt.asan-nowhere.so");
}
END_TEST

Suite *harness_elf_suite(void) {
    Suite *suite = suite_create("harness_elf");
    TCase *tests = tcase_create("elf");
    tcase_add_test(tests, the_runtime_and_the_call_for_it_are_found);
    tcase_add_loop_test(tests, what_makes_no_sense_counts_as_absent, 0, WRONGS);
    tcase_add_test(tests, a_file_that_ends_early_is_read_as_far_as_it_goes);
    tcase_add_test(tests, the_runtime_is_preloaded_by_the_name_that_is_needed);
    suite_add_tcase(suite, tests);
    return suite;
}
