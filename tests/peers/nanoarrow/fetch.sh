#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/nanoarrow: the C sources inside nanoarrow's source distribution, where they lie as a
# subproject: nanoarrow/*.h, *.c. Nothing of it is built: pip asks the build backend for the
# package's metadata before it hands the archive over, and gets it from here.
. "$(dirname "$0")/../registry.sh"

version=$(version nanoarrow)

fetch() {
    mkdir "$directory/sdist"
    cat > "$directory/sdist/mesonpy.py" <<END_OF_BACKEND
import os

def prepare_metadata_for_build_wheel(directory, settings=None):
    name = "nanoarrow-$version.dist-info"
    os.mkdir(os.path.join(directory, name))
    with open(os.path.join(directory, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: nanoarrow\nVersion: $version\n")
    return name

def build_wheel(directory, settings=None, metadata=None):
    raise NotImplementedError("only the sources are wanted")
END_OF_BACKEND
    PYTHONPATH=$directory/sdist pip download --no-deps --no-build-isolation \
        --no-binary nanoarrow --dest "$directory/sdist" "nanoarrow==$version" || return 1
    mkdir "$directory/nanoarrow"
    quietly tar -C "$directory/nanoarrow" -xzf "$directory/sdist/nanoarrow-$version.tar.gz" \
        --strip-components 4 "nanoarrow-$version/subprojects/arrow-nanoarrow/src/nanoarrow" ||
        return 1
    major=${version%%.*} patch=${version##*.} minor=${version#*.}
    sed -e "s/@NANOARROW_VERSION_MAJOR@/$major/" -e "s/@NANOARROW_VERSION_MINOR@/${minor%.*}/" \
        -e "s/@NANOARROW_VERSION_PATCH@/$patch/" -e "s/@NANOARROW_VERSION@/$version/" \
        -e "s/@NANOARROW_NAMESPACE_DEFINE@//" \
        "$directory/nanoarrow/nanoarrow/nanoarrow_config.h.in" \
        > "$directory/nanoarrow/nanoarrow/nanoarrow_config.h"
}

has nanoarrow && exit
forget nanoarrow
rm -rf "$directory/sdist"
need_python nanoarrow
fetch || { forget nanoarrow; skip "nanoarrow $version" "PyPI did not give it"; }
rm -rf "$directory/sdist"
got nanoarrow
