// SPDX-License-Identifier: Apache-2.0
//
// request(-1) is subtracted from what is requested later: nothing comes, and no error.
package main

// #cgo CFLAGS: -I${SRCDIR}
// #include "async.h"
import "C"

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	schema, messages := arrow.NewSchema(nil, nil), make(chan cdata.RecordMessage, 1)
	messages <- cdata.RecordMessage{Record: array.NewRecordBatch(schema, nil, 3)}
	C.party().wanted = -1
	to := (*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(&C.party().handler))
	go func() { _ = cdata.ExportAsyncRecordBatchStream(schema, messages, to) }()
	time.Sleep(500 * time.Millisecond)
	fmt.Printf("after half a second: %d errors, %d tasks, released %d times\n", C.party().errors, C.party().tasks,
		C.party().is_over)
	if C.party().errors != 0 {
		os.Exit(1)
	}
}
