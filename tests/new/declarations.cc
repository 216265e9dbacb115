// SPDX-License-Identifier: Apache-2.0
//
// Writes a program in Rust that compiles only if its `adicheck` declares what adapter.h and abi.h
// do: every structure with its size, every member at its offset and of its type, every constant.
// declarations.sh lists them in headers.inc: STRUCTURE(name), OPAQUE(name), MEMBER(structure,
// name), CONSTANT(name).
#include <cstddef>
#include <iostream>
#include <string>
#include <type_traits>

#include "adapter.h"

namespace {

// How Rust writes a type of C.
template <typename T> struct Rust;

template <> struct Rust<int32_t> {
    static std::string text() { return "i32"; }
};
template <> struct Rust<uint32_t> {
    static std::string text() { return "u32"; }
};
template <> struct Rust<int64_t> {
    static std::string text() { return "i64"; }
};
template <> struct Rust<char> {
    static std::string text() { return std::is_signed<char>::value ? "i8" : "u8"; }
};
template <> struct Rust<void> {
    static std::string text() { return "std::ffi::c_void"; }
};
template <typename T> struct Rust<T *> {
    static std::string text() { return "*mut " + Rust<T>::text(); }
};
template <typename T> struct Rust<const T *> {
    static std::string text() { return "*const " + Rust<T>::text(); }
};
template <typename T, size_t n> struct Rust<T[n]> {
    static std::string text() { return "[" + Rust<T>::text() + "; " + std::to_string(n) + "]"; }
};
template <typename Result, typename... T> struct Rust<Result (*)(T...)> {
    static std::string text() {
        std::string text = "Option<unsafe extern \"C\" fn(";
        for (const std::string &argument : {Rust<T>::text()...}) text += argument + ", ";
        return text + ") -> " + (std::is_void<Result>::value ? "()" : Rust<Result>::text()) + ">";
    }
};

#define STRUCTURE(name)                                                                            \
    template <> struct Rust<struct name> {                                                         \
        static std::string text() { return #name; }                                                \
    };
#define MEMBER(structure, member)
#define CONSTANT(name)
#define OPAQUE STRUCTURE
#include "headers.inc"
#undef STRUCTURE
#undef OPAQUE
#undef MEMBER
#undef CONSTANT

// `condition` holds when it is compiled.
void holds(const std::string &condition) {
    std::cout << "const _: () = assert!(" << condition << ");\n";
}

void member(const std::string &structure, const std::string &name, size_t offset,
            const std::string &type) {
    holds("std::mem::offset_of!(" + structure + ", " + name + ") == " + std::to_string(offset));
    std::cout << "const _: fn(&" << structure << ") -> &" << type << " = |it| &it." << name
              << ";\n";
}

} // namespace

int main() {
    std::cout << "mod adicheck;\nuse adicheck::*;\n";
#define STRUCTURE(name)                                                                            \
    holds("std::mem::size_of::<" #name ">() == " + std::to_string(sizeof(struct name)));           \
    holds("std::mem::align_of::<" #name ">() == " + std::to_string(alignof(struct name)));
#define MEMBER(structure, name)                                                                    \
    member(#structure, #name, offsetof(struct structure, name),                                    \
           Rust<decltype(static_cast<struct structure *>(nullptr)->name)>::text());
#define OPAQUE(name)
#define CONSTANT(name) holds(#name " == " + std::to_string(name));
#include "headers.inc"
}
