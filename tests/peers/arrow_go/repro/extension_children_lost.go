// SPDX-License-Identifier: Apache-2.0
//
// ExportArrowArray leaves out the children of an array whose type is an extension of a nested type;
// the schema that it exports has them.
package main

// #include <stdlib.h>
// #include "abi.h"
import "C"

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

type points struct{ array.ExtensionArrayBase }
type point struct{ arrow.ExtensionBase }

func (*point) ArrayType() reflect.Type                                           { return reflect.TypeFor[points]() }
func (*point) ExtensionName() string                                             { return "point" }
func (*point) ExtensionEquals(arrow.ExtensionType) bool                          { return true }
func (*point) Serialize() string                                                 { return "" }
func (p *point) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) { return p, nil }

func main() {
	of := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int32})
	given, _, _ := array.FromJSON(mallocator.NewMallocator(), of, strings.NewReader(`[{"x": 10}]`))
	extended := array.NewExtensionArrayWithStorage(&point{arrow.ExtensionBase{Storage: of}}, given)
	schema := (*C.struct_ArrowSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	out := (*C.struct_ArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	cdata.ExportArrowArray(extended, (*cdata.CArrowArray)(unsafe.Pointer(out)),
		(*cdata.CArrowSchema)(unsafe.Pointer(schema)))
	fmt.Printf("children of the schema %d, of the array %d\n", schema.n_children, out.n_children)
	if out.n_children == schema.n_children {
		os.Exit(1)
	}
}
