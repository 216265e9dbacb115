#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv: numpy, for the Python package; pyarrow comes with Arrow C++.
. "$(dirname "$0")/../registry.sh"

need_python numpy
fetch_module numpy
