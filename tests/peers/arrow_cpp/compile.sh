#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   tests/peers/arrow_cpp/compile.sh DIRECTORY SOURCE PROGRAM
set -eu
libraries=$(cd "$1/pyarrow" && pwd -P)
"${CXX:-g++}" -std=c++20 -Wall -Wextra -O1 -o "$3" "$2" -isystem "$libraries/include" \
    "$libraries"/libarrow.so.* "-Wl,-rpath,$libraries"
