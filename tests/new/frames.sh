#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What `adicheck new --lang rust` and `--lang go` write, as a user has it: the lines that it says to
# type build and play it as it is, without a warning and without a network, and nothing is judged;
# filled in by a few lines it is conformant; a panic does not end the process, and is said.
# tests/harness/command_new.c does the same with C and C++.
#
#   tests/new/frames.sh BUILD
set -eu
cd "$(dirname "$0")/../.."

PATH=$(cd "${1:?usage: frames.sh BUILD}" && pwd):$PATH
. tests/new/toolchains.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { cat said >&2; echo "frames: $*" >&2; exit 1; }

export XDG_STATE_HOME="$dir/state" CARGO_NET_OFFLINE=true RUSTFLAGS='-D warnings' GOPROXY=off
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET CGO_CFLAGS GOFLAGS

# types STATUS WORDS WHAT: the lines that `adicheck new` said, for this exit status and these words.
types() {
    status=0
    sh -ec "$(sed -n 's/^  //p' next)" > said 2>&1 || status=$?
    [ "$status" -eq "$1" ] || fail "$language, $3: exit $status, wanted $1"
    grep -qF "$2" said || fail "$language, $3: it does not say '$2'"
}

# fills ROLE WITH: the place of a role with the file WITH, and takes the roles out of their comment.
fills() {
    sed -i -e 's#/\* \(| .*ADI_CONSUMES\) \*/#\1#' \
        -e "/$1 is not filled in/{" -e "r $2" -e 'd' -e '}' "mine/$source"
}

# plays: the frame in $language, its $source filled in with the files produce, consume and panic.
plays() {
    adicheck new mine --lang "$language" > next
    types 2 'nothing was judged: the implementation plays no role' 'as it is'
    cp "mine/$source" frame
    fills produce produce
    fills consume consume
    sed -i "/^  adicheck run/s/\$/ --device cpu --case '@(int32|struct)\\/nulls\\/*'/" next
    types 0 'mine 0.0.0: conformant' 'filled in'
    cp frame "mine/$source"
    fills produce panic
    types 2 'panicked: over' 'with a panic'
    cp frame "mine/$source"
}

play_rust() {
    language=rust source=src/lib.rs
    cat > produce <<'END'
        schema_out.write(schema.read());
        out.write(ArrowDeviceArray {
            array: host.read(),
            device_id: -1,
            device_type: device,
            sync_event: std::ptr::null_mut(),
            reserved: [0; 3],
        });
        (*schema).release = None;
        (*host).release = None;
        Ok(())
END
    cat > consume <<'END'
        if (*input).device_type != ARROW_DEVICE_CPU {
            return Err(Failure(ENOTSUP, "on the CPU only".to_string()));
        }
        schema_out.write(schema.read());
        host_out.write((&raw const (*input).array).read());
        (*schema).release = None;
        (*input).array.release = None;
        Ok(())
END
    echo '        panic!("over")' > panic
    plays
    ! command -v rustfmt > said || rustfmt --edition 2021 --check mine/src/*.rs > said || fail 'rust: not in format'
    ! command -v cargo-clippy > said || (cd mine && cargo clippy) > said 2>&1 || fail 'rust: clippy'
    echo 'frames: a package in Rust builds and plays as it is, filled in, and with a panic'
}

play_go() {
    language=go source=main.go
    cat > produce <<'END'
		*schemaOut = *schema
		*out = C.struct_ArrowDeviceArray{array: *host, device_id: -1, device_type: device}
		schema.release, host.release = nil, nil
		return nil
END
    cat > consume <<'END'
		if in.device_type != C.ARROW_DEVICE_CPU {
			return syscall.ENOTSUP
		}
		*schemaOut, *hostOut = *schema, in.array
		schema.release, in.array.release = nil, nil
		return nil
END
    echo '		panic("over")' > panic
    plays
    gofmt -l mine > said
    [ ! -s said ] || fail 'go: not in format'
    (cd mine && sh -ec "$(sed -n 's/go build .*/go vet/p' ../next)") > said 2>&1 || fail 'go: vet'
    echo 'frames: a module in Go builds and plays as it is, filled in, and with a panic'
}

if has 'frames in Rust' cargo cc; then (mkdir rust && cd rust && play_rust); fi
if has 'frames in Go' go gofmt gcc; then (mkdir go && cd go && play_go); fi
