#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The README's two commands on a machine that has nothing else: makes a minimal distribution in a
# folder, clones this checkout (what is committed of it) into it, types the commands there, and
# fails unless every device type that is built is found afterwards.
#
#   tests/bare.sh [SUITE] [DIRECTORY]
#
#   SUITE      bookworm (default), trixie: Debian 12, 13; noble: Ubuntu 24.04
#   DIRECTORY  where the folder is made and taken away again (3 GB; default build/bare)
#
#   MIRROR=URL       where packages come from; default: what debootstrap names
#   KEEP=1           leaves the folder there
#   ADI_NO_SKIP=1    what cannot be tried here is a failure
set -eu
cd "$(dirname "$0")/.."

# Debian's keyrings do not know Ubuntu's archive; its own package, pinned, does.
UBUNTU_KEYRING=pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb
UBUNTU_KEYRING_SHA256=36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8
SCRIPTS=/usr/share/debootstrap/scripts

suite=${1:-bookworm}
directory=${2:-build/bare}
mirror=${MIRROR:-}

skip() {
    echo "skip test-bare SUITE=$suite: $*"
    [ -z "${ADI_NO_SKIP:-}" ] || exit 1
    exit 0
}
fail() { echo "test-bare SUITE=$suite: $*" >&2; exit 1; }
say() { echo "test-bare SUITE=$suite: $* ($(($(date +%s) - started)) s)"; }

PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" -eq 0 ] || skip "making a distribution in a folder takes root"
command -v debootstrap >/dev/null || skip "there is no debootstrap; type: make deps"
unshare --mount --pid --fork true 2>/dev/null || skip "nothing may be mounted here"
started=$(date +%s)
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
root=$directory/$suite
log=$directory/$suite.log
rm -rf --one-file-system "$root"
[ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$root"' EXIT

# What `debootstrap` is told of a suite that it knows, and of one of Ubuntu's that it does not.
set -- --variant=minbase --include=git,make,gcc,libc6-dev
script=
case $suite in
noble)
    script=gutsy
    [ -n "$mirror" ] ||
        mirror=$(awk '$1 == "default_mirror" && /archive/ { print $2; exit }' "$SCRIPTS/$script")
    keyring=$directory/ubuntu-keyring
    mkdir -p "$keyring"
    command -v wget >/dev/null || fail "debootstrap's wget is not there"
    wget -q -T 30 -t 2 -O "$keyring.deb" "$mirror/$UBUNTU_KEYRING" ||
        skip "Ubuntu's archive cannot be reached ($mirror)"
    echo "$UBUNTU_KEYRING_SHA256  $keyring.deb" | sha256sum --quiet -c - ||
        fail "Ubuntu's keyring package is not the one that is pinned"
    dpkg-deb -x "$keyring.deb" "$keyring"
    set -- "$@" --components=main,universe \
        --keyring="$keyring/usr/share/keyrings/ubuntu-archive-keyring.gpg"
    ;;
*) [ -e "$SCRIPTS/$suite" ] || fail "debootstrap does not know it" ;;
esac

# The second try is for an archive that was busy.
debootstrap "$@" "$suite" "$root" ${mirror:+"$mirror"} $script > "$log" 2>&1 ||
    { rm -rf --one-file-system "$root" &&
        debootstrap "$@" "$suite" "$root" ${mirror:+"$mirror"} $script > "$log" 2>&1; } ||
    { tail -n 5 "$log"; skip "debootstrap could not make it"; }
say "made"

git clone --quiet --no-hardlinks . "$root/adicheck"

# bare COMMAND..: in the folder, as on a machine of its own; what is mounted and started goes with it.
bare() {
    # shellcheck disable=SC2016 # expanded in there
    unshare --mount --pid --fork --kill-child sh -ec '
        root=$1; shift
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
            ${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} \
            chroot "$root" sh -ec "cd /adicheck && exec \"\$@\"" bare "$@"' bare "$root" "$@"
}

# typed NAME COMMAND..: the end of what it printed, and what went wrong if it failed.
typed() {
    name=$1
    shift
    bare "$@" > "$log" 2>&1 || {
        grep -nE 'ERROR|[Ee]rror:|:[EF]:|(Failures|Errors): [1-9]' "$log" | head -n 40
        tail -n 20 "$log"
        fail "$name failed; all that it printed is in $log"
    }
    tail -n 3 "$log" | sed 's/^/    /'
    say "$name"
}

typed "make deps run" make -s -j"$(nproc)" deps run
bare build/adicheck devices > "$log" || fail "adicheck devices failed"
for device in $(sed -n 's/^DEVICE(\(.*\))$/\1/p' devices/devices.def); do
    grep -q "^$device:[^ ]*  *found" "$log" || { cat "$log"; fail "$device was not found"; }
done
say "$(grep -c '^[a-z_]*:[^ ]*  *found' "$log") devices found"
typed "make deps test SHORT=1" make -s -j"$(nproc)" deps test SHORT=1
