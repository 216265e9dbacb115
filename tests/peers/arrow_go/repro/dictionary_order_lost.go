// SPDX-License-Identifier: Apache-2.0
//
// ImportCArrowField looks for ARROW_FLAG_DICTIONARY_ORDERED in the schema of the dictionary's
// values. It is a flag of the dictionary-encoded field, and ExportArrowSchema sets it there.
package main

// #include <stdlib.h>
// #include "abi.h"
import "C"

import (
	"fmt"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	given := &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String, Ordered: true}
	between := (*cdata.CArrowSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	cdata.ExportArrowSchema(arrow.NewSchema([]arrow.Field{{Name: "x", Type: given}}, nil), between)
	got, err := cdata.ImportCArrowSchema(between)
	if err != nil {
		panic(err)
	}
	fmt.Printf("given:    %v\nimported: %v\n", given, got.Field(0).Type)
	if got.Field(0).Type.(*arrow.DictionaryType).Ordered {
		os.Exit(1)
	}
}
