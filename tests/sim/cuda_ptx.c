/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of PTX, and how modules made of it are asked for their kernels.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_ptx_suite(void);

static const char text[] = "// made by hand: .entry of_a_comment(\n"
                           ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry declared(.param .u64 p);\n"
                           ".extern .func (.param .b32 r) called(.param .b64 q);\n"
                           "/* .entry of_another() */\n"
                           ".visible .entry many(\n"
                           "    .param .u64 .ptr .global .align 16 a,\n"
                           "    .param .u8 b, .param .u16 c,\n"
                           "    .param .f32 d,\n"
                           "    .param .align 8 .b8 e[24],\n"
                           "    .param .u64 .ptr .global .align 32 f\n"
                           ")\n.maxntid 128, 1, 1\n"
                           "{\n  .reg .b32 %r<2>;\n  .file 1 \"a \\\".entry x( \"\n  ret;\n}\n"
                           ".entry none()\n{ ret; }\n"
                           ".entry bare\n{ ret; }\n"
                           ".visible .entry declared(.param .u64 p)\n{ ret; }\n";

static void read_parameters(void) {
    static const size_t offsets[] = {0, 8, 10, 12, 16, 40}, sizes[] = {8, 1, 2, 4, 24, 8};
    CUlibrary library;
    CUkernel kernel, all[8];
    CUfunction function;
    const char *name;
    unsigned count;
    size_t offset, bytes, parameters;
    cuda_scene_begin();
    CUDA_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CUDA_OK(cuLibraryGetKernelCount(&count, library));
    SIM_WANT(count == 4);
    CUDA_OK(cuLibraryEnumerateKernels(all, 8, library));
    all[1] = NULL;
    CUDA_OK(cuLibraryEnumerateKernels(all, 1, library)); /* there is room for one */
    SIM_WANT(all[0] != NULL && all[1] == NULL);
    CUDA_OK(cuLibraryEnumerateKernels(all, 2, library));
    CUDA_OK(cuLibraryGetKernel(&kernel, library, "many"));
    SIM_WANT(all[1] == kernel);
    for (size_t i = 0; i < 6; i++) {
        CUDA_OK(cuKernelGetParamInfo(kernel, i, &offset, &bytes));
        SIM_WANT(offset == offsets[i] && bytes == sizes[i]);
    }
    CUDA_ANSWERS(cuKernelGetParamInfo(kernel, 6, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuKernelGetParamCount(kernel, &parameters));
    SIM_WANT(parameters == 6);
    CUDA_OK(cuKernelGetFunction(&function, kernel));
    CUDA_OK(cuFuncGetParamInfo(function, 4, &offset, NULL));
    SIM_WANT(offset == 16);
    CUDA_OK(cuFuncGetName(&name, function));
    SIM_WANT(strcmp(name, "many") == 0);
    CUDA_OK(cuLibraryGetKernel(&kernel, library, "none"));
    CUDA_OK(cuKernelGetParamCount(kernel, &parameters));
    SIM_WANT(parameters == 0);
    CUDA_ANSWERS(cuLibraryGetKernel(&kernel, library, "of_a_comment"), CUDA_ERROR_NOT_FOUND);
    CUDA_OK(cuLibraryUnload(library));
    cuda_scene_end();
}

START_TEST(kernels_have_the_names_and_parameters_of_their_text)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(read_parameters, 1);
}
END_TEST

static void ask_for_attributes(void) {
    CUmodule module, of;
    CUfunction function;
    int value;
    cuda_scene_begin();
    CUDA_OK(cuModuleLoadDataEx(&module, text, 0, NULL, NULL));
    CUDA_OK(cuModuleGetFunction(&function, module, "many"));
    CUDA_OK(cuFuncGetModule(&of, function));
    SIM_WANT(of == module);
    CUDA_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    SIM_WANT(value == 1024);
    CUDA_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, function));
    SIM_WANT(value == 90);
    CUDA_OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    CUDA_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    SIM_WANT(value == 65536);
    CUDA_OK(
        cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function));
    SIM_WANT(value == -1);
    CUDA_OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
    CUDA_OK(
        cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function));
    SIM_WANT(value == 50);
    CUDA_ANSWERS(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, function),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 1),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuFuncIsLoaded(&value, function));
    SIM_WANT(value == 1);
    CUDA_OK(cuModuleUnload(module));
    cuda_scene_end();
}

START_TEST(attributes_are_those_of_a_kernel_that_needs_little)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(ask_for_attributes, 1);
}
END_TEST

