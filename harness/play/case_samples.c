/* SPDX-License-Identifier: Apache-2.0 */
#include "case_samples.h"

#include <assert.h>
#include <string.h>

#include "malformations.h"
#include "play.h"
#include "play_tensor.h"

static bool is_one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

#define SAMPLES(name)                                                                              \
    bool adi_samples_##name(const struct adi_scenario *scenario,                                   \
                            const struct adi_sample_type *type,                                    \
                            const struct adi_sample_shape *shape)

SAMPLES(every) {
    (void)scenario, (void)type, (void)shape;
    return true;
}

SAMPLES(plain) {
    (void)scenario, (void)type;
    return strcmp(shape->name, "nulls") == 0 || strcmp(shape->name, "many") == 0;
}

SAMPLES(parents) {
    bool has_children = type->format[0] == '+' && strcmp(type->name, "struct_empty") != 0;
    return has_children && adi_samples_plain(scenario, type, shape);
}

SAMPLES(dictionaries) {
    return strncmp(type->name, "dictionary", 10) == 0 && adi_samples_plain(scenario, type, shape);
}

static bool is_common(const struct adi_sample_type *type) {
    static const char *const types[] = {"int32", "utf8", "struct", "list_utf8"};
    return is_one_of(type->name, types, sizeof types / sizeof *types);
}

SAMPLES(few) {
    (void)scenario;
    return is_common(type) && strcmp(shape->name, "many") == 0;
}

SAMPLES(lively) {
    static const char *const types[] = {"struct", "dictionary_int8_utf8", "list_int32", "int32"};
    (void)scenario;
    return is_one_of(type->name, types, sizeof types / sizeof *types) &&
           strcmp(shape->name, "many") == 0;
}

/* What most libraries have streams of. */
static bool is_batch(const struct adi_sample_type *type, const struct adi_sample_shape *shape) {
    return strcmp(type->name, "struct") == 0 && strcmp(shape->name, "batch") == 0;
}

/* As lively, and a record batch. */
SAMPLES(streamed) {
    return is_batch(type, shape) || adi_samples_lively(scenario, type, shape);
}

SAMPLES(pushed) {
    return is_batch(type, shape) || adi_samples_few(scenario, type, shape);
}

static bool is_tensor(const struct adi_sample_type *type) {
    static const char *const types[] = {"int32", "fixed_size_list_int32"};
    return is_one_of(type->name, types, sizeof types / sizeof *types);
}

/* What DLPack has of Arrow's types, and of the shapes those without nulls. */
SAMPLES(tensors) {
    static const char formats[] = "cCsSiIlLefg";
    static const char *const shapes[] = {"many", "empty", "offset-no-bitmap"};
    bool is_number = type->format[1] == '\0' && strchr(formats, type->format[0]) != NULL &&
                     strncmp(type->name, "dictionary", 10) != 0;
    (void)scenario;
    return (is_number || is_tensor(type)) &&
           is_one_of(shape->name, shapes, is_tensor(type) ? sizeof shapes / sizeof *shapes : 1);
}

SAMPLES(tensor) {
    bool is_other = adi_tensor_kind_of(scenario) != 0 && strcmp(type->name, "int32") != 0;
    return is_tensor(type) && !is_other && strcmp(shape->name, "many") == 0;
}

SAMPLES(fuzzed) {
    return adi_samples_every(scenario, type, shape);
}

SAMPLES(flawed) {
    const struct adi_malformation *malformation = adi_malformation(scenario->parameter);
    return strcmp(type->name, malformation->type) == 0 && strcmp(shape->name, "many") == 0;
}

/* ---- a share of the list ---- */

#define STREAMS (ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM)

/* What a device adds to a stream is its chunks: those of a record batch show it, and on the first
 * device of a type those of one column, too, unless callbacks take their time. What may be done
 * with a stream, and when, shows on the CPU, as it does of arrays. */
static bool is_streams_share(const struct adi_case *played, enum adi_share share) {
    const struct adi_scenario *scenario = played->scenario;
    bool column = scenario->applies == adi_samples_few ||
                  (share == ADI_SHARE_MEMORY && (scenario->role & (unsigned)STREAMS) != 0);
    if (scenario->play == adi_play_programs) return false;
    return is_batch(played->type, played->shape) ||
           (column && strcmp(played->type->name, "int32") == 0);
}

/* What the types are like shows on the CPU, and on a further device of a type nothing is new. */
static bool is_tensors_share(const struct adi_case *played, enum adi_share share) {
    bool is_plain = strcmp(played->type->name, "int32") == 0;
    if (share == ADI_SHARE_SMOKE && strcmp(played->shape->name, "many") != 0) return false;
    return share == ADI_SHARE_SMOKE ? is_plain : is_tensor(played->type);
}

bool adi_case_in_share(const struct adi_case *played, enum adi_share share) {
    static const char *const shapes[] = {"nulls",
                                         "null-count-unknown",
                                         "empty",
                                         "offset",
                                         "view-several",
                                         "view-no-variadic",
                                         "sliced-child-of-sliced-parent",
                                         "batch",
                                         "view-empty-variadic",
                                         "batch-root-offset",
                                         "sliced-dictionary",
                                         "batch-zero-columns"};
    adi_samples *applies = played->scenario->applies;
    if (share == ADI_SHARE_ALL) return true;
    if (adi_role_is_of_tensors(played->scenario->role))
        return share == ADI_SHARE_LIBRARY || is_tensors_share(played, share);
    if (share != ADI_SHARE_LIBRARY &&
        (played->scenario->role & (unsigned)(STREAMS | ADI_ASYNC_ROLES)) != 0)
        return is_streams_share(played, share);
    if (applies == adi_samples_few || applies == adi_samples_streamed ||
        applies == adi_samples_pushed || applies == adi_samples_flawed)
        return true;
    if (share == ADI_SHARE_LIBRARY && (applies == adi_samples_lively || is_common(played->type)))
        return true;
    if (share == ADI_SHARE_SMOKE)
        return applies == adi_samples_every && strcmp(played->shape->name, "nulls") == 0;
    return is_one_of(played->shape->name, shapes, sizeof shapes / sizeof *shapes);
}

/* ---- once for all that have the same ---- */

#define SELECTIONS 16

/* Which of them depend on more than the sample. */
static bool depends_on_scenario(adi_samples *applies) {
    return applies == adi_samples_flawed || applies == adi_samples_tensor;
}

const bool *adi_samples_select(const struct adi_scenario *scenario,
                               const struct adi_sample_named *samples, size_t n) {
    static struct {
        adi_samples *applies;
        bool holds[ADI_SAMPLES_MOST];
    } selections[SELECTIONS], *made;
    made = selections;
    while (made->applies != NULL && made->applies != scenario->applies) made++;
    assert(made < &selections[SELECTIONS]);
    if (made->applies != NULL && !depends_on_scenario(made->applies)) return made->holds;
    made->applies = scenario->applies;
    for (size_t i = 0; i < n; i++)
        made->holds[i] = scenario->applies(scenario, samples[i].type, samples[i].shape);
    return made->holds;
}
