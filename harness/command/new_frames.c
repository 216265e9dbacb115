/* SPDX-License-Identifier: Apache-2.0 */
#include "new_frames.h"

#include <stddef.h>
#include <string.h>

#include "new_texts.inc" /* written by the build */

#define HEADERS                                                                                    \
    "\nIt needs two headers, <adicheck/adapter.h> and abi.h beside it: name their folder by -I, "  \
    "or copy\nboth into a folder adicheck of your own.\n"

static const struct adi_frame frames[] = {
    {"c",
     {{".c", adapter_c}},
     "@NAME@.c is written. Fill in what @NAME@ can do, then\n\n"
     "  cc -shared -fPIC @INCLUDE@ @NAME@.c -o lib@NAME@.so\n"
     "  adicheck run ./lib@NAME@.so\n" HEADERS},
    {"cpp",
     {{".cc", adapter_cc}},
     "@NAME@.cc is written. Fill in what @NAME@ can do, then\n\n"
     "  c++ -shared -fPIC @INCLUDE@ @NAME@.cc -o lib@NAME@.so\n"
     "  adicheck run ./lib@NAME@.so\n" HEADERS},
    {"rust",
     {{"", NULL},
      {"/Cargo.toml", cargo_toml},
      {"/src", NULL},
      {"/src/lib.rs", lib_rs},
      {"/src/adicheck.rs", adicheck_rs}},
     "@NAME@/ is written, a package. Fill in what @NAME@ can do in @NAME@/src/lib.rs, then\n\n"
     "  cd @NAME@\n"
     "  cargo build\n"
     "  adicheck run ./target/debug/lib@CRATE@_adapter.so\n"
     "\nIt needs no header: src/adicheck.rs declares what they do.\n"},
    {"go",
     {{"", NULL}, {"/go.mod", go_mod}, {"/main.go", main_go}},
     "@NAME@/ is written, a module. Fill in what @NAME@ can do in @NAME@/main.go, then\n\n"
     "  cd @NAME@\n"
     "  CGO_CFLAGS=\"@INCLUDE@\" go build -buildmode=c-shared -o lib@NAME@.so\n"
     "  adicheck run ./lib@NAME@.so\n" HEADERS},
};

const struct adi_frame *adi_frame_find(const char *language) {
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        if (strcmp(frames[i].language, language) == 0) return &frames[i];
    return NULL;
}
