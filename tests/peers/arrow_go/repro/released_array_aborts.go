// SPDX-License-Identifier: Apache-2.0
//
// An array that is released already ends the process, where an importer is to say so.
package main

// #include <stdlib.h>
// #include "abi.h"
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {
	if len(os.Args) > 1 {
		released := (*cdata.CArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
		_, err := cdata.ImportCArrayWithType(released, arrow.PrimitiveTypes.Int32)
		fmt.Printf("refused: %v\n", err)
		return
	}
	said, err := exec.Command(os.Args[0], "import").CombinedOutput()
	line, _, _ := strings.Cut(string(said), "\n")
	fmt.Printf("the import ended with: %v\n%s\n", err, line)
	if err == nil {
		os.Exit(1)
	}
}
