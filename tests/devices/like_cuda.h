/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a device by a runtime like CUDA's: buffer values are pointers, an event is an address of a
 * handle, streams have numbers. Included once by the test of one, which has these, and MAKER, by
 * whose name the device's errors call the runtime.
 */
#ifndef TESTS_DEVICES_LIKE_CUDA_H
#define TESTS_DEVICES_LIKE_CUDA_H

static const struct adi_device_ops *ops;
static struct adi_device device;
static struct adi_error error;
static void set_up(int which);

START_TEST(what_is_written_is_read)
{
    void *buffer, *event;
    char out[9] = "";
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 1000, &buffer, &error), 0);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    ck_assert_int_eq(ops->write(&device, buffer, 991, "abcdefgh", 9, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, NULL, 0, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, &error), 0);
    ck_assert_int_eq(ops->wait(&device, NULL, &error), 0);
    ck_assert_int_eq(ops->wait_host(&device, NULL, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 991, out, 9, &error), 0);
    ck_assert_str_eq(out, "abcdefgh");
    ck_assert_int_eq(ops->read(&device, NULL, 0, out, 0, &error), 0);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    void *buffer;
    char out[16] = "";
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 1, out, 8, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "8 bytes at byte 1 of"));
    const void *wild[] = {NULL, out, (void *)8, (void *)(UINTPTR_MAX - 8), (char *)buffer + 8};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->read(&device, wild[i], 0, out, 4, &error), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, -1, out, 1, &error), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, INT64_MAX, out, INT64_MAX, &error), EFAULT);
    ck_assert_int_eq(ops->alloc(&device, 0, &buffer, &error), EINVAL);
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &buffer, &error), ENOMEM);
    ck_assert(!ops->accessible(&device, out, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "is no memory that " MAKER " knows"));
    ops->free(&device, buffer);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 4, &error), EFAULT);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    void *event, *null = NULL;
    static char closed[64];
    set_up(_i);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    void *const wild[] = {*(void **)event, &null, (void *)8, closed};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        ck_assert_int_eq(ops->wait(&device, wild[i], &error), EINVAL);
        ck_assert_int_eq(ops->wait_host(&device, wild[i], &error), EINVAL);
    }
    void *dead = *(void **)event;
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->wait_host(&device, &dead, &error), EINVAL);
    ops->close(&device);
}
END_TEST

static void *free_it(void *buffer) {
    ops->free(&device, buffer);
    return NULL;
}

START_TEST(memory_is_freed_on_any_thread)
{
    void *buffer;
    pthread_t thread;
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, &error), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, free_it, buffer), 0);
    pthread_join(thread, NULL);
    ck_assert(!ops->accessible(&device, buffer, &error));
    ops->close(&device);
}
END_TEST

START_TEST(a_stream_that_is_none_is_refused)
{
    void *event = NULL;
    set_up(_i);
    ck_assert_int_eq(ops->record_on(&device, (void *)4711, &event, &error), EINVAL);
    ck_assert_ptr_null(event);
    for (uintptr_t number = 0; number <= 2; number++) { /* the default ones */
        ck_assert_int_eq(ops->record_on(&device, (void *)number, &event, &error), 0);
        ck_assert_int_eq(ops->wait_on(&device, (void *)number, event, &error), 0);
        ops->event_free(&device, event);
    }
    ops->close(&device);
}
END_TEST

static void add_tests_like_cuda(TCase *tests, int n_backends) {
    tcase_add_loop_test(tests, what_is_written_is_read, 0, n_backends);
    tcase_add_loop_test(tests, what_is_not_there_is_refused, 0, n_backends);
    tcase_add_loop_test(tests, what_is_no_event_is_refused, 0, n_backends);
    tcase_add_loop_test(tests, memory_is_freed_on_any_thread, 0, n_backends);
    tcase_add_loop_test(tests, a_stream_that_is_none_is_refused, 0, n_backends);
}

#endif /* TESTS_DEVICES_LIKE_CUDA_H */
