// SPDX-License-Identifier: Apache-2.0
//
// What is queued is requested anew when it is taken, also when the handler was released long ago, and
// the producer with it.
package main

// #cgo CFLAGS: -I${SRCDIR}
// #include "async.h"
import "C"

import (
	"context"
	"fmt"
	"os"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	to := (*C.struct_ArrowAsyncDeviceStreamHandler)(C.calloc(1, 64))
	streams := cdata.CreateAsyncDeviceStreamHandler(context.Background(), 2,
		(*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(to)))
	first := make(chan cdata.AsyncRecordBatchStream)
	go func() { first <- <-streams }()
	C.drive(to, C.CString("+s"), 4) // two to be read, one under way, one queued
	for message := range (<-first).Stream {
		fmt.Println("rows:", message.Record.NumRows())
	}
	fmt.Printf("%d requests, %d of them after the release\n", C.party().requests, C.party().late_requests)
	if C.party().late_requests == 0 {
		os.Exit(1)
	}
}
