// SPDX-License-Identifier: Apache-2.0
//
// ExportArrowArray writes a sliced struct with its offset and children that are sliced already. A
// consumer adds the two, as the C data interface says, and reads from the wrong place.
package main

// #include <stdlib.h>
// #include "abi.h"
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

func main() {
	of := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int32})
	json := strings.NewReader(`[{"x": 10}, {"x": 11}, {"x": 12}, {"x": 13}]`)
	whole, _, err := array.FromJSON(mallocator.NewMallocator(), of, json)
	if err != nil {
		panic(err)
	}
	slice := array.NewSlice(whole, 1, 3)
	out := (*C.struct_ArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	cdata.ExportArrowArray(slice, (*cdata.CArrowArray)(unsafe.Pointer(out)), nil)

	child := *out.children
	values := unsafe.Slice((*int32)(unsafe.Slice(child.buffers, 2)[1]), 4)
	read := values[out.offset+child.offset]
	fmt.Printf("offset %d, length %d, of the child: offset %d, length %d\n",
		out.offset, out.length, child.offset, child.length)
	fmt.Printf("item 0 of %v is read as %d\n", slice, read)
	if out.offset+out.length <= child.length && read == 11 {
		os.Exit(1)
	}
}
