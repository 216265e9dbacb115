#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv, /venv-cuda and /nanoarrow: the libraries whose suites are played, and what their
# tests need besides; DIRECTORY/cuda-home: NVIDIA's compiler library where numba looks for it.
. "$(dirname "$0")/../registry.sh"
[ "$release" = now ] || exit 0
rm -f "$marked.version"

need_python "numba and its suite"
"$here/../nanoarrow/fetch.sh" "$directory" "$release"
fetch_module numpy
"$here/../cuda/fetch.sh" "$directory" "$release"
for module in cffi nvidia-cuda-nvcc-cu12; do fetch_module "$module"; done

nvvm=$("$directory/venv/bin/python" -c 'import nvidia.cuda_nvcc as it; print(list(it.__path__)[0])')/nvvm
mkdir -p "$directory/cuda-home/nvvm/lib64"
ln -sfn "$nvvm/libdevice" "$directory/cuda-home/nvvm/libdevice"
ln -sfn "$nvvm/lib64/libnvvm.so" "$directory/cuda-home/nvvm/lib64/libnvvm.so.4"

venv=venv-cuda
need_python "numba-cuda and its suite"
fetch_module numpy-newest numpy
for module in cuda-core numba-cuda; do fetch_module "$module"; done
fetch_module cuda-bindings-newest cuda-bindings
fetch_module cffi-newest cffi
for module in pytest filecheck ml-dtypes nvidia-nvvm nvidia-nvjitlink nvidia-cuda-nvrtc; do
    fetch_module "$module"
done
echo "$release" > "$marked.version"
