// SPDX-License-Identifier: Apache-2.0
//
// A stream of structs whose second row is null: where it is imported the row is not null any more.
#![allow(deprecated)] // the new name of the reader is not in 60.0
use std::{ffi::c_int, ffi::c_void, ptr::null_mut, sync::Arc};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, Int32Array, StructArray};
use arrow_schema::{DataType, Field};

type Callback<T> = unsafe extern "C" fn(*mut Stream, *mut T) -> c_int;
type Release = Option<unsafe extern "C" fn(*mut Stream)>;
#[repr(C)] // "Structure definition"; the third is get_last_error
struct Stream(Callback<FFI_ArrowSchema>, Callback<FFI_ArrowArray>, Release, Release, *mut c_void);

fn rows() -> StructArray {
    let fields = vec![Field::new("number", DataType::Int32, true)];
    let numbers = Arc::new(Int32Array::from(vec![7, 8]));
    StructArray::new(fields.into(), vec![numbers], Some(vec![true, false].into()))
}
unsafe extern "C" fn get_schema(_: *mut Stream, out: *mut FFI_ArrowSchema) -> c_int {
    unsafe { out.write(FFI_ArrowSchema::try_from(rows().data_type()).unwrap()) };
    0
}
unsafe extern "C" fn get_next(_: *mut Stream, out: *mut FFI_ArrowArray) -> c_int {
    unsafe { out.write(FFI_ArrowArray::new(&rows().to_data())) };
    0
}
unsafe extern "C" fn release(stream: *mut Stream) {
    unsafe { (*stream).3 = None };
}

fn main() {
    let mut stream = Stream(get_schema, get_next, None, Some(release), null_mut());
    let stream = unsafe { FFI_ArrowArrayStream::from_raw((&raw mut stream).cast()) };
    let batch = ArrowArrayStreamReader::try_new(stream).unwrap().next().unwrap().unwrap();
    println!("{} null came in, {:?} came out", rows().null_count(), batch.column(0));
    std::process::exit(batch.column(0).null_count() as i32);
}
