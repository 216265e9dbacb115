/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device_types.h"
#include "devices.h"
#include "host.h"
#include "slow.h"

Suite *devices_cpu_suite(void);

static struct adi_device device;
static const struct adi_device_ops *ops;

static void set_up(void) {
    ck_assert_int_eq(adi_device_cpu.open(-1, &device, NULL), 0);
    ops = device.ops;
}

START_TEST(there_is_one_and_its_id_is_minus_one)
{
    struct adi_device_probe probe;
    struct adi_error error;
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 1);
    ck_assert_int_eq(probe.ids[0], -1);
    ck_assert_str_eq(probe.runtime, "native");
    ck_assert_int_eq(device.id, -1);
    ck_assert_int_eq(ops->open(0, &device, NULL), 0);
    ck_assert_int_eq(ops->open(1, &device, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no cpu:1; the id of a cpu is -1");
}
END_TEST

START_TEST(what_is_written_is_read)
{
    void *buffer, *event = &device;
    char out[4] = "";
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, NULL), 0);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    ck_assert_int_eq(ops->write(&device, buffer, 97, "abc", 3, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
    ck_assert_ptr_null(event);
    ck_assert_int_eq(ops->wait(&device, event, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, NULL), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 97, out, 3, NULL), 0);
    ck_assert_str_eq(out, "abc");
    ck_assert_int_eq(ops->read(&device, NULL, 0, out, 0, NULL), 0);
    ops->free(&device, buffer);
}
END_TEST

static void expect_closed_page_refused(void) {
    enum {
        PAGES = 200,
        CLOSED = 150
    };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *out = malloc(PAGES * page), wanted[100];
    struct adi_error error;
    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(ops->read(&device, pages, 0, out, (int64_t)(PAGES * page), NULL), 0);
    ck_assert_int_eq(mprotect(pages + CLOSED * page, page, PROT_NONE), 0);
    snprintf(wanted, sizeof wanted, "the memory at %p is not readable",
             (void *)(pages + CLOSED * page));
    ck_assert_int_eq(ops->read(&device, pages, 1, out, (int64_t)(PAGES * page) - 1, &error),
                     EFAULT);
    ck_assert_str_eq(error.text, wanted);
    ck_assert_int_eq(ops->read(&device, pages, 0, out, (int64_t)(CLOSED * page), NULL), 0);
    ck_assert_int_eq(ops->read(&device, pages + CLOSED * page, -1, out, 1, NULL), EFAULT);
    munmap(pages, PAGES * page);
    free(out);
}

START_TEST(unreadable_memory_is_refused_at_its_first_byte)
{ expect_closed_page_refused(); }
END_TEST

/* Containers often forbid the call that looks at many pages at once. */
static void forbid_process_vm_readv(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

START_TEST(unreadable_memory_is_refused_where_system_calls_are_forbidden)
{
    forbid_process_vm_readv();
    expect_closed_page_refused();
}
END_TEST

START_TEST(a_look_says_what_a_read_would_and_leaves_errno_alone)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    errno = EDOM;
    ck_assert(adi_host_is_readable(pages, page));
    ck_assert(adi_host_is_readable(pages + page - 1, 1));
    ck_assert(!adi_host_is_readable(pages + page - 1, 2));
    ck_assert(!adi_host_is_readable(pages + page, 1));
    ck_assert(!adi_host_is_readable(NULL, 1));
    ck_assert(!adi_host_is_readable((void *)(UINTPTR_MAX - 7), 9));
    ck_assert(adi_host_is_readable(NULL, 0));
    ck_assert_int_eq(errno, EDOM);
    munmap(pages, 2 * page);
}
END_TEST

START_TEST(wild_pointers_are_refused)
{
    char out[16];
    const void *wild[] = {NULL, (void *)8, (void *)(UINTPTR_MAX - 8),
                          (void *)(UINTPTR_MAX / 3 * 2)};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->read(&device, wild[i], 0, out, sizeof out, NULL), EFAULT);
    ck_assert_int_eq(ops->read(&device, out, 0, out, -1, NULL), EFAULT);
    ck_assert_int_eq(ops->read(&device, out, INT64_MAX, out, INT64_MAX, NULL), EFAULT);
}
END_TEST

