// SPDX-License-Identifier: Apache-2.0
//
// Each task that is extracted leaves its handle behind, in C and in Go, and with it the batch.
package main

// #cgo CFLAGS: -I${SRCDIR}
// #include <malloc.h>
//
// #include "async.h"
//
// static size_t in_use(void) { return mallinfo2().uordblks; }
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	const times = 10000
	schema, messages := arrow.NewSchema(nil, nil), make(chan cdata.RecordMessage, times)
	for range times {
		messages <- cdata.RecordMessage{Record: array.NewRecordBatch(schema, nil, 3)}
	}
	close(messages)
	C.party().wanted = times + 1 // the end waits for a request, too
	before := C.in_use()
	to := (*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(&C.party().handler))
	_ = cdata.ExportAsyncRecordBatchStream(schema, messages, to)
	left := int(C.in_use()-before) / times
	fmt.Printf("%d tasks; left in the heap of C after each: %d bytes\n", C.party().tasks, left)
	if left == 0 {
		os.Exit(1)
	}
}
