#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Go, as DIRECTORY/arrow_go pins what it builds: the one that is here, or where its installer puts
# it, and no other that it would bring itself.
#
#   tests/peers/arrow_go/go.sh DIRECTORY COMMAND [ARGUMENT ...]      with absolute paths
set -eu
cd "${1:?usage: go.sh DIRECTORY COMMAND [ARGUMENT ...]}/arrow_go"
shift
PATH=$PATH:/usr/local/go/bin GOTOOLCHAIN=local GOWORK=off GOFLAGS=-mod=readonly CGO_ENABLED=1 exec go "$@"
