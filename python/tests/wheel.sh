#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The wheel as a stranger has it: built from a copy of the tree, which is taken away then, installed in
# an environment of its own, and used there: the package's tests, the command, the simulation, the layers.
#
#   python/tests/wheel.sh BUILD
set -eu

build=${1:?usage: wheel.sh BUILD}
cd "$(dirname "$0")/../.."
python=${PYTHON:-/usr/bin/python3}
for module in ensurepip setuptools wheel pip; do
    "$python" -c "import $module" 2>/dev/null || { echo "wheel: left out; it needs python3-$module"; exit 0; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "wheel: $*" >&2; exit 1; }

# What make has built comes along, so that nothing is compiled again; of the tests nothing does.
mkdir "$dir/tree"
tar -c --exclude=./.git --exclude=./build . | tar -x -C "$dir/tree"
tar -c --exclude="$build/tests" --exclude="$build/*san*" --exclude="$build/peers*" \
    --exclude="$build/lint" --exclude="$build/python" "$build" | tar -x -C "$dir/tree"
"$python" -m pip wheel -q --disable-pip-version-check --no-index --no-build-isolation --no-deps \
    "$dir/tree/python" -w "$dir" > "$dir/said" 2>&1 || { cat "$dir/said" >&2; fail "it cannot be built"; }
cp -r "$dir/tree/python/tests" "$dir/tests"
awk '/^```c$/ { inside = ++blocks == 1; next } /^```$/ { inside = 0 } inside' "$dir/tree/README.md" \
    > "$dir/mine.c"
rm -rf "$dir/tree"

set -- "$dir"/*.whl
case $1 in *-cp311-abi3-linux_*.whl) ;; *) fail "it is named ${1##*/}" ;; esac
"$python" -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check --no-index "$1" || fail "it cannot be installed"
package=$(cd "$dir" && "$dir/venv/bin/python" -c 'import adicheck; print(adicheck.__path__[0])')
# (Verilator writes the place of a model's source into the model's messages.) Where the tree is /adicheck,
# other paths of that name go on behind something.
paths="(?<![[:alnum:]_.-])(\\Q$PWD\\E|\\Q$dir/tree\\E)/[a-z]"
if LC_ALL=C grep -rlaP --exclude=libadivpi.so "$paths" "$package" > "$dir/said"; then
    fail "a path of the tree is in $(head -n 1 "$dir/said")"
fi
objdump -p "$package/_core.abi3.so" | awk '$1 == "NEEDED" { print $2 }' |
    grep -vE '^(libc|libm|libdl|libpthread|ld-linux.*)\.so' > "$dir/said" &&
    fail "the extension needs $(head -n 1 "$dir/said")"

cd "$dir"
gcc -shared -fPIC -I "$package/include" -o libmine.so mine.c ||
    fail "the adapter of README.md does not compile with the headers of the package"
command=$dir/venv/bin/adicheck
ADI_CUDA=sim tests/run.sh "$dir/venv/bin/python" log > said 2>&1 ||
    { tail -n 40 said >&2; fail "its tests fail"; }
ADI_CUDA=sim "$command" devices > said || fail "adicheck devices fails"
grep -qE '^cuda:1 .*simulated' said || { cat said >&2; fail "it has no simulation"; }
grep -qE '^rocm:1 .*simulated' said || { cat said >&2; fail "it has no simulation of ROCm"; }
grep -qE '^oneapi:1 .*simulated' said || { cat said >&2; fail "it has no simulation of oneAPI"; }
grep -qE '^webgpu:1 .*simulated' said || { cat said >&2; fail "it has no simulation of WebGPU"; }
if [ -n "$(command -v verilator)" ]; then grep -q '^vpi:0  *found' said || fail "it has no vpi"; fi
if command -v qemu-hexagon >/dev/null && command -v clang >/dev/null && command -v ld.lld >/dev/null; then
    grep -q '^hexagon:0  *found  *qemu-hexagon' said || fail "it has no DSP"
fi
if ls /usr/lib/*/libobjc.so.4 > /dev/null 2>&1; then
    grep -q '^metal:0  *found' said || fail "it has no simulated Metal"
fi
"$command" run ./libmine.so > said 2>&1 || { cat said >&2; fail "adicheck run ./libmine.so fails"; }
grep -q ': conformant' said || fail "the adapter of README.md is not conformant"
"$command" new other > said && eval "$(sed -n 's/^ *cc /gcc /p' said)" ||
    fail "what adicheck new writes does not compile as it says"
"$dir/venv/bin/python" -m adicheck --version > said || fail "python -m adicheck fails"
echo "wheel: the package, the command and the simulation serve without the source tree"
