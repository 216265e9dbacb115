/* SPDX-License-Identifier: Apache-2.0 */
#include "elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file, and nothing outside it: every access goes through `at`. */
struct image {
    const unsigned char *bytes;
    size_t size;
};

/* Copies `bytes` bytes at `offset`; false: the file ends before. */
static bool at(const struct image *image, uint64_t offset, void *to, size_t bytes) {
    if (bytes > image->size || offset > image->size - bytes) return false;
    memcpy(to, image->bytes + offset, bytes);
    return true;
}

/* The string at `offset`, or "" if it does not end within `end`. */
static const char *string_at(const struct image *image, uint64_t offset, uint64_t end) {
    if (end > image->size) end = image->size;
    if (offset >= end) return "";
    const char *text = (const char *)image->bytes + offset;
    return memchr(text, '\0', (size_t)(end - offset)) == NULL ? "" : text;
}

static bool is_runtime(const char *name) {
    static const char *const runtimes[] = {"libasan.so", "libclang_rt.asan", "libtsan.so",
                                           "libclang_rt.tsan"};
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (strncmp(name, runtimes[i], strlen(runtimes[i])) == 0) return true;
    return false;
}

static bool read_section(const struct image *image, const ElfW(Ehdr) * head, uint64_t index,
                         ElfW(Shdr) * out) {
    return index < head->e_shnum &&
           at(image, head->e_shoff + index * sizeof *out, out, sizeof *out);
}

static void read_dynamic(const struct image *image, const ElfW(Shdr) * section,
                         const ElfW(Shdr) * strings, struct adi_elf_facts *out) {
    ElfW(Dyn) entry;
    for (uint64_t i = 0; i + sizeof entry <= section->sh_size; i += sizeof entry) {
        if (!at(image, section->sh_offset + i, &entry, sizeof entry)) return;
        if (entry.d_tag == DT_NULL) return;
        if (entry.d_tag != DT_NEEDED) continue;
        const char *name = string_at(image, strings->sh_offset + entry.d_un.d_val,
                                     strings->sh_offset + strings->sh_size);
        if (is_runtime(name) && strlen(name) < sizeof out->needed) strcpy(out->needed, name);
    }
}

static void read_symbols(const struct image *image, const ElfW(Shdr) * section,
                         const ElfW(Shdr) * strings, struct adi_elf_facts *out) {
    ElfW(Sym) symbol;
    for (uint64_t i = 0; i + sizeof symbol <= section->sh_size; i += sizeof symbol) {
        if (!at(image, section->sh_offset + i, &symbol, sizeof symbol)) return;
        if (symbol.st_shndx != SHN_UNDEF) continue;
        const char *name = string_at(image, strings->sh_offset + symbol.st_name,
                                     strings->sh_offset + strings->sh_size);
        if (strcmp(name, "__asan_init") == 0) out->wants_asan = true;
        if (strcmp(name, "__tsan_init") == 0) out->wants_tsan = true;
    }
}

static void read_image(const struct image *image, struct adi_elf_facts *out) {
    ElfW(Ehdr) head;
    if (!at(image, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return;
    unsigned own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    unsigned own_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    out->is_elf = head.e_ident[EI_CLASS] == own_class && head.e_ident[EI_DATA] == own_order;
    if (!out->is_elf || head.e_shentsize != sizeof(ElfW(Shdr))) return;
    ElfW(Shdr) section, strings;
    for (uint64_t i = 0; i < head.e_shnum; i++) {
        if (!read_section(image, &head, i, &section)) return;
        if (section.sh_type != SHT_DYNAMIC && section.sh_type != SHT_DYNSYM) continue;
        if (!read_section(image, &head, section.sh_link, &strings)) continue;
        (section.sh_type == SHT_DYNAMIC ? read_dynamic : read_symbols)(image, &section, &strings,
                                                                       out);
    }
}

int adi_elf_read(const char *path, struct adi_elf_facts *out) {
    *out = (struct adi_elf_facts){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno;
    struct stat status;
    int code = fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EACCES;
    if (code == 0 && status.st_size > 0) {
        struct image image = {.size = (size_t)status.st_size};
        void *memory = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (memory == MAP_FAILED) {
            code = errno;
        } else {
            image.bytes = memory;
            read_image(&image, out);
            munmap(memory, image.size);
        }
    }
    close(fd);
    return code;
}

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "*"
#endif

/* Clang keeps its runtimes where no loader looks. */
static bool find(const char *pattern, const char *name, char out[512]) {
    char path[256];
    snprintf(path, sizeof path, pattern, name);
    glob_t found;
    bool any = glob(path, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (any) snprintf(out, 512, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return any;
}

void adi_elf_preload(const struct adi_elf_facts *facts, char out[512]) {
    static const char *const clang[] = {"/usr/lib/llvm-*/lib/clang/*/lib/linux/%s",
                                        "/usr/lib/clang/*/lib/linux/%s",
                                        "/usr/lib64/clang/*/lib/linux/%s"};
    static const char *const gcc[] = {"/usr/lib/*/%s", "/usr/lib64/%s", "/usr/lib/%s"};
    const bool is_left = facts->needed[0] == '\0'; /* to be found by whoever loads it */
    const bool is_of_threads = is_left && !facts->wants_asan;
    const char *name = !is_left        ? facts->needed
                       : is_of_threads ? "libclang_rt.tsan-" MACHINE ".so"
                                       : "libclang_rt.asan-" MACHINE ".so";
    out[0] = '\0';
    if (is_left && !facts->wants_asan && !facts->wants_tsan) return;
    if (!is_left && strchr(name, '/') == NULL) snprintf(out, 512, "%s", name);
    if (strncmp(name, "libclang_rt", 11) != 0) return;
    /* Clang's own for threads does not start in every process (LLVM 14 on Debian 12). */
    for (size_t i = 0; is_of_threads && i < sizeof gcc / sizeof *gcc; i++)
        if (find(gcc[i], "libtsan.so.[0-9]*", out)) return;
    for (size_t i = 0; i < sizeof clang / sizeof *clang; i++)
        if (find(clang[i], name, out)) return;
    for (size_t i = 0; is_left && facts->wants_asan && i < sizeof gcc / sizeof *gcc; i++)
        if (find(gcc[i], "libasan.so.[0-9]*", out)) return;
}
