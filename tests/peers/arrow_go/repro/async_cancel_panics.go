// SPDX-License-Identifier: Apache-2.0
//
// Several threads that cancel the same stream end the process, sooner or later.
package main

// #cgo CFLAGS: -I${SRCDIR}
// #include "async.h"
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	if len(os.Args) > 1 {
		C.party().cancellers = 16
		to := (*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(&C.party().handler))
		for range 20000 {
			messages := make(chan cdata.RecordMessage, 1)
			_ = cdata.ExportAsyncRecordBatchStream(arrow.NewSchema(nil, nil), messages, to)
		}
		return
	}
	said, err := exec.Command(os.Args[0], "cancel").CombinedOutput()
	line, _, _ := strings.Cut(string(said), "\n")
	fmt.Printf("the process ended with: %v\n%s\n", err, line)
	if err == nil {
		os.Exit(1)
	}
}
