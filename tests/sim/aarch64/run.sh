#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Plays suites on aarch64, on a machine that is none. First what a touch is called where nobody
# tells a write from a read, in QEMU's user mode; then all of them, and the command, on Debian's
# kernel, booted in software with nothing in its memory but what they need: so faults and their
# syndrome, pages, madvise and fork are those of Linux. Time limits are for machines, and ten times
# as long here.
#
#   tests/sim/aarch64/run.sh BUILD SUITE..   the console stays in BUILD/console
#
# ADI_AARCH64_KERNEL (an Image) with ADI_AARCH64_CPU: another kernel, as one with pages of 16 KiB.
set -eu

build=${1:?usage: run.sh BUILD SUITE..}
shift
suites=$*
fetched=$build/fetched root=$build/root console=$build/console
rm -rf "$root"
mkdir -p "$fetched" "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp"

# ---- in user mode ----

# It enters every page of a mapping into a table: the engine's must be small.
user=$(QEMU_RESERVED_VA=16G ADI_TEST_BUILD=$build CK_RUN_SUITE=sim_touch CK_RUN_CASE=touch \
    timeout 300 nice -n 10 qemu-aarch64 "$build/tests/unit" 2>&1) || { echo "$user" >&2; exit 1; }
echo "  sim_touch in user mode: $(echo "$user" | sed -n 's/^[0-9]*%: //p')"

# ---- on Linux ----

# fetch PACKAGE NAME: has the arm64 package unpacked, and not installed, in $fetched/NAME.
fetch() {
    [ ! -d "$fetched/$2" ] || return 0
    echo "  FETCH $1:arm64"
    (cd "$fetched" && apt-get download -qq "$1:arm64" 2>/dev/null && dpkg -x "$1"_*.deb "$2.part" &&
        rm "$1"_*.deb && mv "$2.part" "$2") && return
    echo "Debian's package $1:arm64 could not be fetched; as root, type: apt-get update" >&2
    exit 1
}

# place FILE..: copies programs, and the libraries that they are linked with, to where they are.
place() {
    for file in "$@"; do
        [ ! -e "$root/$file" ] || continue
        mkdir -p "$root/$(dirname "$file")"
        aarch64-linux-gnu-strip -g -o "$root/$file" "$file"
        aarch64-linux-gnu-readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
            while read -r name; do
                for at in /lib/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu; do
                    [ ! -e "$at/$name" ] || { place "$at/$name"; break; }
                done
            done
    done
}

# It says `WHAT ends with STATUS` of each, and `the end`.
write_init() {
    cat > "$root/init" <<END
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp ADI_TEST_BUILD=$build CK_TIMEOUT_MULTIPLIER=10
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
mount -t tmpfs none /tmp; mkdir /dev/shm; mount -t tmpfs none /dev/shm
page=\$(awk '/^KernelPageSize/ { print \$2; exit }' /proc/self/smaps)
echo "  \$(uname -s -r -m), \$page KiB a page"
play() {
    what=\$1; shift
    start=\$(date +%s); "\$@" > /tmp/said 2>&1; code=\$?
    [ \$code = 0 ] || sed 's/^/    /' /tmp/said
    echo "  \$what: \$(sed -n 's/^[0-9]*%: //; \$p' /tmp/said) (\$((\$(date +%s) - start)) s)"
    echo "\$what ends with \$code"
}
for suite in $suites; do CK_VERBOSITY=minimal CK_RUN_SUITE=\$suite play \$suite $build/tests/unit; done
for device in cpu ext_dev cuda; do
    play "adicheck run --device \$device*" $build/adicheck run --timeout 100 --device "\$device*"
done
echo the end
poweroff -f
END
    chmod +x "$root/init"
}

kernel=${ADI_AARCH64_KERNEL-}
if [ -z "$kernel" ]; then
    fetch "$(apt-cache depends linux-image-cloud-arm64:arm64 |
        sed -n 's/^ *Depends: \(linux-image-[^:]*\).*/\1/p' | head -n 1)" kernel
    kernel=$(echo "$fetched"/kernel/boot/vmlinuz-*)
fi
fetch busybox-static busybox
cp "$fetched"/busybox/bin/busybox "$root/bin"
# shellcheck disable=SC2046 # names of files of ours
place /lib/ld-linux-aarch64.so.1 "$build"/tests/unit "$build"/adicheck "$build"/*.so \
    "$build"/sim/*.so.1* $(find "$build"/tests/sim/cudart -name '*.1[0-9]')
write_init
(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 > "$build/memory.gz"
rm -rf "$root"

nice -n 10 timeout 3600 qemu-system-aarch64 -M virt,gic-version=3 -m 3G -smp 2 -nographic -no-reboot \
    -net none -cpu "${ADI_AARCH64_CPU:-cortex-a57}" -kernel "$kernel" -initrd "$build/memory.gz" \
    -append 'console=ttyAMA0 quiet loglevel=3 panic=-1' < /dev/null 2>&1 |
    sed -u 's/\r*$//' | tee "$console" | sed -n -u '/^  /p'

played=$(grep -c ' ends with 0$' "$console" || :)
failed=$(sed -n 's/^\(.*\) ends with [1-9].*/\1/p' "$console" | paste -sd ' ')
[ -z "$failed" ] || echo "  failed on aarch64: $failed" >&2
grep -q '^the end$' "$console" || { echo "  it did not come to its end: see $console" >&2; exit 1; }
[ -z "$failed" ] && echo "  $played suites and runs on aarch64"
