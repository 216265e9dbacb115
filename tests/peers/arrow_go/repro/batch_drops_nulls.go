// SPDX-License-Identifier: Apache-2.0
//
// A struct that is null is imported as a row of a record batch, which is not null any more.
package main

// #include <stdlib.h>
//
// #include "abi.h"
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

func main() {
	field := arrow.Field{Name: "number", Type: arrow.PrimitiveTypes.Int32}
	numbers, _, _ := array.FromJSON(mallocator.NewMallocator(), field.Type, strings.NewReader(`[7, 8]`))
	valid := array.NewBooleanBuilder(mallocator.NewMallocator())
	valid.AppendValues([]bool{true, false}, nil)
	bitmap := valid.NewBooleanArray().Data().Buffers()[1]
	rows, _ := array.NewStructArrayWithFieldsAndNulls([]arrow.Array{numbers}, []arrow.Field{field},
		bitmap, 1, 0)

	out := (*cdata.CArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	cdata.ExportArrowArray(rows, out, nil)
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	batch, err := cdata.ImportCRecordBatchWithSchema(out, schema)
	fmt.Printf("%v came in; %v\n%v", rows, err, batch)
	if err != nil || batch.Column(0).NullN() > 0 {
		os.Exit(1)
	}
}
