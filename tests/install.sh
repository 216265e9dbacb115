#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs into an empty directory and uses what lies there as a stranger would: a program against
# the shared library, one against the static one, an adapter against the headers, the command.
#
#   tests/install.sh VERSION
set -eu
cd "$(dirname "$0")/.."

version=${1:?usage: install.sh VERSION}
cc=${CC:-gcc}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "install: $*" >&2; exit 1; }

${MAKE:-make} --no-print-directory install DESTDIR="$dir/stage" PREFIX=/opt/adicheck
top=$dir/stage/opt/adicheck

for file in bin/adicheck lib/libadicheck.a lib/libadicheck.so lib/libadicheck.so.0 \
            "lib/libadicheck.so.$version" lib/pkgconfig/adicheck.pc share/man/man1/adicheck.1 \
            include/adicheck/abi.h include/adicheck/adapter.h include/adicheck/adapter_stream.h include/adicheck/device.h \
            include/adicheck/dlpack_abi.h include/adicheck/error.h include/adicheck/type_string.h \
            include/adicheck/cuda_array_interface.h \
            include/adicheck/adicheck.h include/adicheck/sim.h \
            include/adicheck/vpi_map.h include/adicheck/hexagon_driver.h \
            lib/adicheck/libadisim.so lib/adicheck/sim/libcuda.so.1 \
            lib/adicheck/sim/libcudart.so.12 lib/adicheck/sim/libcudart.so.13 \
            lib/adicheck/sim/libamdhip64.so.5 lib/adicheck/sim/libamdhip64.so.6 \
            lib/adicheck/sim/libamdhip64.so.7 lib/adicheck/sim/libamdhip64.so lib/adicheck/sim/libMetal.so \
            lib/adicheck/sim/libDPCTLSyclInterface.so lib/adicheck/sim/libwgpu_native.so; do
    [ -e "$top/$file" ] || fail "there is no $file"
done

# The shared library shows our names only and needs nothing beyond libc.
nm -D --defined-only "$top/lib/libadicheck.so" | awk '$3 !~ /^adi_/ { print $3 }' > "$dir/foreign"
[ ! -s "$dir/foreign" ] || fail "libadicheck.so also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
nm -D --defined-only "$top/lib/libadicheck.so" | grep -q ' T adi_' ||
    fail "libadicheck.so exports nothing: mark what is public with ADI_PUBLIC"
objdump -p "$top/lib/libadicheck.so" | awk '$1 == "SONAME" { print $2 }' | grep -qx libadicheck.so.0 ||
    fail "the soname is not libadicheck.so.0"
objdump -p "$top/lib/libadicheck.so" | awk '$1 == "NEEDED" { print $2 }' |
    grep -vE '^(libc|libdl|libpthread|ld-linux.*)\.so' > "$dir/needed" || true
[ ! -s "$dir/needed" ] || fail "libadicheck.so needs $(tr '\n' ' ' < "$dir/needed")"

# So does the simulation.
sim=$top/lib/adicheck/libadisim.so
nm -D --defined-only "$sim" | awk '$3 !~ /^adi_sim_/ { print $3 }' > "$dir/foreign"
[ ! -s "$dir/foreign" ] || fail "libadisim.so also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
objdump -p "$sim" | awk '$1 == "NEEDED" { print $2 }' |
    grep -vE '^(libc|libdl|libpthread|ld-linux.*)\.so' > "$dir/needed" || true
[ ! -s "$dir/needed" ] || fail "libadisim.so needs $(tr '\n' ' ' < "$dir/needed")"
cat > "$dir/sim.c" <<'END'
#include <adicheck/sim.h>
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : 0;
    int (*open)(const char *, int, adi_sim_context *);
    adi_sim_context context;
    if (!library) return 2;
    *(void **)&open = dlsym(library, "adi_sim_context_open");
    return open("ext_dev", 0, &context);
}
END
"$cc" -std=c99 -Wall -Werror -I "$top/include" -o "$dir/sim" "$dir/sim.c" -ldl
"$dir/sim" "$sim" || fail "a program with the simulation fails"

# A library that has the reference within it finds the simulated driver from where it lies, whatever
# program has loaded it.
cat > "$dir/asks.c" <<'END'
#include <adicheck/device.h>

