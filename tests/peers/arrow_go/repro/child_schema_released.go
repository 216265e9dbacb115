// SPDX-License-Identifier: Apache-2.0
//
// ImportCArrowField calls the release callback of every child (and dictionary) of the schema, of
// which the C data interface says that consumers "MUST not call" it.
package main

// #include "abi.h"
//
// static int calls[2]; // of the root's release callback, and of its child's
//
// static void release(struct ArrowSchema *schema) {
//     *(int *)schema->private_data += 1;
//     schema->release = NULL;
// }
//
// static struct ArrowSchema child = {"i", "x", .release = release, .private_data = calls + 1};
// static struct ArrowSchema *children[] = {&child};
// static struct ArrowSchema root = {"+s", "", .n_children = 1, .children = children,
//                                   .release = release, .private_data = calls};
// static struct ArrowSchema *schema(void) { return &root; }
// static int called(int which) { return calls[which]; }
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	field, err := cdata.ImportCArrowField((*cdata.CArrowSchema)(unsafe.Pointer(C.schema())))
	fmt.Printf("imported %v, error %v\n", field.Type, err)
	fmt.Printf("calls of release: of the root %d, of its child %d\n", C.called(0), C.called(1))
	if C.called(1) == 0 {
		os.Exit(1)
	}
}
