#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# With the polars-arrow that was built for the adapter.
#
#   tests/peers/polars_arrow/compile.sh DIRECTORY SOURCE PROGRAM
set -eu
libraries=$(cd "$1/polars_arrow/target/release/deps" && pwd)
PATH=$PATH:$HOME/.cargo/bin rustc --edition 2024 -O -o "$3" "$2" -L "dependency=$libraries" \
    --extern polars_arrow="$(ls -t "$libraries"/libpolars_arrow-*.rlib | head -n 1)"
