#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv-wgpu-20, -22, -25, -31 and venv-wgpu: wgpu-py with the wgpu-native of five majors.
. "$(dirname "$0")/../registry.sh"

for name in wgpu-20 wgpu-22 wgpu-25 wgpu-31 wgpu; do
    venv=venv-$name
    need_python wgpu
    fetch_module "$name" wgpu
done
