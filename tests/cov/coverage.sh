#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the unit tests in the build that counts, workers and adapters included, and says what of
# ref/ and harness/ they reach, the largest holes first. Fails below the limits.
#
#   tests/cov/coverage.sh BUILD    pages in BUILD/coverage, the table in BUILD/proof/coverage.txt
#
# Left out of the branches are assertions, and lines that say LCOV_EXCL and why.
set -eu
cd "$(dirname "$0")/../.."

build=${1:?usage: coverage.sh BUILD}
counted=$build/cov
out=$build/coverage
wanted="95 90" # % of the lines, % of the branches

find "$counted" -name '*.gcda' -delete 2>/dev/null || true
rm -rf "$out"
mkdir -p "$out" "$build/proof"
${MAKE:-make} --no-print-directory COV=1 CC=gcc check

set -- --rc lcov_branch_coverage=1 --rc 'lcov_excl_br_line=LCOV_EXCL_BR_LINE|^ *assert\('
lcov "$@" --quiet --capture --no-external --base-directory "$PWD" --directory "$counted" \
    --output-file "$out/all.info" 2>"$out/log" || { cat "$out/log" >&2; exit 1; }
lcov "$@" --quiet --extract "$out/all.info" "$PWD/ref/*" "$PWD/harness/*" \
    --output-file "$out/info" 2>>"$out/log"
genhtml "$@" --quiet --legend --title adicheck --prefix "$PWD" --output-directory "$out" \
    "$out/info" 2>>"$out/log"

# shellcheck disable=SC2086 # two words
tests/cov/table.py "$out/info" "$build/proof/coverage.txt" $wanted && code=0 || code=$?
echo "  $out/index.html"
exit $code
