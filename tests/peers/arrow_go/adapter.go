// SPDX-License-Identifier: Apache-2.0
//
// Shows arrow-go to adicheck: package cdata, on the CPU, as a shared library.
//
// cdata exports and imports no ArrowDeviceArray but inside of an asynchronous stream. So what such a
// structure has beside its array is the adapter's: a CPU device and no event. cdata exports no field
// either: it is exported as the only one of a schema, and moved out, so that names, flags and
// metadata are cdata's to keep or to lose.
//
// As cdata asks, outputs are zero before it writes them, and what it exports lies in C memory.
package main

// #cgo CFLAGS: -I${SRCDIR}/../../../harness -I${SRCDIR}/../../../ref -I${SRCDIR}
// #include <errno.h>
// #include <stddef.h>
// #include <stdlib.h>
// #include <string.h>
//
// #include "adapter.h"
//
// extern unsigned goRoles(struct adi_adapter *, ArrowDeviceType, int64_t);
// extern int goOpen(struct adi_adapter *, struct adi_host *);
// extern int goProduce(struct adi_adapter *, ArrowDeviceType, int64_t, struct ArrowSchema *,
//                      struct ArrowArray *, struct ArrowSchema *, struct ArrowDeviceArray *);
// extern int goConsume(struct adi_adapter *, struct ArrowSchema *, struct ArrowDeviceArray *,
//                      struct ArrowSchema *, struct ArrowArray *);
// extern int goRelay(struct adi_adapter *, struct ArrowSchema *, struct ArrowDeviceArray *,
//                    struct ArrowSchema *, struct ArrowDeviceArray *);
// extern int goProduceStream(struct adi_adapter *, ArrowDeviceType, int64_t,
//                            struct ArrowArrayStream *, struct ArrowDeviceArrayStream *);
// extern int goConsumeStream(struct adi_adapter *, struct ArrowDeviceArrayStream *,
//                            struct ArrowArrayStream *);
// extern int goRelayStream(struct adi_adapter *, struct ArrowDeviceArrayStream *,
//                          struct ArrowDeviceArrayStream *);
// extern int goProduceAsync(struct adi_adapter *, ArrowDeviceType, int64_t,
//                           struct ArrowArrayStream *, struct ArrowAsyncDeviceStreamHandler *);
// extern int goConsumeAsync(struct adi_adapter *, struct ArrowAsyncDeviceStreamHandler *, int64_t);
// extern int goConsumeAsyncFinish(struct adi_adapter *, struct ArrowArrayStream *);
// enum { asyncLayout = offsetof(struct ArrowAsyncProducer, additional_metadata) }; // as cdata/abi.h
// extern int64_t goBytesAllocated(struct adi_adapter *);
// extern char *goLastError(struct adi_adapter *);
//
// static inline void importing(const struct adi_host *host, int begins) {
//     if (host->size > offsetof(struct adi_host, imports)) host->imports(host, begins);
// }
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

// The types of the header. To Go, those of cdata, which it has from a header of its own, are others.
type (
	adapter     = C.struct_adi_adapter
	deviceArray = C.struct_ArrowDeviceArray
	cArray      = C.struct_ArrowArray
	cSchema     = C.struct_ArrowSchema
)

func cdataArray(it *cArray) *cdata.CArrowArray    { return (*cdata.CArrowArray)(unsafe.Pointer(it)) }
func cdataSchema(it *cSchema) *cdata.CArrowSchema { return (*cdata.CArrowSchema)(unsafe.Pointer(it)) }

var (
	allocator = mallocator.NewMallocator()
	host      *C.struct_adi_host
	lastError *C.char
)

// failed keeps the text of an error, and says which errno value it is.
func failed(err error) C.int {
	C.free(unsafe.Pointer(lastError))
	lastError = C.CString(err.Error())
	if errors.Is(err, arrow.ErrNotImplemented) {
		return C.ENOTSUP
	}
	return C.EINVAL
}

// guarded makes an errno value of an error, and of a panic, which may not pass through C.
func guarded(call func() error) (status C.int) {
	defer func() {
		if reason := recover(); reason != nil {
			status = failed(fmt.Errorf("panic: %v", reason))
		}
	}()
	if err := call(); err != nil {
		return failed(err)
	}
	return 0
}

func onCPU(device C.ArrowDeviceType) error {
	if device != C.ARROW_DEVICE_CPU {
		return fmt.Errorf("%w: device type %d", arrow.ErrNotImplemented, device)
	}
	return nil
}

// copied copies every buffer into memory of the allocator; the caller releases what it returns.
func copied(data arrow.ArrayData) *array.Data {
	buffers := make([]*memory.Buffer, len(data.Buffers()))
	defer memory.ReleaseBuffers(buffers)
	for i, given := range data.Buffers() {
		if given != nil {
			buffers[i] = memory.NewResizableBuffer(allocator)
			buffers[i].Resize(given.Len())
			copy(buffers[i].Bytes(), given.Bytes())
		}
	}
	if dictionary := data.Dictionary(); dictionary.(*array.Data) != nil {
		values := copied(dictionary)
		defer values.Release()
		return array.NewDataWithDictionary(data.DataType(), data.Len(), buffers, data.NullN(),
			data.Offset(), values)
	}
	children := make([]arrow.ArrayData, len(data.Children()))
	for i, given := range data.Children() {
		children[i] = copied(given)
		defer children[i].Release()
	}
	return array.NewData(data.DataType(), data.Len(), buffers, children, data.NullN(), data.Offset())
}

