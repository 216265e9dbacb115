#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Asks the machine's own CUDA driver what it answers to misuse, and lets the reference be judged on
# its devices.
#
#   tests/sim/gpu/judge.sh BUILD [DRIVER]
#
# Without a device it says why, and skips; with DRIVER, which it asks instead, there must be one.
set -u
build=${1:?usage: judge.sh BUILD [DRIVER]}
driver=${2:-}

said=$("$build/tests/sim/gpu/answers" ${driver:+"$driver"})
answers=$?
echo "$said"
case $said in
skip:*) exit $answers ;;
esac

devices=cuda,cuda_host,cuda_managed
ADI_CUDA=${driver:-real} "$build/adicheck" run --device 'cuda*' --require "$devices"
judged=$?
[ $answers = 0 ] && [ $judged = 0 ]
