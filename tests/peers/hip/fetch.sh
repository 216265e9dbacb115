#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# DIRECTORY/venv-hip-python-6, -7 and venv-hip-python: hip-python of two majors, and the newest.
. "$(dirname "$0")/../registry.sh"

for name in hip-python-6 hip-python-7 hip-python; do
    venv=venv-$name
    need_python hip-python
    fetch_module "$name" hip-python
done
