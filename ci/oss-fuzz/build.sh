#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzzers as OSS-Fuzz asks for it: with $CC, $CXX, $CFLAGS and $CXXFLAGS as they are,
# linked by $CXX with $LIB_FUZZING_ENGINE, into $OUT, beside NAME_seed_corpus.zip and NAME.dict. $WORK takes
# what is left over. Called at the top of the source tree, which is $SRC/adicheck.
cd "${SRC:?}/adicheck"
: "${OUT:?}" "${CC:?}" "${CXX:?}" "${CFLAGS?}" "${CXXFLAGS?}" "${LIB_FUZZING_ENGINE:?}"
build=${WORK:-/tmp}/adicheck

fuzzers=$(sed -n 's/^FUZZER(\(.*\))$/\1/p' tests/fuzz/fuzzers.def)
make -j"$(nproc)" fuzzers BUILD="$build" O="$build" CC="$CC" CFLAGS="$CFLAGS" \
    FUZZ_LD="$CXX -pthread $CXXFLAGS" LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
for name in $fuzzers; do
    cp "$build/fuzz/$name" "$OUT/"
    cp "tests/fuzz/$name.dict" "$OUT/"
    zip -q -j -FS "$OUT/${name}_seed_corpus.zip" "$build/fuzz/seeds/$name"/*
done
