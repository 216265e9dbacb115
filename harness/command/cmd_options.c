/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run_need.h"

#define HELP (ADI_OPTIONS_MOST + 1) /* what popt answers for --help; options answer from 1 on */

static int say(const struct adi_command *command, const char *near, const char *format,
               va_list arguments) {
    struct adi_error sentence;
    vsnprintf(sentence.text, sizeof sentence.text, format, arguments);
    fprintf(stderr, "adicheck %s: %s%s\n", command->name, sentence.text, near);
    return ADI_EXIT_USAGE;
}

int adi_usage(const struct adi_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int status = say(command, "", format, arguments);
    va_end(arguments);
    return status;
}

int adi_unknown(const struct adi_command *command, const char *word, adi_name_at *names,
                const char *format, ...) {
    struct adi_error near;
    va_list arguments;
    adi_nearest_text(word, names, &near);
    va_start(arguments, format);
    int status = say(command, near.text, format, arguments);
    va_end(arguments);
    return status;
}

int adi_take_text(const char *text, void *into, struct adi_error *error) {
    if (text[0] == '\0') return adi_error_set(error, EINVAL, "some text");
    memcpy(into, &text, sizeof text);
    return 0;
}

int adi_take_flag(const char *text, void *into, struct adi_error *error) {
    (void)text, (void)error;
    memcpy(into, &(bool){true}, sizeof(bool));
    return 0;
}

/* A whole number from `least` to `most`, decimal or 0x. */
static int take_whole(const char *text, int64_t least, int64_t most, void *into,
                      struct adi_error *error) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
        return adi_error_set(error, EINVAL, "a whole number from %lld to %lld", (long long)least,
                             (long long)most);
    memcpy(into, &(int64_t){value}, sizeof(int64_t));
    return 0;
}

int adi_take_jobs(const char *text, void *into, struct adi_error *error) {
    return take_whole(text, 1, 1024, into, error);
}

int adi_take_seed(const char *text, void *into, struct adi_error *error) {
    return take_whole(text, 0, INT64_MAX, into, error); /* JSON has no larger ones */
}

int adi_take_memory(const char *text, void *into, struct adi_error *error) {
    return take_whole(text, 16, 1 << 24, into, error);
}

int adi_take_seconds(const char *text, void *into, struct adi_error *error) {
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < 0.01 || value > 86400)
        return adi_error_set(error, EINVAL, "seconds from 0.01 to 86400");
    memcpy(into, &value, sizeof value);
    return 0;
}

/* The options that names are suggested from: adi_nearest wants a list by index. */
static const struct adi_option *suggested;

static const char *suggestion(size_t index) {
    static char names[ADI_OPTIONS_MOST][48];
    if (suggested[index].name == NULL) return NULL;
    snprintf(names[index], sizeof *names, "--%s", suggested[index].name);
    return names[index];
}

static int refuse(const struct adi_command *command, const struct adi_option *options, int code,
                  const char *word) {
    struct adi_error near;
    switch (code) {
    case POPT_ERROR_BADOPT:
        suggested = options;
        adi_nearest_text(word, suggestion, &near);
        return adi_usage(command, "no option is named %s%s; `adicheck %s --help` lists them", word,
                         near.text, command->name);
    case POPT_ERROR_NOARG:
        return adi_usage(command, "%s needs a value behind it; `adicheck %s --help` says which",
                         word, command->name);
    case POPT_ERROR_UNWANTEDARG:
        return adi_usage(command, "%s takes no value; leave out what follows the '='", word);
    default:
        return adi_usage(command, "%s: %s", word, poptStrerror(code));
    }
}

static void fill_table(struct adi_options *out, const struct adi_option *options) {
    size_t n = 0;
    for (; options[n].name != NULL; n++)
        out->table[n] = (struct poptOption){.longName = options[n].name,
                                            .argInfo = options[n].value == NULL ? POPT_ARG_NONE
                                                                                : POPT_ARG_STRING,
                                            .val = (int)n + 1,
                                            .descrip = options[n].help,
                                            .argDescrip = options[n].value};
    out->table[n] = (struct poptOption){
        .longName = "help", .shortName = 'h', .val = HELP, .descrip = "this text"};
}

static void write_help(const struct adi_options *options, const struct adi_command *command) {
    printf("adicheck %s: %s\n\nUsage: adicheck %s [OPTION...] %s\n", command->name, command->what,
           command->name, command->arguments);
    for (const struct poptOption *row = options->table; row->longName != NULL; row++) {
        char left[40];
        snprintf(left, sizeof left, "--%s%s%s", row->longName, row->argDescrip == NULL ? "" : " ",
                 row->argDescrip == NULL ? "" : row->argDescrip);
        printf("  %-18s  %s\n", left, row->descrip);
    }
    if (command->examples[0] != '\0') printf("\nExamples:\n%s", command->examples);
}

/* Stores the value that popt stands at. */
static int take(struct adi_options *out, const struct adi_command *command,
                const struct adi_option *option, void *into) {
    struct adi_error wanted;
    char *text = poptGetOptArg(out->context);
    if (text != NULL) {
        out->texts = adi_need(reallocarray(out->texts, out->n_texts + 1, sizeof *out->texts));
        out->texts[out->n_texts++] = text;
    }
    if (option->take(text, (char *)into + option->offset, &wanted) == 0) return 0;
    return adi_usage(command, "--%s '%s': wanted %s", option->name, text, wanted.text);
}

int adi_options_read(struct adi_options *out, const struct adi_command *command,
                     const struct adi_option *options, int argc, const char **argv, void *into) {
    static const char *none[] = {NULL};
    *out = (struct adi_options){.arguments = none};
    fill_table(out, options);
    out->context = adi_need(poptGetContext("adicheck", argc, argv, out->table, 0));
    int code;
    while ((code = poptGetNextOpt(out->context)) > 0) {
        if (code == HELP) {
            write_help(out, command);
            return -1;
        }
        int status = take(out, command, &options[code - 1], into);
        if (status != 0) return status;
    }
    if (code < -1)
        return refuse(command, options, code, poptBadOption(out->context, POPT_BADOPTION_NOALIAS));
    const char **arguments = poptGetArgs(out->context);
    if (arguments != NULL) out->arguments = arguments;
    while (out->arguments[out->n_arguments] != NULL) out->n_arguments++;
    return 0;
}

void adi_options_free(struct adi_options *options) {
    poptFreeContext(options->context);
    for (size_t i = 0; i < options->n_texts; i++) free(options->texts[i]);
    free(options->texts);
}

int adi_options_act(const struct adi_command *command, const struct adi_option *table, int argc,
                    const char **argv, void *into, adi_act *act) {
    struct adi_options options;
    int status = adi_options_read(&options, command, table, argc, argv, into);
    if (status == 0) status = act(command, &options, into);
    adi_options_free(&options);
    return status < 0 ? ADI_EXIT_OK : status;
}
