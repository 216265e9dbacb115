/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck new NAME: an adapter to fill in. The text is new_adapter.inc, in which @NAME@ stands for
 * the name and @INCLUDE@ for the options that find the headers.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd_options.h"

static const char text[] =
#include "new_adapter.inc"
    ;

#define NAME_MOST    64
#define INCLUDE_SIZE (PATH_MAX + 64)

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

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

static void write_adapter(FILE *out, const char *name, const char *include) {
    for (const char *at = text; *at != '\0';) {
        size_t plain = strcspn(at, "@");
        fwrite(at, 1, plain, out);
        at += plain;
        if (*at == '\0') break;
        bool is_name = strncmp(at, "@NAME@", strlen("@NAME@")) == 0;
        fputs(is_name ? name : include, out);
        at = strchr(at + 1, '@') + 1;
    }
}

static int check_name(const struct adi_command *command, const char *name) {
    size_t length = strspn(name, LETTERS DIGITS "_-");
    if (length <= NAME_MOST && name[length] == '\0' && strspn(name, LETTERS) > 0) return 0;
    return adi_usage(command,
                     "'%s' is no name; wanted a letter, then letters, digits, '_' or '-' (at most "
                     "%d), without a folder or an ending",
                     name, NAME_MOST);
}

static int write_new(const struct adi_command *command, const char *name) {
    char path[NAME_MOST + 3], include[INCLUDE_SIZE];
    ADI_TRY(check_name(command, name));
    snprintf(path, sizeof path, "%s.c", name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
        return adi_usage(command, "%s is there already; choose another name or move it away", path);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out == NULL) return adi_usage(command, "%s cannot be written: %s", path, strerror(errno));
    find_include(include);
    write_adapter(out, name, include);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        unlink(path);
        fprintf(stderr, "adicheck new: %s could not be written to its end\n", path);
        return ADI_EXIT_UNDECIDED;
    }
    printf("%s is written. Fill in what %s can do, then\n\n"
           "  cc -shared -fPIC %s %s -o lib%s.so\n"
           "  adicheck run ./lib%s.so\n\n"
           "It needs two headers, <adicheck/adapter.h> and abi.h beside it: name their folder by "
           "-I, or "
           "copy\nboth into a folder adicheck of your own.\n",
           path, name, include, path, name, name);
    return ADI_EXIT_OK;
}

static int write_one(const struct adi_command *command, const struct adi_options *options,
                     void *none) {
    (void)none;
    if (options->n_arguments == 1) return write_new(command, options->arguments[0]);
    return adi_usage(command, "wanted one name: `adicheck new mine` writes mine.c");
}

int adi_cmd_new(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option none[] = {{0}};
    return adi_options_act(command, none, argc, argv, NULL, write_one);
}
