#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What calls.def lists, a name a line.
set -eu
cd "$(dirname "$0")"

sed -nE 's/^(CALL\([^,]*, *|VARIADIC\()([a-zA-Z0-9_]+).*/\2/p' calls.def
