/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const struct adi_output *out, int code, struct adi_error *error) {
    return adi_error_set(error, code, "%s cannot be written: %s", out->path, strerror(code));
}

/* Where the file really lies, so that a link stays one. ENOENT: in no folder. */
static int resolve(struct adi_output *out) {
    char folder[PATH_MAX], name[PATH_MAX], where[PATH_MAX];
    if (realpath(out->path, out->target) != NULL) return 0;
    if (errno != ENOENT) return errno;
    if (strlen(out->path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(folder, out->path);
    strcpy(name, out->path);
    if (realpath(dirname(folder), where) == NULL) return errno;
    int length = snprintf(out->target, PATH_MAX, "%s/%s", where, basename(name));
    return length < PATH_MAX ? 0 : ENAMETOOLONG;
}

/* Makes the file beside the target. -1: errno says why. */
static int make_beside(struct adi_output *out) {
    const char *slash = strrchr(out->target, '/'); /* it is absolute */
    snprintf(out->beside, sizeof out->beside, "%.*s/.%.200s.%ld", (int)(slash - out->target),
             out->target, slash + 1, (long)getpid());
    return open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* A regular file that may be written, or nothing yet. */
static int expect_writable(const struct adi_output *out, bool *is_regular) {
    struct stat there;
    *is_regular = true;
    if (lstat(out->target, &there) != 0) return errno == ENOENT ? 0 : errno;
    *is_regular = S_ISREG(there.st_mode);
    if (S_ISDIR(there.st_mode)) return EISDIR;
    return access(out->target, W_OK) == 0 ? 0 : errno;
}

int adi_output_open(struct adi_output *out, const char *path, struct adi_error *error) {
    bool is_regular;
    *out = (struct adi_output){.path = path};
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return 0;
    }
    int code = resolve(out);
    if (code == 0) code = expect_writable(out, &is_regular);
    if (code != 0) return refuse(out, code, error);
    int made = is_regular ? make_beside(out) : -1;
    int why = errno; /* not beside it, and so not in its folder either if it is not there yet */
    if (made >= 0) {
        close(made);
        unlink(out->beside);
        return 0;
    }
    out->beside[0] = '\0';
    out->file = fopen(path, is_regular ? "r+e" : "we");
    if (out->file != NULL) return 0;
    return refuse(out, is_regular && errno == ENOENT ? why : errno, error);
}

void adi_output_give_up(FILE *file) {
    clearerr(file);
    __fpurge(file);
}

bool adi_output_same(const struct adi_output *a, const struct adi_output *b) {
    if (a->path == NULL || b->path == NULL) return false;
    if (a->beside[0] != '\0' || b->beside[0] != '\0') return strcmp(a->target, b->target) == 0;
    struct stat left, right;
    if (a->file == b->file) return true;
    if (fstat(fileno(a->file), &left) != 0 || fstat(fileno(b->file), &right) != 0) return false;
    return S_ISREG(left.st_mode) && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

int adi_output_begin(struct adi_output *out, struct adi_error *error) {
    struct stat there;
    if (out->beside[0] == '\0') return 0;
    int made = make_beside(out);
    if (made < 0) return refuse(out, errno, error);
    if (stat(out->target, &there) == 0) fchmod(made, there.st_mode & 0777);
    out->file = fdopen(made, "w");
    if (out->file != NULL) return 0;
    int code = errno;
    close(made);
    unlink(out->beside);
    return refuse(out, code, error);
}

/* What was there, in place, may have been longer. */
static bool cut(FILE *file) {
    struct stat there;
    off_t end = ftello(file);
    return end < 0 || fstat(fileno(file), &there) != 0 || !S_ISREG(there.st_mode) ||
           ftruncate(fileno(file), end) == 0;
}

/* Closes it; 0 or why it is not whole. */
static int finish(struct adi_output *out, bool whole) {
    FILE *file = out->file;
    bool failed = fflush(file) != 0 || ferror(file);
    int code = errno; /* of the write that failed, be it this one or an earlier one */
    if (!failed && whole && file != stdout && !cut(file)) {
        code = errno;
        failed = true;
    }
    if (failed && file == stdout) adi_output_give_up(file);
    if (file != stdout && fclose(file) != 0) {
        code = errno;
        failed = true;
    }
    out->file = NULL;
    return !failed ? 0 : code == 0 ? EIO : code;
}

int adi_output_end(struct adi_output *out, bool whole, struct adi_error *error) {
    if (out->file == NULL) return 0;
    int code = finish(out, whole);
    if (out->beside[0] != '\0') {
        if (code == 0 && whole && rename(out->beside, out->target) != 0) code = errno;
        if (code != 0 || !whole) unlink(out->beside);
    }
    if (code == 0) return 0;
    return adi_error_set(error, code, "%s could not be written to its end: %s", out->path,
                         strerror(code));
}
