# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154 # whoever reads it in has set $python, $script and $work
#
# Plays the programs of a script with a vendor's Python package on a simulated runtime, each in a
# process of its own: nothing is reported of those that are right, and of those that are wrong what
# the script's table says, under each policy. Read in by the judge.sh of a runtime.

# What is written into the working directory of nobody.
export PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "peers: $script${name:+ ($name)} $case $way ($policy): $1" >&2
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

# judge_programs IMPORT PACKAGE: the line that imports it, and what is missing where that fails.
judge_programs() {
    if ! "$python" -c "$1" 2>/dev/null; then
        echo "skip peers: $script: there is no $2 (make peers)"
        return
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
    echo "  $script${name:+ ($name)}: $played programs are judged as they should be"
}
