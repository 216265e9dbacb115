#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv: numba, cuda-bindings and cuda-core.
. "$(dirname "$0")/../registry.sh"

need_python "numba and cuda-bindings"
fetch_module numba
fetch_module cuda-bindings
fetch_module cuda-core-beside cuda-core
