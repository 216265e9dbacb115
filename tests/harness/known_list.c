/* SPDX-License-Identifier: Apache-2.0 */
#include "known_list.h"

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int known_list_read(const char *text, size_t bytes, struct adi_known **out,
                    struct adi_error *error) {
    char path[64];
    int fd = memfd_create("known", MFD_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, bytes), (ssize_t)bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int code = adi_known_read(path, out, error);
    close(fd);
    return code;
}

struct adi_known *known_list_of(const char *text) {
    struct adi_known *known = NULL;
    struct adi_error error = {""};
    ck_assert_msg(known_list_read(text, strlen(text), &known, &error) == 0, "%s", error.text);
    return known;
}
