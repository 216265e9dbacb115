#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Plays the programs of this folder on the simulated HIP runtime, by each hip-python that there is:
# nothing is reported of those that wait, and of those that do not, what their table says, under each
# policy.
#
#   tests/peers/hip/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
peers=${2:?usage: judge.sh BUILD PEERS}
script=tests/peers/hip/with_hip_python.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is written into the working directory of nobody.
export PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "peers: $script ($name) $case $way ($policy): $1" >&2
    cat "$work/out" "$work/log" >&2
    exit 1
}

play() {
    rm -f "$work/log"
    status=0
    ADI_SIM_POLICY=$policy ADI_SIM_LOG=$work/log "$python" "$script" "$case" "$way" \
        > "$work/out" 2>&1 || status=$?
    [ "$status" = 0 ] || fail "ends with status $status"
    ! grep -q '^adisim: the log ' "$work/out" || fail "has a log that is not whole"
    errors=$(grep -c '"level":"error"' "$work/log") || true
    named=$(grep -c "{\"violation\":\"$violation\"" "$work/log") || true
}

for name in hip-python-6 hip-python-7 hip-python; do
    python=$peers/venv-$name/bin/python
    # It asks for libamdhip64.so, which is the newest major, unless a folder before says otherwise.
    mkdir "$work/$name"
    case $name in *-[567]) ln -s "$build/sim/libamdhip64.so.${name##*-}" "$work/$name/libamdhip64.so" ;; esac
    export LD_LIBRARY_PATH="$work/$name:$build/sim:$build"
    if ! "$python" -c 'from hip import hip' 2>/dev/null; then
        echo "skip peers: $script: there is no $name (make peers)"
        continue
    fi
    "$python" "$script" list > "$work/cases"
    played=0
    while read -r case violation; do
        for policy in lazy eager random; do
            way=right; play
            [ "$errors" = 0 ] || fail "is blamed, and is right"
            way=wrong; play
            if [ "$errors" = 0 ] || [ "$errors" != "$named" ]; then fail "$violation is not what is reported"; fi
            played=$((played + 2))
        done
    done < "$work/cases"
    echo "  $script ($name): $played programs are judged as they should be"
done
