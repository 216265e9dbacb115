// SPDX-License-Identifier: Apache-2.0
//
// ExportArrowArray allocates the lengths of the variadic buffers of a view array, and its release
// callback does not free them.
package main

// #include <malloc.h>
// #include <stdlib.h>
// #include "abi.h"
//
// static size_t in_use(void) { return mallinfo2().uordblks; }
import "C"

import (
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

func leaked(of arrow.DataType) int {
	const times = 1000
	given, _, _ := array.FromJSON(mallocator.NewMallocator(), of, strings.NewReader(`["arrow"]`))
	out := (*cdata.CArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	before := C.in_use()
	for range times {
		cdata.ExportArrowArray(given, out, nil)
		cdata.ReleaseCArrowArray(out)
	}
	return int(C.in_use()-before) / times
}

func main() {
	text, view := leaked(arrow.BinaryTypes.String), leaked(arrow.BinaryTypes.StringView)
	fmt.Printf("left after an export and its release: utf8 %d bytes, utf8_view %d bytes\n", text, view)
	if view <= text {
		os.Exit(1)
	}
}
