#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# As a debug build, as `cargo run` makes it.
#
#   tests/peers/arrow_rs/compile.sh DIRECTORY SOURCE PROGRAM
set -eu
name=$(basename "$2" .rs)
mkdir -p "$1/arrow_rs/src/bin"
cmp -s "$2" "$1/arrow_rs/src/bin/$name.rs" || cp "$2" "$1/arrow_rs/src/bin/$name.rs"
"$(dirname "$0")/../cargo.sh" "$1" arrow_rs build --bin "$name"
cp "$1/arrow_rs/target/debug/$name" "$3"
