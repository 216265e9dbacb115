/* SPDX-License-Identifier: Apache-2.0 */
#include "kind.h"

/* The kept members of each kind are counted from 0: first_schema, nth_schema_format. */
#define KEPT_FREE(id, member)
#define KEPT_KEPT(id, member)                         nth_##id##_##member,
#define MEMBER_abi(id, structure, member, role, kept) KEPT_##kept(id, member)
#define MEMBER_published(...)
#define MEMBER_dlpack(...)
#define MEMBER_python(...)
enum {
#define HANDLE(where, id, ...) first_##id, before_##id = first_##id - 1,
#define MEMBER(where, id, structure, member, offset, bytes, role, kept, what)                      \
    MEMBER_##where(id, structure, member, role, kept)
#include "../handles.def"
};
#undef KEPT_KEPT
#undef MEMBER_abi

#define AT(id, field, structure, member) [ADI_KIND_##id].field = offsetof(struct structure, member),
#define ROLE_VALUE(...)
#define ROLE_WITHIN(...)
#define ROLE_LINK(...)
#define ROLE_CALL(...)
#define ROLE_COUNT(id, structure, member)   AT(id, n_children, structure, member)
#define ROLE_PARTS(id, structure, member)   AT(id, children, structure, member)
#define ROLE_PART(id, structure, member)    AT(id, dictionary, structure, member)
#define ROLE_RELEASE(id, structure, member) AT(id, release, structure, member)
#define ROLE_PRIVATE(id, structure, member) AT(id, private_data, structure, member)
#define HAS_FREE(id, structure, member)
#define HAS_KEPT(id, structure, member)                                                            \
    [ADI_KIND_##id].owned[nth_##id##_##member - first_##id] = {                                    \
        #member, offsetof(struct structure, member), sizeof(((struct structure *)0)->member)},
/* Where nothing is said, nothing is watched. */
enum {
#define BORN(life, state) born_##life = ADI_IS_##state,
#include "../handles.def"
};
#define HANDLE_abi(id, structure, life)                                                            \
    [ADI_KIND_##id].name = #id, [ADI_KIND_##id].size = sizeof(struct structure),                   \
    [ADI_KIND_##id].born = (enum adi_life_state)born_##life,
#define HANDLE_published(...)
#define HANDLE_dlpack(...)
#define HANDLE_python(...)
#define MEMBER_abi(id, structure, member, role, kept)                                              \
    ROLE_##role(id, structure, member) HAS_##kept(id, structure, member)

const struct adi_kind adi_kinds[ADI_KINDS] = {
#define HANDLE(where, id, structure, bytes, maker, travels, ends, life, ...)                       \
    HANDLE_##where(id, structure, life)
#define MEMBER(where, id, structure, member, offset, bytes, role, kept, what)                      \
    MEMBER_##where(id, structure, member, role, kept)
#include "../handles.def"
};

#undef HANDLE_abi

size_t adi_kind_count(const struct adi_kind *kind, const void *structure) {
    size_t n = 1;
    for (int64_t i = 0; i < adi_kind_children(kind, structure); i++)
        n += adi_kind_count(kind, adi_kind_child(kind, structure, i));
    void *dictionary = adi_kind_dictionary(kind, structure);
    return dictionary == NULL ? n : n + adi_kind_count(kind, dictionary);
}

intptr_t adi_kind_value(const struct adi_owned *member, const void *structure) {
    int32_t narrow;
    const char *at = (const char *)structure + member->offset;
    if (member->bytes == sizeof(void *)) return (intptr_t)adi_kind_pointer(at, 0);
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

/* The only code that knows a release callback's signature. */
#define HANDLE_abi(id, structure, life)                                                            \
    static void call_##id(adi_release_fn *release, void *self) {                                   \
        ((void (*)(struct structure *))release)(self);                                             \
    }
#define HANDLE(where, id, structure, bytes, maker, travels, ends, life, ...)                       \
    HANDLE_##where(id, structure, life)
#include "../handles.def"
#undef HANDLE_abi

static void (*const calls[ADI_KINDS])(adi_release_fn *release, void *self) = {
#define HANDLE_abi(id, structure, life) [ADI_KIND_##id] = call_##id,
#define HANDLE(where, id, structure, bytes, maker, travels, ends, life, ...)                       \
    HANDLE_##where(id, structure, life)
#include "../handles.def"
};

void adi_kind_call(const struct adi_kind *kind, adi_release_fn *release, void *structure) {
    calls[kind - adi_kinds](release, structure);
}
