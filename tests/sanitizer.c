/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the tester: in a sanitizer build a leak, a read past the end and an overflow each end the
 * process, in one for threads a race does. If one of these passes unseen, so would the same defect
 * anywhere else.
 */
#include <check.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slow.h"

Suite *sanitizer_suite(void);

#if IS_SANITIZED || IS_THREAD_SANITIZED
/* The reports are expected: nobody needs to read them. */
static void hush(void) {
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}
#endif

#if IS_SANITIZED

/* LLVM, which POCL and lavapipe bring, gives threads a signal stack of its own, and when such a
 * thread ends AddressSanitizer takes that for the one that it gave, and unmaps it. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "use_sigaltstack=0";
}

/* LeakSanitizer dies of the thread-local storage of their threads, so it leaves that alone. What is
 * lost with it, and is no leak: what the loader allocates, and what Vulkan's validation layer does.
 * GNU's runtime of Objective-C never gives its tables back. POCL 6 (Debian 13) leaves a byte behind
 * where memory is shared with the host. */
const char *__lsan_default_options(void);
__attribute__((visibility("default"))) const char *__lsan_default_options(void) {
    return "use_tls=0:print_suppressions=0";
}

const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void) {
    return "leak:ld-linux-*.so\nleak:libVkLayer_khronos_validation.so\n"
           "leak:pocl_aligned_malloc\nleak:libobjc.so\n";
}

/* The text that dlerror keeps for each thread is lost with it, too, and can be named only where the
 * C library's symbols are installed. Asking for it a second time gives it back. */
__attribute__((destructor)) static void forget_loader_error(void) {
    dlerror();
    dlerror();
}

#define STOPPED_BY_SANITIZER 1 /* exit status of ASan, LSan within ASan, and UBSan within ASan */

static void *volatile kept;
static volatile int largest = INT_MAX;

START_TEST(a_leak_is_seen)
{
    kept = malloc(4321);
    kept = NULL;
}
END_TEST

START_TEST(a_read_past_the_end_is_seen)
{
    char *volatile bytes = malloc(8);
    memset(bytes, 0, 8);
    largest = bytes[8];
    free(bytes);
}
END_TEST

START_TEST(a_signed_overflow_is_seen)
{ largest = largest + 1; }
END_TEST

#elif IS_THREAD_SANITIZED

#define STOPPED_BY_SANITIZER 66 /* exit status of ThreadSanitizer */

static int shared;

static void *count(void *unused) {
    (void)unused;
    shared++;
    return NULL;
}

START_TEST(a_race_is_seen)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, count, NULL), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
END_TEST

#endif

Suite *sanitizer_suite(void) {
    Suite *suite = suite_create("sanitizer");
#if IS_SANITIZED
    TCase *seen = tcase_create("seen");
    tcase_add_checked_fixture(seen, hush, NULL);
    tcase_add_exit_test(seen, a_leak_is_seen, STOPPED_BY_SANITIZER);
    tcase_add_exit_test(seen, a_read_past_the_end_is_seen, STOPPED_BY_SANITIZER);
    tcase_add_exit_test(seen, a_signed_overflow_is_seen, STOPPED_BY_SANITIZER);
    suite_add_tcase(suite, seen);
#elif IS_THREAD_SANITIZED
    TCase *seen = tcase_create("seen");
    tcase_add_checked_fixture(seen, hush, NULL);
    tcase_add_exit_test(seen, a_race_is_seen, STOPPED_BY_SANITIZER);
    suite_add_tcase(suite, seen);
#endif
    return suite;
}
