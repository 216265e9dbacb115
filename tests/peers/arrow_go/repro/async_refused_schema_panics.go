// SPDX-License-Identifier: Apache-2.0
//
// A stream that is not of structs is refused in on_schema, and the release of the handler, which has
// to follow, ends the process.
package main

// #cgo CFLAGS: -I${SRCDIR}
// #include "async.h"
import "C"

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	if len(os.Args) > 1 {
		to := (*C.struct_ArrowAsyncDeviceStreamHandler)(C.calloc(1, 64))
		streams := cdata.CreateAsyncDeviceStreamHandler(context.Background(), 2,
			(*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(to)))
		go func() { fmt.Println("refused:", (<-streams).Err) }()
		C.drive(to, C.CString("i"), 0)
		return
	}
	said, err := exec.Command(os.Args[0], "refuse").CombinedOutput()
	_, panicked, _ := strings.Cut(string(said), "panic: ")
	line, _, _ := strings.Cut(panicked, "\n")
	fmt.Printf("the process ended with: %v\n%s\n", err, line)
	if err == nil {
		os.Exit(1)
	}
}
