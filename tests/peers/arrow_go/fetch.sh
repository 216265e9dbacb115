#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/arrow_go: go.mod and go.sum, which name the release and pin it; its sources lie in the
# caches of Go's own.
. "$(dirname "$0")/../registry.sh"

what="arrow-go $(version arrow_go)"

PATH=$PATH:/usr/local/go/bin # where its installer puts it
need go "$what"
has arrow_go && exit
forget arrow_go
mkdir "$directory/arrow_go"
sed "s/@VERSION@/$(version arrow_go)/" "$here/$release.mod" > "$directory/arrow_go/go.mod"
grep -v '^#' "$here/$release.sum" > "$directory/arrow_go/go.sum"
quietly "$here/go.sh" "$directory" list -deps "$here/adapter.go" "$here/streams.go" ||
    skip "$what" "this Go cannot build it, or its proxy did not give it, as pinned in $release.sum"
got arrow_go
