#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs ci/oss-fuzz/build.sh with the variables that OSS-Fuzz sets, and looks at what it leaves as
# OSS-Fuzz would: each fuzzer starts from another directory, reads its seeds and its words, executes
# 2000 inputs, and needs no library that the machine it runs on has not.
set -eu
cd "$(dirname "$0")/../.."

top=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "oss-fuzz: $*" >&2; exit 1; }

mkdir "$dir/src" "$dir/out" "$dir/work"
git ls-files --cached --others --exclude-standard | tar -cf - -T - | (mkdir "$dir/src/adicheck" && tar -xf - -C "$dir/src/adicheck")
flags='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
       -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link'
flags=$(echo $flags)
SRC=$dir/src OUT=$dir/out WORK=$dir/work CC=clang CXX=clang++ CFLAGS=$flags \
    CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer ARCHITECTURE=x86_64 \
    FUZZING_ENGINE=libfuzzer SANITIZER=address "$top/ci/oss-fuzz/build.sh" > "$dir/log" 2>&1 ||
    { tail -n 20 "$dir/log" >&2; fail "build.sh fails"; }

cd "$dir"
for name in $(sed -n 's/^FUZZER(\(.*\))$/\1/p' "$top/tests/fuzz/fuzzers.def"); do
    [ -x "out/$name" ] || fail "there is no $name"
    [ -s "out/$name.dict" ] || fail "there is no $name.dict"
    ldd "out/$name" | grep -E 'popt|jansson|xml' && fail "$name needs libraries of the build machine"
    mkdir "$name"
    unzip -q "out/${name}_seed_corpus.zip" -d "$name" || fail "${name}_seed_corpus.zip is no archive"
    seeds=$(ls "$name" | wc -l)
    "out/$name" -runs=2000 -dict="out/$name.dict" "$name" > "$name.log" 2>&1 ||
        { tail -n 5 "$name.log" >&2; fail "$name fails"; }
    echo "  OSS-FUZZ $name: $seeds seeds, 2000 runs"
done
