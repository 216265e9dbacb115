#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv: what the Python package is judged beside, and what it judges; pyarrow comes with
# Arrow C++, numba with cuda-bindings. DIRECTORY/venv-cuda: numba-cuda, which takes the place of the
# module that numba has itself, and what goes with a newer NumPy than that numba does.
. "$(dirname "$0")/../registry.sh"

need_python "libraries of Python"
"$here/../arrow_cpp/fetch.sh" "$directory" "$release"
fetch_module numpy
"$here/../cuda/fetch.sh" "$directory" "$release"
for module in pandas polars duckdb jax mpi4py mpich; do fetch_module "$module"; done
fetch_module nanoarrow-python nanoarrow

venv=venv-cuda
need_python "numba-cuda"
fetch_module numpy-newest numpy
for module in cuda-core numba-cuda array-api-strict; do fetch_module "$module"; done
fetch_module cuda-bindings-newest cuda-bindings
