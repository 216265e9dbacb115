#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The real wgpu-native, of each major that there is a wgpu-py with: the reference is conformant on it,
# the tests of the backend hold, and what planted defects show there is named (the newest only, whose
# header they know). And wgpu-py, unmodified: its programs do on the simulated wgpu-native what they do
# on the real one, and nothing is reported but what their table says, with the newest under each policy.
#
#   tests/peers/webgpu/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
peers=${2:?usage: judge.sh BUILD PEERS}
script=tests/peers/webgpu/with_wgpu.py
newest=wgpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is written into the working directory of nobody.
export PYTHONDONTWRITEBYTECODE=1
export XDG_RUNTIME_DIR="$work" # or wgpu-native complains of it

fail() {
    echo "peers: $name: $1" >&2
    cat "$work/out" >&2
    [ ! -s "$work/log" ] || cat "$work/log" >&2
    exit 1
}

# ---- the real one ----

# ADAPTER, the cases that are played, and the rule that is named; nothing: none is.
defects() {
    cat <<'END'
webgpu_buffers_on_host          int32/nulls/export   device/buffer-not-accessible
webgpu_buffers_by_address       int32/nulls/export   device/buffer-not-accessible
webgpu_buffers_freed_early      int32/nulls/export   device/buffer-not-accessible
webgpu_buffers_of_own_device    int32/nulls/export   device/buffer-not-accessible
webgpu_buffers_write_only       int32/nulls/export   device/buffer-not-accessible
webgpu_buffer_leaked            int32/nulls/export   life/memory-leaked
webgpu_reference_kept           int32/nulls/export   life/memory-leaked
webgpu_encoder_leaked           int32/nulls/export   life/memory-leaked
webgpu_consumer_leaks           int32/nulls/consume  life/memory-leaked
webgpu_id_of_other_device       int32/nulls/export   device/id-differs
webgpu_event_of_its_own         int32/nulls/export   sync/event-without-event-type
webgpu_odd_staging              int32/nulls/*
webgpu_odd_processes_events     int32/nulls/*
webgpu_odd_destroys             int32/nulls/*
webgpu_odd_references           int32/nulls/*
webgpu_odd_releases_copying     int32/nulls/*
END
}

judge_defects() {
    played=0
    defects > "$work/defects"
    while read -r adapter cases rule; do
        status=0
        "$build/adicheck" run "$build/tests/mutants/$adapter.so" --device webgpu:0 --case "$cases" \
            --strict > "$work/out" 2>&1 || status=$?
        if [ -z "$rule" ]; then
            [ "$status" = 0 ] || fail "$adapter is blamed, and is right"
        else
            [ "$status" = 1 ] || fail "$adapter: status $status"
            others=$(grep -E '^(fail|warn|crash|timeout) ' "$work/out" | grep -vc "  $rule  ") || true
            grep -qE "^(fail|warn)  $rule  " "$work/out" || fail "$adapter: $rule is not named"
            [ "$others" = 0 ] || fail "$adapter: more is named than $rule"
        fi
        played=$((played + 1))
    done < "$work/defects"
    echo "  $name: $played planted defects and odd adapters are judged as they should be"
}

judge_real() {
    export ADI_WEBGPU="$library"
    "$build/adicheck" devices > "$work/out" 2>&1 || fail "adicheck devices"
    if ! grep -q '^webgpu:0  *found  *wgpu-native' "$work/out"; then
        echo "skip peers: $name: $(grep '^webgpu' "$work/out")"
        return
    fi
    "$build/adicheck" run --device 'webgpu*' > "$work/out" 2>&1 || fail "the reference is blamed"
    said=$(grep -o 'wgpu-native [0-9.]*' "$work/out" | head -n 1)
    echo "  $name: on the real $said the reference is conformant"
    if [ -x "$build/tests/unit" ]; then
        CK_RUN_SUITE=devices_webgpu ADI_TEST_BUILD=$build ADI_TEST_WEBGPU=$library \
            "$build/tests/unit" > "$work/out" 2>&1 || fail "the tests of the backend"
    fi
    if [ "$name" = "$newest" ]; then judge_defects; fi
}

# ---- wgpu-py ----

# play WHERE: leaves in `errors` and `named` what was reported.
play() {
    rm -f "$work/log"
    touch "$work/log"
    status=0
    if [ "$1" = real ]; then unset WGPU_LIB_PATH; else export WGPU_LIB_PATH="$simulated"; fi
    ADI_SIM_POLICY=$policy ADI_SIM_LOG=$work/log timeout 300 "$python" "$script" "$case" "$way" \
        > "$work/out" 2>&1 || status=$?
    [ "$status" = 0 ] || fail "$script $case $way ($1, $policy) ends with status $status"
    errors=$(grep -c '"level":"error"' "$work/log") || true
    named=$(grep -c "{\"violation\":\"$violation\"" "$work/log") || true
}

judge_programs() {
    "$python" "$script" list > "$work/cases"
    played=0
    policies=lazy
    [ "$name" != "$newest" ] || policies='lazy eager random'
    while read -r case violation; do
        way=right policy=lazy
        play real # which ends a program that is wrong, or refuses what it asks
        for policy in $policies; do
            way=right; play simulated
            [ "$errors" = 0 ] || fail "$case ($policy) is blamed, and is right"
            way=wrong; play simulated
            if [ "$errors" = 0 ] || [ "$errors" != "$named" ]; then
                fail "$case ($policy): $violation is not what is reported"
            fi
            played=$((played + 2))
        done
    done < "$work/cases"
    echo "  $script ($name): $played programs are judged as they should be"
}

for name in wgpu-20 wgpu-22 wgpu-25 wgpu-31 wgpu; do
    python=$peers/venv-$name/bin/python
    library=$(find "$peers/venv-$name" -name 'libwgpu_native-release.so' 2>/dev/null | head -n 1)
    case $name in
        wgpu-20) simulated=$build/sim/webgpu/22/libwgpu_native.so ;;
        wgpu) simulated=$build/sim/libwgpu_native.so ;;
        *) simulated=$build/sim/webgpu/24/libwgpu_native.so ;;
    esac
    if [ -z "$library" ]; then
        echo "skip peers: there is no $name (make peers)"
        continue
    fi
    library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")
    (judge_real)
    judge_programs
done
