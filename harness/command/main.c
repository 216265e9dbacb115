/* SPDX-License-Identifier: Apache-2.0
 *
 * The command: which word stands first, and who takes it from there.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd_options.h"
#include "nearest.h"
#include "rule.h"
#include "worker.h"

static int not_built(const struct adi_command *command, int argc, const char **argv) {
    (void)argc, (void)argv;
    return adi_usage(command, "has not been built yet; `adicheck --help` lists what there is");
}

static int help(const struct adi_command *command, int argc, const char **argv);

static const struct adi_command commands[] = {
    {"run", "[ADAPTER.so ...]", "judges implementations; with none, the reference judges itself",
     "  adicheck run                                  the reference, on every device\n"
     "  adicheck run ./libmine.so --json report.json  an implementation, and the record\n"
     "  adicheck run ./libmine.so --case 'int32/*'    only the cases of int32\n"
     "  adicheck run ./libmine.so --rule 'life/*' --device cpu\n"
     "  gdb --args adicheck run ./libmine.so --in-process --case int32/nulls/export\n"
     "\n"
     "Exit status: 1 a MUST was broken, 2 undecided, 0 conformant, 254 usage, 255 a bug of ours.\n",
     adi_cmd_run},
    {"devices", "", "what devices were found, and why others were not",
     "  adicheck devices --json -                     the same as JSON\n", adi_cmd_devices},
    {"list", "[rules|cases|types|...]",
     "lists the rules, a line each; or the cases, types, shapes, the life cycle, the handles",
     "  adicheck list | grep MUST\n  adicheck list cases\n"
     "  adicheck list types                           what a program may export, and its format\n"
     "  adicheck list shapes                          and what is odd about it: struct/nulls\n"
     "  adicheck list life                            docs/life-cycle.md\n"
     "  adicheck list handles                         docs/handles.md\n",
     adi_cmd_list},
    {"explain", "[RULE]", "everything about a rule, or about what the last run found",
     "  adicheck explain array/reserved-not-zero      what, why, who, how it is found and mended\n"
     "  adicheck explain --last                       what the last run found, drawn with letters\n"
     "  adicheck explain --last 'sync/*'              only this\n"
     "  adicheck explain --record report.json         what a record of --json says\n",
     adi_cmd_explain},
    {"new", "NAME", "writes an adapter to fill in, in C, C++, Rust or Go",
     "  adicheck new mine                             writes mine.c and says how to build it\n"
     "  adicheck new mine --lang rust                 a package in Rust, in the folder mine\n",
     adi_cmd_new},
    {"replay", "'DEVICE TYPE STEP ...'", "plays a program of operations and says what happens",
     "  adicheck replay 'cpu struct e0 m01 r1 x1'     export, move, read, release\n"
     "  adicheck replay 'cpu struct e0 c0.1>2 r2'     a child is read, its parent not released\n"
     "  adicheck replay 'cpu struct se0 sn0>1 x0 r1 x1'           a chunk outlives its stream\n"
     "  adicheck replay --emit-c 'cpu struct e0 x0 x0' > it.c     a program in C\n"
     "  adicheck replay --as producer --adapter ./libmine.so 'cpu struct e0 m01 x1'\n"
     "\n"
     "`adicheck help program` explains the steps. TYPE may name a shape: struct/nulls.\n"
     "\n"
     "Exit status: 1 a MUST was broken, 2 undecided, 0 all legal, 254 usage, 255 a bug of ours.\n",
     adi_cmd_replay},
    {"sim", "[OPTION...] -- CMD ...", "runs a program on simulated devices", "", not_built},
    {"fuzz", "[ADAPTER.so ...]", "makes programs up, and reports the shortest that fail",
     "  adicheck fuzz ./libmine.so --time 60          an implementation, for a minute\n"
     "  adicheck fuzz --time 10 --seed 7              the reference, with other programs\n"
     "\n"
     "Exit status: 1 a MUST was broken, 2 undecided, 0 nothing was found, 254 usage, 255 a bug of "
     "ours.\n",
     adi_cmd_fuzz},
    {"help", "[COMMAND|program]", "this text, or a command's, or what the words of a program mean",
     "", help},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static const char *command_name_at(size_t index) {
    return index < COMMANDS ? commands[index].name : NULL;
}

static const struct adi_command *find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int write_help(FILE *out) {
    fputs("adicheck: does an implementation keep to the Arrow C Device data interface?\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++) {
        char left[48];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].arguments);
        fprintf(out, "  adicheck %-28s  %s%s\n", left, commands[i].what,
                commands[i].main == not_built ? " (not built yet)" : "");
    }
    fputs(
        "\n  adicheck COMMAND --help                says more; adicheck --version\n\n"
        "Examples:\n"
        "  adicheck run                           the reference judges itself\n"
        "  adicheck new mine                      an adapter for your implementation: fill it in\n"
        "  adicheck run ./libmine.so              judges it on every device\n"
        "  adicheck explain life/release-twice    what a rule means and how to keep it\n",
        out);
    return ADI_EXIT_OK;
}

static int write_program(void) {
    fputs(
        "A program is what is done with arrays, streams and asynchronous streams: a sample, then "
        "steps.\n"
        "\n"
        "  struct/nulls e0 c0.1>2 x0 r2 x2\n"
        "\n"
        "The sample is TYPE or TYPE/SHAPE (`adicheck list types`, `adicheck list shapes`). A "
        "step is\n"
        "a letter and the numbers of the slots, 0 to 3, in which structures lie:\n"
        "\n"
        "  e0      export to slot 0           p0      export with an event, the data to come\n"
        "  m01     move from slot 0 to 1      y01     relay: import and export without a copy\n"
        "  c0.1>2  move child 1 of 0 to 2     d0>2    move the dictionary of 0 to 2\n"
        "  w0      wait on the event of 0     r0      read the buffers\n"
        "  x0      call the release callback  X0.1    call that of child 1, in its place\n"
        "  u0      consume                    z0      forget what is in slot 0\n"
        "  t+ t-   from here on releases come from another thread, or no longer\n"
        "\n"
        "m, x, t and z do so with whatever lies there. Those about streams:\n"
        "\n"
        "  se0     export a stream            sp0     each chunk with an event, the data to come\n"
        "  sf0     one that fails             sl0     call get_last_error\n"
        "  sn0>1   get_next, chunk to 1       sh0>1   get_schema, the schema to 1\n"
        "  hr1     read the schema            sy01    relay: what remains of it, to slot 1\n"
        "  su0     consume what remains\n"
        "\n"
        "Those about asynchronous streams, each of two tasks, and their tasks:\n"
        "\n"
        "  ae0     hand a handler over        ap0     each array with an event, the data to come\n"
        "  af0     one that fails             an0>1   wait for on_next_task, its task to 1\n"
        "  ar0     call request, with 1       aq0     with 0\n"
        "  ac0     call cancel                ak0     call it within the handler's release\n"
        "  aj0     request one more, and answer an error to its on_next_task\n"
        "  ke1>2   extract_data of the task in 1, the array to 2\n"
        "\n"
        "x0 brings the handler's release about, x1 gives the task in 1 up (extract_data without an "
        "array).\n"
        "`adicheck list life` says which are legal when; `adicheck replay` plays a program.\n",
        stdout);
    return ADI_EXIT_OK;
}

static int unknown(const char *word) {
    struct adi_error near;
    adi_nearest_text(word, command_name_at, &near);
    fprintf(stderr, "adicheck: no command is named %s%s; `adicheck --help` lists them\n", word,
            near.text);
    return ADI_EXIT_USAGE;
}

static int help(const struct adi_command *command, int argc, const char **argv) {
    (void)command;
    if (argc < 2) return write_help(stdout);
    if (strcmp(argv[1], "program") == 0) return write_program();
    const struct adi_command *about = find(argv[1]);
    if (about == NULL) return unknown(argv[1]);
    const char *words[] = {about->name, "--help", NULL};
    return about->main(about, 2, words);
}

/* What was cut short is no success. */
static int finish(int status) {
    int before = errno; /* of the write that failed, where it was not the last */
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fprintf(stderr, "adicheck: standard output could not be written to its end: %s\n",
            strerror(errno != 0    ? errno
                     : before != 0 ? before
                                   : EIO));
    return status == ADI_EXIT_OK ? ADI_EXIT_UNDECIDED : status;
}

static int obey(int argc, char **argv) {
    if (argc < 2) {
        write_help(stderr);
        return ADI_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return write_help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        puts("adicheck " ADI_VERSION " (rules " ADI_RULES_VERSION ")");
        return ADI_EXIT_OK;
    }
    const struct adi_command *command = find(argv[1]);
    if (command == NULL) return unknown(argv[1]);
    return command->main(command, argc - 1, (const char **)argv + 1);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], ADI_WORKER_COMMAND) == 0) return adi_worker_main(argc, argv);
    return finish(obey(argc, argv));
}
