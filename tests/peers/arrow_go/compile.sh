#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   tests/peers/arrow_go/compile.sh DIRECTORY SOURCE PROGRAM
set -eu
source=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
program=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
go=$(dirname "$0")/go.sh
headers=$("$go" "$1" list -f '{{.Dir}}' github.com/apache/arrow-go/v18/arrow/cdata)
# Go's cache knows nothing of the header beside the programs: what is in it goes into its key.
sum=$(cat "$(dirname "$source")"/*.h | cksum)
CGO_CFLAGS="-I$headers -DHEADERS=${sum%% *}" "$go" "$1" build -o "$program" "$source"