static void link_texts(void) {
    static char one[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; } // one",
                two[] = ".version 8.0 .target sm_90 .entry two(.param .u32 p) { ret; }";
    CUlinkState link;
    CUmodule module;
    CUfunction function;
    void *image;
    size_t bytes;
    cuda_scene_begin();
    CUDA_OK(cuLinkCreate(0, NULL, NULL, &link));
    CUDA_ANSWERS(cuLinkComplete(link, &image, &bytes), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuLinkAddData(link, 1, one, sizeof one, "one", 0, NULL, NULL));
    CUDA_OK(cuLinkAddData(link, 1, two, sizeof two - 1, NULL, 0, NULL, NULL));
    CUDA_ANSWERS(cuLinkAddData(link, 1, one + 1, 5, NULL, 0, NULL, NULL), CUDA_ERROR_INVALID_PTX);
    CUDA_ANSWERS(cuLinkAddData(link, 0, one, 5, NULL, 0, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_OK(cuLinkComplete(link, &image, &bytes));
    SIM_WANT(bytes == strlen(image) + 1);
    CUDA_OK(cuModuleLoadData(&module, image));
    CUDA_OK(cuLinkDestroy(link));
    CUDA_OK(cuModuleGetFunction(&function, module, "one"));
    CUDA_OK(cuModuleGetFunction(&function, module, "two"));
    CUDA_OK(cuModuleUnload(module));
    cuda_scene_end();
}

START_TEST(what_is_linked_has_the_kernels_of_all)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(link_texts, 1);
}
END_TEST

/* A kernel of so many parameters; of 4096 there is one. */
static const char *of_bytes(int n) {
    static const char begin[] = ".version 8.0\n.entry a(", one[] = ".param .b8 b,";
    static char text_of[5000 * sizeof one];
    char *at = text_of + sizeof begin - 1;
    memcpy(text_of, begin, sizeof begin);
    for (int i = 0; i < n; i++, at += sizeof one - 1) memcpy(at, one, sizeof one);
    at[-1] = ')';
    return text_of;
}

static void load_what_is_none(void) {
    const char *const none[] = {
        ".target sm_90\n",
        ".version 8.0\n.entry",
        ".version 8.0\n.entry a(",
        ".version 8.0\n.entry a(.param .u64",
        ".version 8.0\n.entry a(.param .v9 b)",
        ".version 8.0\n.entry a(.param .u64 b[4)",
        ".version 8.0\n.entry a(.param .u64 b[0])",
        ".version 8.0\n.entry a(.param .b8 b[32765])",
        ".version 8.0\n.entry a(.reg .u64 b)",
        of_bytes(4097),
    };
    CUmodule module;
    cuda_scene_begin();
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CUDA_ANSWERS(cuModuleLoadData(&module, none[i]), CUDA_ERROR_INVALID_PTX);
    CUDA_OK(cuModuleLoadData(&module, of_bytes(4096)));
    CUDA_OK(cuModuleUnload(module));
    CUDA_ANSWERS(cuModuleLoadData(&module, ""), CUDA_ERROR_INVALID_IMAGE);
    CUDA_ANSWERS(cuModuleLoadData(&module, "no module"), CUDA_ERROR_INVALID_IMAGE);
    CUDA_ANSWERS(cuModuleLoadData(&module, "\x7f"
                                           "ELF"),
                 CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuModuleLoadData(&module, "\x50\xed\x55\xba"), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuModuleLoadData(&module, "\xb1\x43\x62\x46"), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuModuleLoadData(&module, (void *)8), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuModuleLoadData(NULL, text), CUDA_ERROR_INVALID_VALUE);
    cuda_scene_end();
}

START_TEST(what_is_no_module_is_refused)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    char *log = sim_play(load_what_is_none, sim_way_at(0), 0);
    ck_assert_msg(sim_count_errors(log) == 0, "%s", log);
    ck_assert_uint_eq(sim_count_text(log, "of modules PTX is read, and no binary"), 3);
    free(log);
}
END_TEST

/* Cut off anywhere, and with any byte of it another: it is read, or refused. */
static void load_what_is_broken(void) {
    static char broken[sizeof text + 1]; /* its end stays */
    CUmodule module;
    cuda_scene_begin();
    for (size_t i = 0; i < 2 * sizeof text; i++) {
        memcpy(broken, text, sizeof text);
        broken[i / 2] = i % 2 == 0 ? '\0' : (char)(i * 37);
        if (cuModuleLoadData(&module, broken) == CUDA_SUCCESS) CUDA_OK(cuModuleUnload(module));
    }
    cuda_scene_end();
}

START_TEST(broken_texts_come_back)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_goes_well(load_what_is_broken, 1);
}
END_TEST

Suite *sim_cuda_ptx_suite(void) {
    Suite *suite = suite_create("sim_cuda_ptx");
    TCase *tests = tcase_create("ptx");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, kernels_have_the_names_and_parameters_of_their_text);
    tcase_add_test(tests, attributes_are_those_of_a_kernel_that_needs_little);
    tcase_add_test(tests, what_is_linked_has_the_kernels_of_all);
    tcase_add_test(tests, what_is_no_module_is_refused);
    tcase_add_test(tests, broken_texts_come_back);
    suite_add_tcase(suite, tests);
    return suite;
}
