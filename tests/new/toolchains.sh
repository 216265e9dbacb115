# SPDX-License-Identifier: Apache-2.0
#
# What the tests of other languages begin with: toolchains may stand where their installers put them.
# One that is missing is a skip with its reason, and with ADI_NO_SKIP set a failure.
# shellcheck shell=sh
PATH=$PATH:$HOME/.cargo/bin:/usr/local/go/bin

# has TEST PROGRAM..
has() {
    test=$1
    shift
    for program; do
        command -v "$program" >/dev/null && continue
        echo "skip $test: there is no $program on the PATH"
        [ -z "${ADI_NO_SKIP:-}" ] || exit 1
        return 1
    done
}
