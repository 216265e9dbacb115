#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Asks the machine's own CUDA driver what it answers to misuse, and lets the reference and the
# planted defects be judged on its devices; libraries of Python that are linked with CUDA statically
# are judged there by
#
#   ADI_CUDA=real tests/peers/python/matrix.py TARGET PEERS cupy jax torch
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
ADI_CUDA=${driver:-real} tests/sim/gpu/planted.py "$build"
planted=$?
[ $answers = 0 ] && [ $judged = 0 ] && [ $planted = 0 ]
