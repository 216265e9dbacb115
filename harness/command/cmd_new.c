/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck new NAME: an adapter to fill in, in the language that --lang names.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_options.h"
#include "new_frames.h"

#define NAME_MOST    64
#define INCLUDE_SIZE (PATH_MAX + 64)
#define PATH_SIZE    (2 * NAME_MOST)

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* ---- the texts ---- */

/* What stands for @NAME@, @CRATE@, @INCLUDE@. */
struct words {
    const char *name;
    char crate[NAME_MOST + 1], include[INCLUDE_SIZE];
};

static bool is_plain(const char *path) {
    return path[strspn(path, LETTERS DIGITS "/._+-")] == '\0';
}

/* The option that finds the headers, of the build or the installation that this program is of. */
static void find_include(char out[INCLUDE_SIZE]) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length < 0 ? 0 : length] = '\0';
    for (char *slash; is_plain(folder) && (slash = strrchr(folder, '/')) != NULL;) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/include/adicheck/adapter.h", folder);
        snprintf(out, INCLUDE_SIZE, "-I %s/include", folder);
        if (access(path, R_OK) == 0) return;
    }
    snprintf(out, INCLUDE_SIZE, "$(pkg-config --cflags adicheck)");
}

static void find_words(struct words *out, const char *name) {
    out->name = name;
    size_t n = 0;
    for (; name[n] != '\0'; n++) out->crate[n] = name[n] == '-' ? '_' : (char)tolower(name[n]);
    out->crate[n] = '\0';
    find_include(out->include);
}

static void write_text(FILE *out, const char *text, const struct words *words) {
    for (const char *at = text; *at != '\0';) {
        size_t plain = strcspn(at, "@");
        fwrite(at, 1, plain, out);
        at += plain;
        if (*at == '\0') break;
        fputs(at[1] == 'N' ? words->name : at[1] == 'C' ? words->crate : words->include, out);
        at = strchr(at + 1, '@') + 1;
    }
}

/* ---- the files ---- */

/* 0 or an errno value, and then there is no such file. Nothing is written over. */
static int make_file(const char *path, const char *const *lines, const struct words *words) {
    FILE *out = fopen(path, "wxe");
    if (out == NULL) return errno;
    errno = 0;
    for (; *lines != NULL; lines++) write_text(out, *lines, words);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return 0;
    int code = errno == 0 ? EIO : errno;
    unlink(path);
    return code;
}

static int make(const char *path, const struct adi_frame_file *file, const struct words *words) {
    if (file->lines != NULL) return make_file(path, file->lines, words);
    return mkdir(path, 0777) == 0 ? 0 : errno;
}

/* All files of the frame or none. `path` is then the one that could not be made. */
static int make_all(const struct adi_frame *frame, const struct words *words,
                    char path[PATH_SIZE]) {
    int code = 0;
    size_t n = 0;
    for (; code == 0 && frame->files[n].ending != NULL; n++) {
        snprintf(path, PATH_SIZE, "%s%s", words->name, frame->files[n].ending);
        code = make(path, &frame->files[n], words);
    }
    if (code == 0) return 0;
    for (size_t made = n - 1; made > 0; made--) {
        char away[PATH_SIZE];
        snprintf(away, PATH_SIZE, "%s%s", words->name, frame->files[made - 1].ending);
        remove(away);
    }
    return code;
}

/* ---- the command ---- */

static int check_name(const struct adi_command *command, const char *name) {
    size_t length = strspn(name, LETTERS DIGITS "_-");
    if (length <= NAME_MOST && name[length] == '\0' && strspn(name, LETTERS) > 0) return 0;
    return adi_usage(command,
                     "'%s' is no name; wanted a letter, then letters, digits, '_' or '-' (at most "
                     "%d), without a folder or an ending",
                     name, NAME_MOST);
}

static int write_new(const struct adi_command *command, const struct adi_frame *frame,
                     const char *name) {
    struct words words;
    char path[PATH_SIZE];
    ADI_TRY(check_name(command, name));
    find_words(&words, name);
    int code = make_all(frame, &words, path);
    if (code == EEXIST)
        return adi_usage(command, "%s is there already; choose another name or move it away", path);
    if (code == ENOSPC || code == EFBIG || code == EDQUOT || code == EIO) {
        fprintf(stderr, "adicheck new: %s could not be written to its end: %s\n", path,
                strerror(code));
        return ADI_EXIT_UNDECIDED;
    }
    if (code != 0) return adi_usage(command, "%s cannot be written: %s", path, strerror(code));
    write_text(stdout, frame->next, &words);
    return ADI_EXIT_OK;
}

static int take_language(const char *text, void *into, struct adi_error *error) {
    const struct adi_frame *frame = adi_frame_find(text);
    if (frame == NULL) return adi_error_set(error, EINVAL, ADI_LANGUAGES);
    memcpy(into, &frame, sizeof frame);
    return 0;
}

static int write_one(const struct adi_command *command, const struct adi_options *options,
                     void *frame) {
    if (options->n_arguments == 1)
        return write_new(command, *(const struct adi_frame **)frame, options->arguments[0]);
    return adi_usage(command, "wanted one name: `adicheck new mine` writes mine.c");
}

int adi_cmd_new(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option table[] = {
        {"lang", "LANGUAGE", ADI_LANGUAGES " (c)", take_language, 0},
        {0},
    };
    const struct adi_frame *frame = adi_frame_find("c");
    return adi_options_act(command, table, argc, argv, &frame, write_one);
}
