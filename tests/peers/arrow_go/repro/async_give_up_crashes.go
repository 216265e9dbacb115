// SPDX-License-Identifier: Apache-2.0
//
// A task that is given up, by extract_data with NULL, ends the process.
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
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	if len(os.Args) > 1 {
		schema := arrow.NewSchema(nil, nil)
		messages := make(chan cdata.RecordMessage, 1)
		messages <- cdata.RecordMessage{Record: array.NewRecordBatch(schema, nil, 3)}
		C.party().gives_up = 1
		to := (*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(&C.party().handler))
		fmt.Println(cdata.ExportAsyncRecordBatchStream(schema, messages, to))
		return
	}
	said, err := exec.Command(os.Args[0], "give up").CombinedOutput()
	line, _, _ := strings.Cut(string(said), "\n")
	fmt.Printf("the process ended with: %v\n%s\n", err, line)
	if !strings.Contains(line, "SIGSEGV") {
		os.Exit(1)
	}
}
