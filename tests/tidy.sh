#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What a compiler does not see: files that grew too long, lines that do, notes to self, paths of one
# machine, a missing licence line, two files of one name, a suite that nobody runs, a function that
# garbage is not given to.
set -eu
cd "$(dirname "$0")/.."

LONGEST_FILE=450
LONGEST_LINE=100

if git rev-parse --git-dir >/dev/null 2>&1; then
    files=$(git ls-files --cached --others --exclude-standard)
else
    files=$(find . -name build -prune -o -type f -print | sed 's|^\./||')
fi
found=$(mktemp)
trap 'rm -f "$found"' EXIT
say() { echo "tidy: $*" | tee -a "$found"; }

for file in $files; do
    [ -f "$file" ] || continue
    case $file in tests/fuzz/corpus/*) continue ;; esac
    case $file in
    LICENSE | NOTICE | *.md | *.tsv | *.txt | .clang-format | .editorconfig | .gitignore) code= ;;
    *) code=1 ;;
    esac

    case $file in
    ref/*.[ch] | devices/*.[ch] | sim/*.sv | sim/*.cc | sim/*.[ch] | harness/*.[ch] | harness/*/*.[ch] | python/src/*.[ch] | python/adicheck/*.py | tests/*.[ch] | tests/*.cc | tests/*.sh)
        lines=$(wc -l < "$file")
        [ "$lines" -le $LONGEST_FILE ] || say "$file: $lines lines, $LONGEST_FILE at most"
        ;;
    esac
    case $file in
    *.c | *.h | *.cc | *.sv | *.py)
        awk -v most=$LONGEST_LINE 'length($0) > most { print FILENAME ":" FNR ": " length($0) " columns" }' \
            "$file" | while read -r line; do say "$line, $LONGEST_LINE at most"; done
        ;;
    esac
    if [ -n "$code" ] && ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0'; then
        case $file in *.1) ;; *) say "$file: no SPDX-License-Identifier line at the top" ;; esac
    fi
    [ "$file" = tests/tidy.sh ] && continue
    grep -nE '\b(TODO|FIXME|XXX)[:(]|(//|/\*|\*|#) *(TODO|FIXME|XXX)\b' "$file" | while read -r line; do
        say "$file:$line: do it, or file it"
    done
    grep -nE '(^|[^A-Za-z0-9_.$}-])/(home|root|work|Users)/[A-Za-z0-9]' "$file" | while read -r line; do
        say "$file:$line: a path of one machine"
    done
    grep -n 'cl_api_' "$file" | while read -r line; do
        say "$file:$line: newer OpenCL headers have no such type; __typeof__(&function) is the same"
    done
done

# A name is a file's own: a message, a test or a person names the file without its room.
echo "$files" | grep -E '^(ref|devices|harness|sim)/.*\.[ch]$' | sed 's|.*/||' | sort | uniq -d | while read -r name; do
    say "$(echo "$files" | grep -E "^(ref|devices|harness|sim)/(.*/)?$name\$" | tr '\n' ' ')bear one name"
done

# What a type of device is like stands in ref/device_types.def: whoever judges names none, but in
# comments and in texts for people.
for file in $(grep -lrE 'ARROW_DEVICE_[A-Z]' harness sim tests/harness tests/fuzz tests/proof); do
    case $file in *.c | *.h | *.cc | *.def | *.inc) ;; *) continue ;; esac
    sed -E 's#"([^"\\]|\\.)*"##g; s#/\*.*##; s#^ \*.*##' "$file" | grep -n 'ARROW_DEVICE_[A-Z]' | while read -r line; do
        say "$file:$line: the row of ref/device_types.def, or the device, says what it is like"
    done
done

if command -v python3 >/dev/null; then
    tests/statements.py | while read -r line; do say "$line"; done
fi

for file in tests/ref/*.c tests/devices/*.c tests/harness/*.c tests/sim/*.c tests/fuzz/*.c; do
    [ -f "$file" ] || continue
    case $file in tests/fuzz/corpus/*) continue ;; esac
    sed -n 's/^Suite \*\([a-z0-9_]*\)_suite(void)$/\1/p' "$file" | while read -r suite; do
        grep -Eq "^(SUITE|LONG)\($suite\)" tests/suites.def || say "$file: no SUITE($suite) in tests/suites.def"
    done
done

sed -n 's/^ADI_SIM_PUBLIC .*\(adi_sim_[a-z_]*\)(.*/\1/p' sim/sim.h | while read -r function; do
    grep -q "FUNCTION($function," tests/sim/engine_calls.c ||
        say "sim/sim.h: $function is not called with garbage (tests/sim/engine_calls.c)"
done

# Others cite a row by its number.
awk '/^## / { exit } /^\| [0-9]+ / && $2 != ++n { print "row " $2 " follows " n - 1; n = $2 }' \
    docs/ambiguities.md | while read -r line; do say "docs/ambiguities.md: $line"; done

# What is beneath calls nothing above: the engine no public function, the driver none that it exports.
for file in sim/*.c sim/driver/*.c sim/cuda/*.c sim/hip/*.c; do
    case $file in sim/public.c | sim/cuda/entry.c | sim/hip/hip_entry.c) continue ;; esac
    grep -nE '^[^*]*\b(adi_sim_[a-z_]+|(cu|hip)[A-Z][A-Za-z0-9_]*)\(' "$file" |
        grep -vE '^[0-9]+:(/\*| \*)' | while read -r line; do
        case $file in sim/*/*) line=$(echo "$line" | grep -E '\b(cu|hip)[A-Z][A-Za-z0-9_]*\(') || continue ;; esac
        say "$file:$line: calls a function of the floor above"
    done
done

[ ! -s "$found" ]
