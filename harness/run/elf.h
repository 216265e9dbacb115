/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of an ELF file as it takes to see which sanitizer a shared library was built with.
 */
#ifndef ADI_ELF_H
#define ADI_ELF_H

#include <stdbool.h>
#include <stddef.h>

#define ADI_ELF_NAME 128

struct adi_elf_facts {
    bool is_elf;               /* of this machine's class and byte order */
    char needed[ADI_ELF_NAME]; /* the sanitizer runtime that it names: "libasan.so.8"; "" none */
    bool wants_asan;           /* leaves __asan_init to be found by whoever loads it */
    bool wants_tsan;           /* the same of __tsan_init */
};

/* Reads the facts of a file. Any bytes at all may be in it: what makes no sense counts as absent.
 * 0; an errno value if the file cannot be read. */
int adi_elf_read(const char *path, struct adi_elf_facts *out);

/* The runtime that has to be preloaded for such a library, as a value for LD_PRELOAD; "" none. */
void adi_elf_preload(const struct adi_elf_facts *facts, char out[512]);

#endif /* ADI_ELF_H */