extern const struct adi_device_ops adi_device_cuda;
int cuda_devices(void);
int cuda_devices(void)
{
    struct adi_device_probe found;
    adi_device_cuda.probe(&found);
    return found.count;
}
END
cat > "$dir/loads.c" <<'END'
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : 0;
    int (*devices)(void);
    if (!library) return 2;
    *(void **)&devices = dlsym(library, "cuda_devices");
    return devices() != 2;
}
END
"$cc" -std=c99 -Wall -Werror -fPIC -shared -I "$top/include" -o "$top/lib/libasks.so" "$dir/asks.c" \
    "$top/lib/libadicheck.a" -ldl -lpthread
"$cc" -o "$dir/loads" "$dir/loads.c" -ldl
ADI_CUDA=sim "$dir/loads" "$top/lib/libasks.so" || fail "a library does not find the simulated driver"

# A program that was linked with NVIDIA's libraries runs on those of the simulation.
for library in libcuda.so.1 libcudart.so.12 libcudart.so.13; do
    nm -D --defined-only "$top/lib/adicheck/sim/$library" |
        awk '$2 == "T" && $3 !~ /^(__)?cu[A-Zd]/ { print $3 }' > "$dir/foreign"
    [ ! -s "$dir/foreign" ] || fail "$library also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
done
cat > "$dir/cuda.c" <<'END'
int cuInit(unsigned);
int cudaGetDeviceCount(int *);
int main(void)
{
    int count;
    return cuInit(0) != 0 || cudaGetDeviceCount(&count) != 0 || count != 2;
}
END
"$cc" -o "$dir/cuda" "$dir/cuda.c" -L "$top/lib/adicheck/sim" -l:libcuda.so.1 -l:libcudart.so.12 \
    -Wl,-rpath-link,"$top/lib/adicheck"
LD_LIBRARY_PATH="$top/lib/adicheck/sim" "$dir/cuda" || fail "a program with the simulated CUDA fails"

# And one that was linked with AMD's, by whichever major.
cat > "$dir/hip.c" <<'END'
int hipGetDeviceCount(int *);
int main(void)
{
    int count;
    return hipGetDeviceCount(&count) != 0 || count != 2;
}
END
for major in 5 6 7; do
    library=libamdhip64.so.$major
    nm -D --defined-only "$top/lib/adicheck/sim/$library" |
        awk '$2 == "T" && $3 !~ /^(__)?hip[A-Z]/ { print $3 }' > "$dir/foreign"
    [ ! -s "$dir/foreign" ] || fail "$library also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
    "$cc" -o "$dir/hip" "$dir/hip.c" -L "$top/lib/adicheck/sim" -l:$library -Wl,-rpath-link,"$top/lib/adicheck"
    LD_LIBRARY_PATH="$top/lib/adicheck/sim" "$dir/hip" || fail "a program with the simulated HIP $major fails"
done

# And one that was linked with dpctl's.
cat > "$dir/sycl.c" <<'END'
unsigned long DPCTLDeviceMgr_GetNumDevices(int);
int main(void)
{
    return DPCTLDeviceMgr_GetNumDevices(1 << 4) != 2;
}
END
library=libDPCTLSyclInterface.so
nm -D --defined-only "$top/lib/adicheck/sim/$library" | awk '$2 == "T" && $3 !~ /^DPCTL/ { print $3 }' > "$dir/foreign"
[ ! -s "$dir/foreign" ] || fail "$library also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
"$cc" -o "$dir/sycl" "$dir/sycl.c" -L "$top/lib/adicheck/sim" -l:$library -Wl,-rpath-link,"$top/lib/adicheck"
LD_LIBRARY_PATH="$top/lib/adicheck/sim" "$dir/sycl" || fail "a program with the simulated SYCL fails"

# And one that was linked with wgpu-native.
cat > "$dir/webgpu.c" <<'END'
unsigned int wgpuGetVersion(void);
int main(void)
{
    return wgpuGetVersion() >> 24 != 29;
}
END
library=libwgpu_native.so
nm -D --defined-only "$top/lib/adicheck/sim/$library" | awk '$2 == "T" && $3 !~ /^(adi_web|w)gpu/ { print $3 }' > "$dir/foreign"
[ ! -s "$dir/foreign" ] || fail "$library also exports $(head -n 3 "$dir/foreign" | tr '\n' ' ')"
"$cc" -o "$dir/webgpu" "$dir/webgpu.c" -L "$top/lib/adicheck/sim" -l:$library -Wl,-rpath-link,"$top/lib/adicheck"
LD_LIBRARY_PATH="$top/lib/adicheck/sim" "$dir/webgpu" || fail "a program with the simulated wgpu-native fails"

