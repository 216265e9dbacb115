#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ci/deps as a machine sees it on which a row's test fails: without, before and after installing.
# Nothing is installed: apt-get, id and pkg-config are of this test.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "deps: $*" >&2; cat "$dir/said" >&2; exit 1; }

mkdir "$dir/bin"
export dir
cat > "$dir/bin/apt-get" <<'END'
#!/bin/sh
echo "$*" >> "$dir/installed"
[ -e "$dir/useless" ] || touch "$dir/there"
END
cat > "$dir/bin/pkg-config" <<'END'
#!/bin/sh
[ "$*" != "--exists popt" ] || [ -e "$dir/there" ]
END
printf '#!/bin/sh\necho 0\n' > "$dir/bin/id"
chmod +x "$dir"/bin/*
deps() { PATH=$dir/bin:$PATH ci/deps "$@" > "$dir/said" 2>&1; }

deps libpopt-dev || fail "it fails although what it installed was then there"
grep -q '^install .*libpopt-dev' "$dir/installed" || fail "it installed nothing"
rm "$dir/installed"
deps libpopt-dev || fail "it fails although nothing is missing"
[ ! -e "$dir/installed" ] || fail "it installs what is there"

rm "$dir/there"
touch "$dir/useless"
! deps libpopt-dev || fail "it passes although what it installed is still not found"
grep -q 'libpopt-dev is installed, and this fails .*: pkg-config --exists popt' "$dir/said" ||
    fail "it does not say which package is installed and not found"

! deps --check libpopt-dev || fail "--check passes although the build needs what is missing"
grep -q '^missing: libpopt-dev' "$dir/said" || fail "--check does not name it"

# A loader and a platform are two packages: either may be the one that is missing.
for package in ocl-icd-libopencl1 pocl-opencl-icd; do
    grep -q "^devices|$package|" ci/deps || fail "no row for $package"
done
echo "deps: what is installed and not found is an error"
