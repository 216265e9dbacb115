// SPDX-License-Identifier: Apache-2.0
//
// Streams of arrow-go: ImportCRecordReader and ExportRecordReader, which know record batches and no
// device (forward.h), and the asynchronous ones of CreateAsyncDeviceStreamHandler and
// ExportAsyncRecordBatchStream.
package main

// #include <string.h>
//
// #include "forward.h"
import "C"

import (
	"context"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

type (
	arrayStream  = C.struct_ArrowArrayStream
	deviceStream = C.struct_ArrowDeviceArrayStream
	asyncHandler = C.struct_ArrowAsyncDeviceStreamHandler
)

func cdataHandler(it *asyncHandler) *cdata.CArrowAsyncDeviceStreamHandler {
	return (*cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(it))
}

func cdataStream(it *arrayStream) *cdata.CArrowArrayStream {
	return (*cdata.CArrowArrayStream)(unsafe.Pointer(it))
}

func copiedBatch(given arrow.RecordBatch) arrow.RecordBatch {
	columns := make([]arrow.Array, given.NumCols())
	for i, column := range given.Columns() {
		columns[i] = copiedArray(column)
		defer columns[i].Release()
	}
	return array.NewRecordBatch(given.Schema(), columns, given.NumRows())
}

// copying reads copies of what another reader gives, whom it owns.
type copying struct {
	array.RecordReader
	batch arrow.RecordBatch
	users atomic.Int64
}

func copiesOf(reader array.RecordReader) *copying {
	it := &copying{RecordReader: reader}
	it.Retain()
	return it
}

func (it *copying) drop() {
	if it.batch != nil {
		it.batch.Release()
		it.batch = nil
	}
}

func (it *copying) Next() bool {
	it.drop()
	if !it.RecordReader.Next() {
		return false
	}
	it.batch = copiedBatch(it.RecordReader.RecordBatch())
	return true
}

func (it *copying) RecordBatch() arrow.RecordBatch { return it.batch }
func (it *copying) Record() arrow.RecordBatch      { return it.batch }
func (it *copying) Retain()                        { it.users.Add(1) }

func (it *copying) Release() {
	if it.users.Add(-1) == 0 {
		it.drop()
		it.RecordReader.Release()
	}
}

// importedHost moves from the stream.
func importedHost(in *arrayStream) (array.RecordReader, error) {
	reader, err := cdata.ImportCRecordReader(cdataStream(in), nil)
	if err != nil {
		return nil, err
	}
	return reader.(array.RecordReader), nil
}

// importedStream moves from the stream.
func importedStream(in *deviceStream) (array.RecordReader, error) {
	if in.release != nil {
		if err := onCPU(in.device_type); err != nil {
			return nil, err
		}
	}
	own := (*arrayStream)(C.calloc(1, C.sizeof_struct_ArrowArrayStream))
	defer C.free(unsafe.Pointer(own))
	if code := C.array_stream_of(in, own); code != 0 {
		return nil, syscall.Errno(code)
	}
	return importedHost(own)
}

// exportHost takes the reader over: what is exported has a reference of its own.
func exportHost(reader array.RecordReader, out *arrayStream) {
	defer reader.Release()
	C.memset(unsafe.Pointer(out), 0, C.sizeof_struct_ArrowArrayStream)
	cdata.ExportRecordReader(reader, cdataStream(out))
}

func exportOnDevice(reader array.RecordReader, out *deviceStream) {
	own := (*arrayStream)(C.calloc(1, C.sizeof_struct_ArrowArrayStream))
	exportHost(reader, own)
	C.device_stream_of(own, out)
}

//export goProduceStream
func goProduceStream(self *adapter, device C.ArrowDeviceType, id C.int64_t, in *arrayStream,
	out *deviceStream) C.int {
	return guarded(func() error {
		if err := onCPU(device); err != nil {
			return err
		}
		reader, err := importedHost(in)
		if err != nil {
			return err
		}
		exportOnDevice(copiesOf(reader), out)
		return nil
	})
}

//export goConsumeStream
func goConsumeStream(self *adapter, in *deviceStream, out *arrayStream) C.int {
	return guarded(func() error {
		reader, err := importedStream(in)
		if err != nil {
			return err
		}
		exportHost(copiesOf(reader), out)
		return nil
	})
}

//export goRelayStream
func goRelayStream(self *adapter, in, out *deviceStream) C.int {
	return guarded(func() error {
		reader, err := importedStream(in)
		if err != nil {
			return err
		}
		exportOnDevice(reader, out)
		return nil
	})
}

// push gives what a reader gives until `done`, and releases the reader.
func push(reader array.RecordReader, to chan<- cdata.RecordMessage, done <-chan struct{}) {
	defer reader.Release()
	defer close(to)
	for reader.Next() {
		batch := reader.RecordBatch()
		batch.Retain()
		select {
		case to <- cdata.RecordMessage{Record: batch}:
		case <-done:
			batch.Release()
			return
		}
	}
	if err := reader.Err(); err != nil {
		select {
		case to <- cdata.RecordMessage{Err: err}:
		case <-done:
		}
	}
}

//export goProduceAsync
func goProduceAsync(self *adapter, device C.ArrowDeviceType, id C.int64_t, in *arrayStream,
	handler *asyncHandler) C.int {
	return guarded(func() error {
		if err := onCPU(device); err != nil {
			return err
		}
		reader, err := importedHost(in)
		if err != nil {
			return err
		}
		messages, done := make(chan cdata.RecordMessage), make(chan struct{})
		go push(copiesOf(reader), messages, done)
		go func() {
			defer close(done)
			// How it ended the handler is told, too.
			_ = cdata.ExportAsyncRecordBatchStream(reader.Schema(), messages, cdataHandler(handler))
		}()
		return nil
	})
}

var coming <-chan cdata.AsyncRecordBatchStream // one handler at a time

//export goConsumeAsync
func goConsumeAsync(self *adapter, handler *asyncHandler, atOnce C.int64_t) C.int {
	C.memset(unsafe.Pointer(handler), 0, C.sizeof_struct_ArrowAsyncDeviceStreamHandler)
	coming = cdata.CreateAsyncDeviceStreamHandler(context.Background(), uint64(atOnce),
		cdataHandler(handler))
	return 0
}

//export goConsumeAsyncFinish
func goConsumeAsyncFinish(self *adapter, out *arrayStream) C.int {
	return guarded(func() error {
		stream := <-coming
		if stream.Err != nil {
			return stream.Err
		}
		var batches []arrow.RecordBatch
		defer func() {
			for _, batch := range batches {
				batch.Release()
			}
		}()
		var failure error
		for message := range stream.Stream {
			if message.Err != nil {
				failure = message.Err
				continue
			}
			batches = append(batches, copiedBatch(message.Record))
			message.Record.Release()
		}
		if failure != nil {
			return failure
		}
		reader, err := array.NewRecordReader(stream.Schema, batches)
		if err != nil {
			return err
		}
		exportHost(reader, out)
		return nil
	})
}