#if IS_SANITIZED
START_TEST(poisoned_memory_is_refused)
{
    char *volatile buffer = malloc(8), out[16], wanted[100];
    struct adi_error error;
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 8, NULL), 0);
    snprintf(wanted, sizeof wanted, "the memory at %p is poisoned (AddressSanitizer)",
             (void *)(buffer + 8));
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 9, &error), EFAULT);
    ck_assert_str_eq(error.text, wanted);
    free(buffer);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 1, NULL), EFAULT);
}
END_TEST
#else
/* AddressSanitizer ends the process instead. */
START_TEST(too_much_is_refused)
{
    void *buffer;
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &buffer, NULL), ENOMEM);
}
END_TEST
#endif

START_TEST(the_registry_finds_it)
{
    size_t count = 0;
    while (adi_device_at(count) != NULL) {
        const struct adi_device_ops *one = adi_device_at(count++);
        ck_assert_uint_le(one->size, sizeof *one);
        ck_assert_ptr_eq(adi_device_named(one->name), one);
        ck_assert_ptr_eq(adi_device_of(one->type), one);
        ck_assert_str_eq(adi_device_type_name(one->type), one->name);
    }
    ck_assert_uint_ge(count, 1);
    ck_assert_ptr_eq(adi_device_named("cpu"), &adi_device_cpu);
    ck_assert_ptr_null(adi_device_named("abacus"));
    ck_assert_ptr_null(adi_device_of(0));
}
END_TEST

START_TEST(types_have_names_and_events)
{
    size_t count = 0;
    for (const struct adi_device_type *type; (type = adi_device_type_at(count)) != NULL; count++) {
        ck_assert_ptr_eq(adi_device_type_find(type->type), type);
        ck_assert_ptr_eq(adi_device_type_named(type->name), type);
    }
    ck_assert_uint_eq(count, 14);
    ck_assert_str_eq(adi_device_type_find(ARROW_DEVICE_METAL)->event_type, "MTLEvent*");
    ck_assert_int_eq(adi_device_type_of(ARROW_DEVICE_METAL)->event, ADI_EVENT_OBJECT);
    ck_assert(!adi_device_type_has_event(ARROW_DEVICE_CPU));
    ck_assert(!adi_device_type_has_event(ARROW_DEVICE_HEXAGON));
    ck_assert(adi_device_type_has_event(ARROW_DEVICE_OPENCL));
    ck_assert_ptr_null(adi_device_type_named("abacus"));
}
END_TEST

/* C device data interface, "Synchronization event types", and what is said of each macro. */
START_TEST(each_row_agrees_with_the_others_of_its_family)
{
    for (size_t i = 0; adi_device_type_at(i) != NULL; i++) {
        const struct adi_device_type *row = adi_device_type_at(i);
        const struct adi_device_type *head = adi_device_type_find(row->family);
        ck_assert_ptr_nonnull(head);
        ck_assert_int_eq(head->family, row->family);
        ck_assert_int_eq(row->event, head->event);
        ck_assert_pstr_eq(row->event_type, head->event_type);
        ck_assert_int_eq(row->event == ADI_EVENT_NONE, row->event_type == NULL);
        ck_assert_int_eq(row->buffer, head->buffer);
        /* What the host allocated by way of a runtime is of no device's own. */
        ck_assert_int_eq(row->ids == ADI_IDS_LOOSE, row != head);
        ck_assert_int_eq(row->host == ADI_HOST_YES,
                         row != head || adi_device_type_is_cpu(row->type));
        if (row->host == ADI_HOST_YES) ck_assert_int_eq(row->buffer, ADI_BUFFER_IS_ADDRESS);
        ck_assert_int_eq(adi_device_type_is_cpu(row->type), strcmp(row->name, "cpu") == 0);
    }
}
END_TEST

