#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/arrow_rs: Cargo.toml and Cargo.lock, which name the release; its sources lie in cargo's
# own cache, as pinned. What is built goes to DIRECTORY/arrow_rs/target.
. "$(dirname "$0")/../registry.sh"

oldest=$(sed -n 's/^rust-version = "1\.\(.*\)"/\1/p' "$here/Cargo.toml.in")
version=$(version arrow_rs)
what="arrow-rs $version"

# write FILE: standard input, if it is not in there already, so that nothing is built anew.
write() {
    cat > "$1.new"
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

PATH=$PATH:$HOME/.cargo/bin
need cargo "$what"
minor=$(cargo --version | sed 's/^cargo 1\.\([0-9]*\).*/\1/')
[ "$minor" -ge "$oldest" ] || skip "$what" "it needs Rust 1.$oldest, and here is 1.$minor"

has arrow_rs || forget arrow_rs
mkdir -p "$directory/arrow_rs"
sed -e "s|@VERSION@|$version|" -e "s|@SOURCE@|$here|" "$here/Cargo.toml.in" |
    write "$directory/arrow_rs/Cargo.toml"
write "$directory/arrow_rs/Cargo.lock" < "$here/$release.lock"
has arrow_rs && exit
quietly "$here/cargo.sh" "$directory" fetch ||
    skip "$what" "crates.io did not give it, as pinned in $release.lock"
got arrow_rs
