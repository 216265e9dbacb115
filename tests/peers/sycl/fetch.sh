#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv-sycl: dpctl, and the SYCL and OpenCL runtimes that it works with on a CPU. About 400
# MB. The newest intel-sycl-rt has no adapter for OpenCL, so it is pinned.
. "$(dirname "$0")/../registry.sh"

venv=venv-sycl
need_python dpctl
fetch_module intel-sycl-rt
fetch_module intel-opencl-rt
fetch_module dpctl
