// SPDX-License-Identifier: Apache-2.0
//
// ImportCArray makes the items of a map twice, and so those of maps in maps: each level of nesting
// doubles the work and the memory, even if no map has any items.
package main

// #include <stdlib.h>
// #include "abi.h"
import "C"

import (
	"fmt"
	"os"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

// allocations of an import of an array without items, of maps of maps.
func allocations(levels int) uint64 {
	of := arrow.DataType(arrow.PrimitiveTypes.Int32)
	for range levels {
		of = arrow.MapOf(arrow.PrimitiveTypes.Int32, of)
	}
	out := (*cdata.CArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	cdata.ExportArrowArray(array.MakeArrayOfNull(mallocator.NewMallocator(), of, 0), out, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := cdata.ImportCArrayWithType(out, of); err != nil {
		panic(err)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

func main() {
	eight, sixteen := allocations(8), allocations(16)
	fmt.Printf("allocations: %d for 8 levels of maps, %d for 16\n", eight, sixteen)
	if sixteen < 16*eight {
		os.Exit(1)
	}
}
