#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What harness/command/new/adicheck.rs declares is what adapter.h and abi.h do: the same structures,
# constants and members, at the same offsets and of the same types, as the compilers of both see them.
#
#   tests/new/declarations.sh BUILD
set -eu
cd "$(dirname "$0")/../.."

build=${1:?usage: declarations.sh BUILD}/tests/new
rust=harness/command/new/adicheck.rs
cc=${CC:-cc}
cxx=${CXX:-c++}
. tests/new/toolchains.sh
has declarations rustc "$cxx" || exit 0
fail() { echo "declarations: $*" >&2; exit 1; }
mkdir -p "$build"

# A constant has its value on its line, a structure lies between `struct NAME {` and `};`, one that
# others define is `struct NAME;`.
{
    sed -nE -e 's/^#define (A[A-Z_]+) +[^ ].*/CONSTANT(\1)/p' \
        -e 's/^ +(ADI_[A-Z_]+) = .*/CONSTANT(\1)/p' -e 's/^struct ([A-Za-z_]+);.*/OPAQUE(\1)/p' \
        ref/abi.h harness/adapter.h
    "$cc" -E -P -I ref harness/adapter.h | tr '\n' ' ' | sed 's/;/;\n/g' | awk '
        match($0, /struct [A-Za-z_]+ \{/) {
            structure = substr($0, RSTART + 7, RLENGTH - 9)
            print "STRUCTURE(" structure ")"
            $0 = substr($0, RSTART + RLENGTH)
        }
        /^ *}/ { structure = "" }
        structure == "" { next }
        match($0, /\(\*[a-z_]+\)/) {
            print "MEMBER(" structure ", " substr($0, RSTART + 2, RLENGTH - 3) ")"
            next
        }
        {
            gsub(/\[[0-9]+\]|;/, "")
            n = split($0, names, ",")
            for (i = 1; i <= n; i++) {
                sub(/.*[ *]/, "", names[i])
                print "MEMBER(" structure ", " names[i] ")"
            }
        }'
} > "$build/headers.inc"

# The same of Rust. What lies between `pub struct NAME {` and `}` are members.
awk '
    /^pub const/ { sub(/:/, "", $3); print "CONSTANT(" $3 ")" }
    /^pub struct/ { structure = $3; next }
    / _opaque:/ { print "OPAQUE(" structure ")"; structure = "" }
    /^}/ && structure != "" { print "STRUCTURE(" structure ")"; structure = "" }
    structure != "" && /^    pub / { sub(/:.*/, "", $2); print "MEMBER(" structure ", " $2 ")" }
' $rust > "$build/rust.inc"
sort "$build/headers.inc" > "$build/headers.sorted"
sort "$build/rust.inc" | diff "$build/headers.sorted" - >&2 ||
    fail "adapter.h and abi.h (<) and $rust (>) do not declare the same"

"$cxx" -std=c++11 -Wall -Wextra -I harness -I ref -I "$build" -o "$build/declarations" \
    tests/new/declarations.cc
cp $rust "$build/adicheck.rs"
"$build/declarations" > "$build/declarations.rs"
rustc --edition 2021 --crate-type lib --emit metadata --out-dir "$build" -D warnings \
    "$build/declarations.rs" || fail "$rust does not declare what adapter.h and abi.h do"
echo "declarations: Rust has $(grep -c . "$build/headers.inc") structures, members and constants as C has them"
