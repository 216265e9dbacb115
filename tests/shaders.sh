#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The SPIR-V that each .inc holds is what the GLSL beside it compiles to.
#
#   tests/shaders.sh            compares; fails if they differ
#   tests/shaders.sh --write    writes the .inc
#
# Another glslang may compile to other words, so it is compared with the one that wrote the file.
set -eu
cd "$(dirname "$0")/.."

if ! command -v glslangValidator >/dev/null; then
    echo "left out: the comparison of SPIR-V with its source, for want of glslang-tools"
    exit 0
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

for source in devices/*.comp tests/mutants/vulkan/*.comp; do
    name=$(basename "$source" .comp)
    kept=${source%.comp}.inc
    {
        echo '/* SPDX-License-Identifier: Apache-2.0 */'
        glslangValidator -V --vn "adi_${name}_spirv" -o "$made/words" "$source" >&2
        sed 's/^const/static const/' "$made/words"
    } > "$made/inc" 2>"$made/said" || { cat "$made/said" >&2; exit 1; }
    if command -v spirv-val >/dev/null; then
        glslangValidator -V -o "$made/spv" "$source" >/dev/null
        spirv-val --target-env vulkan1.2 "$made/spv"
    fi
    if [ "${1-}" = --write ]; then
        cp "$made/inc" "$kept"
    elif [ "$(sed -n 2p "$kept")" != "$(sed -n 2p "$made/inc")" ]; then
        echo "left out: $kept was written by another glslang:$(sed -n 2p "$kept" | tr -d '/\t')"
    elif ! cmp -s "$kept" "$made/inc"; then
        echo "$kept is not what $source compiles to; type: tests/shaders.sh --write" >&2
        exit 1
    fi
done