/* Does the CPU find at the buffer value what the device has there? */
static bool cpu_follows(const void *buffer, const char *data, size_t bytes) {
    char seen[64] = "";
    return adi_host_read(buffer, 0, seen, (int64_t)bytes, NULL) == 0 &&
           memcmp(seen, data, bytes) == 0;
}

START_TEST(each_device_is_as_the_row_of_its_type_says)
{
    static const char data[] = "what the row says of the device";
    ops = adi_device_at((size_t)_i);
    const struct adi_device_type *row = adi_device_type_find(ops->type);
    struct adi_device_probe found;
    struct adi_device one;
    void *buffer, *sync_event;
    setenv("ADI_CUDA", "sim", 1);
    ops->probe(&found);
    if (found.count == 0) {
        printf("skip: %s: there is none\n", ops->name);
        return;
    }
    ck_assert_int_eq(ops->open(found.ids[0], &one, NULL), 0);
    ck_assert_int_eq(ops->alloc(&one, sizeof data, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&one, buffer, 0, data, sizeof data, NULL), 0);
    ck_assert_int_eq(ops->event(&one, &sync_event, NULL), 0);
    ck_assert_int_eq(sync_event == NULL, row->event == ADI_EVENT_NONE);
    void *handle = adi_device_type_event(row->type, sync_event);
    ck_assert_int_eq(handle != NULL, row->event != ADI_EVENT_NONE);
    ck_assert_int_eq(handle != sync_event, row->event == ADI_EVENT_ADDRESS);
    ck_assert_int_eq(ops->wait_host(&one, sync_event, NULL), 0);
    if (row->host != ADI_HOST_ASK)
        ck_assert_int_eq(cpu_follows(buffer, data, sizeof data), row->host == ADI_HOST_YES);
    if (row->buffer == ADI_BUFFER_IS_ADDRESS) ck_assert(!ADI_DEVICE_HAS(ops, is_address));
    if (sync_event != NULL) ops->event_free(&one, sync_event);
    ops->free(&one, buffer);
    ops->close(&one);
}
END_TEST

START_TEST(of_an_unknown_type_nothing_is_taken_for_granted)
{
    static const ArrowDeviceType types[] = {0, 5, 17, 257, -1};
    int event = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        ck_assert_ptr_null(adi_device_type_find(types[i]));
        ck_assert_str_eq(adi_device_type_name(types[i]), "unknown");
        ck_assert(adi_device_type_has_event(types[i]) && !adi_device_type_is_cpu(types[i]));
        ck_assert_ptr_eq(adi_device_type_event(types[i], &event), &event);
    }
}
END_TEST

Suite *devices_cpu_suite(void) {
    Suite *suite = suite_create("devices_cpu");
    TCase *tests = tcase_create("cpu"), *registry = tcase_create("registry");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, there_is_one_and_its_id_is_minus_one);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, unreadable_memory_is_refused_at_its_first_byte);
    tcase_add_test(tests, unreadable_memory_is_refused_where_system_calls_are_forbidden);
    tcase_add_test(tests, a_look_says_what_a_read_would_and_leaves_errno_alone);
    tcase_add_test(tests, wild_pointers_are_refused);
#if IS_SANITIZED
    tcase_add_test(tests, poisoned_memory_is_refused);
#else
    tcase_add_test(tests, too_much_is_refused);
#endif
    suite_add_tcase(suite, tests);
    tcase_add_test(registry, the_registry_finds_it);
    tcase_add_test(registry, types_have_names_and_events);
    tcase_add_test(registry, each_row_agrees_with_the_others_of_its_family);
    int devices = 0;
    while (adi_device_at((size_t)devices) != NULL) devices++;
    tcase_add_loop_test(registry, each_device_is_as_the_row_of_its_type_says, 0, devices);
    tcase_add_test(registry, of_an_unknown_type_nothing_is_taken_for_granted);
    suite_add_tcase(suite, registry);
    return suite;
}
