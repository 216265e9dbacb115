/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int adi_output_open(struct adi_output *out, const char *path, struct adi_error *error) {
    bool is_stdout = strcmp(path, "-") == 0;
    *out = (struct adi_output){path, is_stdout ? stdout : fopen(path, "we")};
    if (out->file != NULL) return 0;
    return adi_error_set(error, errno, "%s cannot be written: %s", path, strerror(errno));
}

bool adi_output_same(const struct adi_output *a, const struct adi_output *b) {
    struct stat left, right;
    if (a->file == NULL || b->file == NULL) return false;
    if (a->file == b->file) return true;
    if (fstat(fileno(a->file), &left) != 0 || fstat(fileno(b->file), &right) != 0) return false;
    return S_ISREG(left.st_mode) && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

int adi_output_close(struct adi_output *out, struct adi_error *error) {
    if (out->file == NULL) return 0;
    bool failed = fflush(out->file) != 0 || ferror(out->file);
    int code = errno; /* of the write that failed, be it this one or an earlier one */
    if (out->file != stdout && fclose(out->file) != 0) {
        code = errno;
        failed = true;
    }
    out->file = NULL;
    if (!failed) return 0;
    code = code == 0 ? EIO : code;
    return adi_error_set(error, code, "%s could not be written to its end: %s", out->path,
                         strerror(code));
}
