// SPDX-License-Identifier: Apache-2.0
//
//! Streams of record batches: what arrow-rs imports is an ArrowArrayStream, and so is what it
//! exports. It has no device stream; one of the CPU is forwarded here, callback for callback.
#![allow(deprecated)] // the new name of the reader is not in 60.0
use std::ffi::{c_char, c_int};
use std::ptr;

use arrow_array::ffi_stream::ArrowArrayStreamReader as Reader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, SchemaRef};

use crate::adapter::{Failure, guarded, only_cpu, write_around_array};
use crate::adicheck::*;
use crate::copied;

/// The batches of another reader, in memory of Rust's allocator.
struct Copying(Reader);

impl Iterator for Copying {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.and_then(|batch| {
            let columns = batch.columns().iter();
            let copies = columns.map(|column| make_array(copied(&column.to_data())));
            let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            RecordBatch::try_new_with_options(batch.schema(), copies.collect(), &rows)
        }))
    }
}

impl RecordBatchReader for Copying {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

// ---- a device stream as an ArrowArrayStream ----

type Device = ArrowDeviceArrayStream;

unsafe extern "C" fn schema_within(this: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    unsafe {
        let within = (*this).private_data.cast::<Device>();
        (*within).get_schema.unwrap()(within, out)
    }
}

unsafe extern "C" fn next_within(this: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    unsafe {
        let within = (*this).private_data.cast::<Device>();
        let mut chunk = std::mem::MaybeUninit::<ArrowDeviceArray>::uninit();
        let code = (*within).get_next.unwrap()(within, chunk.as_mut_ptr());
        if code == 0 {
            out.write(ptr::read(&raw const (*chunk.as_ptr()).array));
        }
        code
    }
}

unsafe extern "C" fn error_within(this: *mut ArrowArrayStream) -> *const c_char {
    unsafe {
        let within = (*this).private_data.cast::<Device>();
        (*within).get_last_error.unwrap()(within)
    }
}

unsafe extern "C" fn release_within(this: *mut ArrowArrayStream) {
    unsafe {
        let mut within = Box::from_raw((*this).private_data.cast::<Device>());
        within.release.unwrap()(&raw mut *within);
        (*this).release = None;
    }
}

/// Moves from `input`, released or not.
unsafe fn import(input: *mut Device) -> Result<Reader, Failure> {
    unsafe {
        if (*input).release.is_some() {
            only_cpu((*input).device_type)?;
        }
        let release = (*input).release.map(|_| release_within as _);
        let within = release.map(|_| Box::into_raw(Box::new(ptr::read(input))));
        (*input).release = None;
        let mut forwarded = ArrowArrayStream {
            get_schema: Some(schema_within),
            get_next: Some(next_within),
            get_last_error: Some(error_within),
            release,
            private_data: within.map_or(ptr::null_mut(), <*mut Device>::cast),
        };
        Ok(Reader::from_raw((&raw mut forwarded).cast())?)
    }
}

// ---- an ArrowArrayStream as a device stream ----

unsafe extern "C" fn get_schema(this: *mut Device, out: *mut ArrowSchema) -> c_int {
    unsafe {
        let own = (*this).private_data.cast::<ArrowArrayStream>();
        (*own).get_schema.unwrap()(own, out)
    }
}

unsafe extern "C" fn get_next(this: *mut Device, out: *mut ArrowDeviceArray) -> c_int {
    unsafe {
        let own = (*this).private_data.cast::<ArrowArrayStream>();
        let code = (*own).get_next.unwrap()(own, &raw mut (*out).array);
        if code == 0 {
            write_around_array(out);
        }
        code
    }
}

unsafe extern "C" fn get_last_error(this: *mut Device) -> *const c_char {
    unsafe {
        let own = (*this).private_data.cast::<ArrowArrayStream>();
        (*own).get_last_error.unwrap()(own)
    }
}

unsafe extern "C" fn release(this: *mut Device) {
    unsafe {
        drop(Box::from_raw(
            (*this).private_data.cast::<FFI_ArrowArrayStream>(),
        ));
        (*this).release = None;
    }
}

unsafe fn export(reader: impl RecordBatchReader + Send + 'static, out: *mut Device) {
    let own = Box::new(FFI_ArrowArrayStream::new(Box::new(reader)));
    let exported = Device {
        device_type: ARROW_DEVICE_CPU,
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(own).cast(),
    };
    unsafe { out.write(exported) };
}

// ---- the roles ----

pub unsafe extern "C" fn produce_stream(
    _: *mut adi_adapter,
    device_type: ArrowDeviceType,
    _: i64,
    host: *mut ArrowArrayStream,
    out: *mut Device,
) -> c_int {
    guarded(|| unsafe {
        only_cpu(device_type)?;
        export(Copying(Reader::from_raw(host.cast())?), out);
        Ok(())
    })
}

pub unsafe extern "C" fn consume_stream(
    _: *mut adi_adapter,
    input: *mut Device,
    host_out: *mut ArrowArrayStream,
) -> c_int {
    guarded(|| unsafe {
        let exported = FFI_ArrowArrayStream::new(Box::new(Copying(import(input)?)));
        host_out.cast::<FFI_ArrowArrayStream>().write(exported);
        Ok(())
    })
}

pub unsafe extern "C" fn relay_stream(
    _: *mut adi_adapter,
    input: *mut Device,
    out: *mut Device,
) -> c_int {
    guarded(|| unsafe {
        export(import(input)?, out);
        Ok(())
    })
}
