#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Cargo, in DIRECTORY/NAME, as Cargo.lock there pins what it builds. It may stand where its installer
# puts it. What is built goes to DIRECTORY/NAME/target.
#
#   tests/peers/cargo.sh DIRECTORY NAME COMMAND [OPTION ...]
set -eu
crate=$(cd "$1/$2" && pwd)
command=$3
shift 3
PATH=$PATH:$HOME/.cargo/bin CARGO_TARGET_DIR=$crate/target \
    exec cargo "$command" --quiet --locked --manifest-path "$crate/Cargo.toml" "$@"
