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
        #member, offsetof(struct structure, member)},
#define HANDLE_abi(id, structure)                                                                  \
    [ADI_KIND_##id].name = #id, [ADI_KIND_##id].size = sizeof(struct structure),
#define HANDLE_published(...)
#define HANDLE_dlpack(...)
#define HANDLE_python(...)
#define MEMBER_abi(id, structure, member, role, kept)                                              \
    ROLE_##role(id, structure, member) HAS_##kept(id, structure, member)

const struct adi_kind adi_kinds[ADI_KINDS] = {
#define HANDLE(where, id, structure, ...) HANDLE_##where(id, structure)
#define MEMBER(where, id, structure, member, offset, bytes, role, kept, what)                      \
    MEMBER_##where(id, structure, member, role, kept)
#include "../handles.def"
};

size_t adi_kind_count(const struct adi_kind *kind, const void *structure) {
    size_t n = 1;
    for (int64_t i = 0; i < adi_kind_children(kind, structure); i++)
        n += adi_kind_count(kind, adi_kind_child(kind, structure, i));
    void *dictionary = adi_kind_dictionary(kind, structure);
    return dictionary == NULL ? n : n + adi_kind_count(kind, dictionary);
}

void adi_kind_call(const struct adi_kind *kind, adi_release_fn *release, void *structure) {
    if (kind == &adi_kind_schema)
        ((void (*)(struct ArrowSchema *))release)(structure);
    else
        ((void (*)(struct ArrowArray *))release)(structure);
}