func copiedArray(given arrow.Array) arrow.Array {
	data := copied(given.Data())
	defer data.Release()
	return array.MakeFromData(data)
}

func exportField(field arrow.Field, out *cSchema) {
	parent := (*cSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	defer C.free(unsafe.Pointer(parent))
	cdata.ExportArrowSchema(arrow.NewSchema([]arrow.Field{field}, nil), cdataSchema(parent))
	child := *parent.children
	*out = *child
	child.release = nil
	cdata.ReleaseCArrowSchema(cdataSchema(parent))
}

func export(field arrow.Field, given arrow.Array, schema *cSchema, out *cArray) {
	C.memset(unsafe.Pointer(schema), 0, C.sizeof_struct_ArrowSchema)
	C.memset(unsafe.Pointer(out), 0, C.sizeof_struct_ArrowArray)
	cdata.ExportArrowArray(given, cdataArray(out), nil)
	exportField(field, schema)
}

func exportOnCPU(field arrow.Field, given arrow.Array, schema *cSchema, out *deviceArray) {
	C.memset(unsafe.Pointer(out), 0, C.sizeof_struct_ArrowDeviceArray)
	export(field, given, schema, &out.array)
	out.device_type = C.ARROW_DEVICE_CPU
	out.device_id = -1
}

//export goRoles
func goRoles(self *adapter, device C.ArrowDeviceType, id C.int64_t) C.uint {
	if onCPU(device) != nil {
		return 0
	}
	return C.ADI_PRODUCES | C.ADI_CONSUMES | C.ADI_RELAYS | C.ADI_PRODUCES_STREAM |
		C.ADI_CONSUMES_STREAM | C.ADI_RELAYS_STREAM | C.ADI_ARRAY_STREAMS | C.ADI_PRODUCES_ASYNC |
		C.ADI_CONSUMES_ASYNC
}

//export goOpen
func goOpen(self *adapter, given *C.struct_adi_host) C.int {
	host = given
	return 0
}

//export goProduce
func goProduce(self *adapter, device C.ArrowDeviceType, id C.int64_t, schema *cSchema, in *cArray,
	schemaOut *cSchema, out *deviceArray) C.int {
	return guarded(func() error {
		if err := onCPU(device); err != nil {
			return err
		}
		C.importing(host, 1)
		field, given, err := cdata.ImportCArray(cdataArray(in), cdataSchema(schema))
		C.importing(host, 0)
		if err != nil {
			return err
		}
		defer given.Release()
		own := copiedArray(given)
		defer own.Release()
		exportOnCPU(field, own, schemaOut, out)
		return nil
	})
}

// imported moves from both; the caller releases the array.
func imported(schema *cSchema, in *deviceArray) (arrow.Field, arrow.Array, error) {
	if err := onCPU(in.device_type); err != nil {
		return arrow.Field{}, nil, err
	}
	return cdata.ImportCArray(cdataArray(&in.array), cdataSchema(schema))
}

//export goConsume
func goConsume(self *adapter, schema *cSchema, in *deviceArray, schemaOut *cSchema,
	out *cArray) C.int {
	return guarded(func() error {
		field, given, err := imported(schema, in)
		if err != nil {
			return err
		}
		defer given.Release()
		own := copiedArray(given)
		defer own.Release()
		export(field, own, schemaOut, out)
		return nil
	})
}

// A CPU array has no event to pass on.
//
//export goRelay
func goRelay(self *adapter, schema *cSchema, in *deviceArray, schemaOut *cSchema,
	out *deviceArray) C.int {
	return guarded(func() error {
		field, given, err := imported(schema, in)
		if err != nil {
			return err
		}
		defer given.Release()
		exportOnCPU(field, given, schemaOut, out)
		return nil
	})
}

//export goBytesAllocated
func goBytesAllocated(self *adapter) C.int64_t { return C.int64_t(allocator.AllocatedBytes()) }

//export goLastError
func goLastError(self *adapter) *C.char { return lastError }

// newAdapter fills the adapter in, in C memory, since adicheck keeps it.
func newAdapter() *adapter {
	it := (*adapter)(C.calloc(1, C.sizeof_struct_adi_adapter))
	it.size = C.sizeof_struct_adi_adapter
	it.version = C.ADI_ADAPTER_VERSION
	it.name = C.CString("arrow-go")
	it.release_name = C.CString(arrow.PkgVersion)
	it.roles = (*[0]byte)(C.goRoles)
	it.open = (*[0]byte)(C.goOpen)
	it.produce = (*[0]byte)(C.goProduce)
	it.consume = (*[0]byte)(C.goConsume)
	it.relay = (*[0]byte)(C.goRelay)
	it.produce_stream = (*[0]byte)(C.goProduceStream)
	it.consume_stream = (*[0]byte)(C.goConsumeStream)
	it.relay_stream = (*[0]byte)(C.goRelayStream)
	it.async_layout = C.asyncLayout
	it.produce_async = (*[0]byte)(C.goProduceAsync)
	it.consume_async = (*[0]byte)(C.goConsumeAsync)
	it.consume_async_finish = (*[0]byte)(C.goConsumeAsyncFinish)
	it.bytes_allocated = (*[0]byte)(C.goBytesAllocated)
	it.last_error = (*[0]byte)(C.goLastError)
	return it
}

var self = newAdapter()

//export adi_adapter
func adi_adapter() *adapter { return self }

func main() {}
