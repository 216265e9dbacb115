#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Cargo, as Cargo.lock pins what it builds. It may stand where its installer puts it.
#
#   tests/peers/arrow_rs/cargo.sh DIRECTORY COMMAND [OPTION ...]
set -eu
directory=$(cd "$1/arrow_rs" && pwd)
command=$2
shift 2
PATH=$PATH:$HOME/.cargo/bin CARGO_TARGET_DIR=$directory/target \
    exec cargo "$command" --quiet --locked --manifest-path "$directory/Cargo.toml" "$@"
