#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/pyarrow: the package, with include/ and libarrow.so.*
. "$(dirname "$0")/../registry.sh"

has arrow_cpp && exit
forget arrow_cpp
rm -rf "$directory/pyarrow"
need_python "Arrow C++"
pip install --only-binary :all: "pyarrow==$(version arrow_cpp)" ||
    skip "Arrow C++ (pyarrow $(version arrow_cpp))" "PyPI did not give it"
package=$("$directory/venv/bin/python" -c 'import pyarrow, os; print(os.path.dirname(pyarrow.__file__))')
ln -s "$package" "$directory/pyarrow"
got arrow_cpp