cat > "$dir/user.c" <<'END'
#include <adicheck/adicheck.h>
#include <string.h>

/* A released schema is one finding, and a watch over a correct release none. */
static void release(struct ArrowArray *array) { array->release = 0; }

int main(void)
{
    struct ArrowSchema schema = {.format = "n"};
    struct ArrowDeviceArray array = {.array.release = release, .device_type = ARROW_DEVICE_CPU};
    struct adi_findings *findings = adi_findings_new();
    if (adi_check_device_array(&schema, 0, findings) != 0) return 2;
    if (adi_findings_count(findings) != 1) return 3;
    if (strcmp(adi_findings_get(findings, 0)->rule, "schema/release-null") != 0) return 4;
    struct adi_watch *watch = adi_watch_device_array(&array);
    array.array.release(&array.array);
    adi_watch_finish(watch, findings);
    if (adi_findings_count(findings) != 1) return 5;
    adi_findings_free(findings);
    return 0;
}
END
export PKG_CONFIG_PATH="$top/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir/stage"
[ "$(pkg-config --modversion adicheck)" = "$version" ] || fail "adicheck.pc is not of version $version"
# shellcheck disable=SC2046 # flags are words
"$cc" -std=c11 -Wall -Werror -o "$dir/shared" "$dir/user.c" $(pkg-config --cflags --libs adicheck)
LD_LIBRARY_PATH="$top/lib" "$dir/shared" || fail "a program with the shared library fails"
# shellcheck disable=SC2046
"$cc" -std=c11 -o "$dir/static" "$dir/user.c" $(pkg-config --cflags adicheck) \
    "$top/lib/libadicheck.a" -ldl -lpthread
"$dir/static" || fail "a program with the static library fails"

# What the README says from here on, typed as it stands there: its adapter, its test, its commands.
block() { awk -v n="$1" '/^```c$/ { inside = ++blocks == n; next } /^```$/ { inside = 0 } inside' README.md; }
block 1 > "$dir/mine.c"
block 2 > "$dir/test_mine.c"
cp tests/readme_mine.h "$dir/mine.h"
grep -q adi_adapter "$dir/mine.c" && grep -q adi_watch_finish "$dir/test_mine.c" ||
    fail "README.md has no adapter or no test"
for part in Install 'From your own test suite'; do
    awk -v part="## $part" '/^```/ { code = !code } /^## / && !code { inside = $0 == part }
        inside && !code && sub(/^    /, "") && !/make install/' README.md | sed "s/^gcc /$cc /"
done > "$dir/typed"
[ "$(grep -c . "$dir/typed")" -eq 4 ] || fail "README.md has other commands than this test knows"
(cd "$dir" && PATH=$top/bin:$PATH LD_LIBRARY_PATH=$top/lib sh -e ./typed > said 2>&1) ||
    { cat "$dir/said" >&2; fail "what README.md says to type fails"; }
grep -q ': conformant' "$dir/said" || fail "the adapter of README.md is not conformant"

echo '#include <adicheck/adapter.h>' > "$dir/adapter.c"
"$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$top/include" "$dir/adapter.c"

# What `adicheck new` writes compiles by the line that it names.
(cd "$dir" && mkdir new && cd new && "$top/bin/adicheck" new mine > said &&
    eval "$(sed -n 's/^ *cc /"$cc" /p' said)" && [ -e libmine.so ]) ||
    fail "what the installed adicheck new writes does not compile as it says"

"$top/bin/adicheck" --version | grep -qF "$version" || fail "adicheck --version does not say $version"

# The vpi device's model is found from where the command was installed.
if command -v verilator >/dev/null; then
    "$top/bin/adicheck" devices | grep -q '^vpi:0  *found' || fail "the installed command has no vpi"
fi
# So is the program of the hexagon device's DSPs.
if command -v qemu-hexagon >/dev/null && command -v clang >/dev/null && command -v ld.lld >/dev/null; then
    "$top/bin/adicheck" devices | grep -q '^hexagon:0  *found  *qemu-hexagon' || fail "the installed command has no DSP"
fi
for device in oneapi:1 webgpu:1; do
    "$top/bin/adicheck" devices | grep -q "^$device  *found" || fail "the installed command has no $device"
done
# The simulated Metal needs the runtime of Objective-C, and nothing else that is not installed here.
if ci/deps --has libobjc4; then
    "$top/bin/adicheck" devices | grep -q '^metal:0  *found' || fail "the installed command has no metal"
fi
echo "install: command, libraries, headers and adicheck.pc serve from an empty directory"
