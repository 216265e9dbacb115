#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Whoever includes abi.h may include another copy of the same structures before or after it, and who
# includes dlpack_abi.h a dlpack.h. Compiles every order of ours and, where they are, Arrow's and
# nanoarrow's headers, as C99, C11, C++11 and C++17, with each compiler that there is.
#
#   tests/ref/include_matrix.sh           ours alone: once, twice, with the printed async layout
#   tests/ref/include_matrix.sh PEERS     every order with those that tests/peers/fetch.sh brought
set -eu
cd "$(dirname "$0")/../.."

peers=${1-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compiled=0

# What each translation unit says after its includes: every structure is there, with its size.
cat > "$scratch/sizes.h" <<'END'
#define SIZE(type, lp64) typedef char size_of_##type[sizeof(void *) != 8 || sizeof(struct type) == (lp64) ? 1 : -1]
SIZE(ArrowSchema, 72);
SIZE(ArrowArray, 80);
SIZE(ArrowArrayStream, 40);
SIZE(ArrowDeviceArray, 128);
SIZE(ArrowDeviceArrayStream, 48);
#ifdef ADI_ABI_H
SIZE(ArrowAsyncTask, 16);
SIZE(ArrowAsyncDeviceStreamHandler, 48);
#ifdef ADI_ASYNC_PUBLISHED
SIZE(ArrowAsyncProducer, 48);
#else
SIZE(ArrowAsyncProducer, 40);
#endif
#endif
ArrowDeviceType last_type = ARROW_DEVICE_HEXAGON;
int64_t flags = ARROW_FLAG_DICTIONARY_ORDERED | ARROW_FLAG_NULLABLE | ARROW_FLAG_MAP_KEYS_SORTED;
END

# The same of DLPack, and what an older dlpack.h has: before 1.0 no tensor with a version.
cat > "$scratch/tensors.h" <<'END'
#define TENSOR(type, lp64) typedef char size_of_##type[sizeof(void *) != 8 || sizeof(type) == (lp64) ? 1 : -1]
TENSOR(DLTensor, 48);
typedef struct DLManagedTensor legacy;
typedef struct DLManagedTensorVersioned versioned;
TENSOR(legacy, 64);
TENSOR(versioned, 80);
#ifdef ADI_DLPACK_IS_OURS
TENSOR(DLPackExchangeAPI, 56);
#endif
DLDeviceType device = kDLCPU;
DLPackVersion version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
uint64_t tensor_flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED |
                        DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
END
cat > "$scratch/dlpack_old.h" <<'END'
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
#include <stdint.h>
#define DLPACK_VERSION 80
#define DLPACK_ABI_VERSION 1
typedef enum { kDLCPU = 1 } DLDeviceType;
typedef struct { DLDeviceType device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *);
} DLManagedTensor;
#endif
END

# compile NAME FLAGS HEADER..: one order, in every language, with every compiler.
compile() {
    name=$1 flags=$2
    shift 2
    sizes=sizes.h
    case " $* " in *dlpack*) sizes=tensors.h ;; esac
    { for header; do echo "#include \"$header\""; done; echo "#include \"$sizes\""; } \
        > "$scratch/unit.c"
    for pair in gcc:c99 gcc:c11 g++:c++11 g++:c++17 \
                clang:c99 clang:c11 clang++:c++11 clang++:c++17; do
        compiler=${pair%:*} standard=${pair#*:}
        command -v "$compiler" >/dev/null || continue
        case $standard in c++*) language=c++ ;; *) language=c ;; esac
        # shellcheck disable=SC2086 # flags are words
        "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
            -I ref -I harness -I "$scratch" $flags "$scratch/unit.c" || {
            echo "include matrix: $name fails with $compiler as $standard" >&2
            exit 1
        }
        compiled=$((compiled + 1))
    done
}

# orders CHOSEN REST..: a line for CHOSEN and for every sequence of distinct headers that goes on.
orders() (
    chosen=$1
    shift
    echo "$chosen"
    for next; do
        rest=
        for other; do [ "$other" = "$next" ] || rest="$rest $other"; done
        # shellcheck disable=SC2086 # a list of headers
        orders "$chosen $next" $rest
    done
)

if [ -z "$peers" ]; then
    compile "abi.h" "" abi.h
    compile "abi.h twice" "" abi.h abi.h
    compile "abi.h with the printed async layout" "-DADI_ASYNC_PUBLISHED" abi.h
    compile "cuda_array_interface.h" "" cuda_array_interface.h
    [ ! -e harness/adicheck.h ] || compile "cuda_array_interface.h and adicheck.h" "" cuda_array_interface.h adicheck.h
    compile "adapter.h" "" adapter.h
    compile "device.h and adapter.h" "" device.h adapter.h abi.h
    [ ! -e harness/adicheck.h ] || compile "adicheck.h" "" adicheck.h adapter.h device.h
    compile "dlpack_abi.h" "" dlpack_abi.h
    compile "dlpack_abi.h twice, and adapter.h" "" adapter.h dlpack_abi.h dlpack_abi.h
    compile "dlpack_abi.h behind an old dlpack.h" "" dlpack_old.h dlpack_abi.h
    compile "dlpack_abi.h before an old dlpack.h" "" dlpack_abi.h dlpack_old.h
    compile "the headers of the simulation" "-iquote sim -iquote sim/vpi" sim.h vpi_map.h abi.h
    echo "include matrix: $compiled compiled"
    exit 0
fi

headers=abi.h
flags=
if [ -e "$peers/pyarrow" ]; then
    headers="$headers arrow/c/abi.h"
    flags="$flags -isystem $peers/pyarrow/include"
fi
if [ -e "$peers/nanoarrow" ]; then
    headers="$headers nanoarrow/nanoarrow.h nanoarrow/nanoarrow_device.h"
    flags="$flags -isystem $peers/nanoarrow"
fi
[ "$headers" != abi.h ] || { echo "include matrix: no other headers there"; exit 0; }
if [ -e "$peers/pyarrow/include/arrow/c/dlpack_abi.h" ]; then
    compile "Arrow's dlpack.h before dlpack_abi.h" "$flags" arrow/c/dlpack_abi.h dlpack_abi.h
    compile "Arrow's dlpack.h behind dlpack_abi.h" "$flags" dlpack_abi.h arrow/c/dlpack_abi.h
fi
# shellcheck disable=SC2086 # lists of headers
orders "" $headers | grep -E ' abi\.h( |$)' > "$scratch/orders"
while read -r order; do
    # shellcheck disable=SC2086
    compile "$order" "$flags" $order
done < "$scratch/orders"
echo "include matrix with${headers#abi.h}: $compiled compiled"
