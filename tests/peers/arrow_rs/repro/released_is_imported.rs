// SPDX-License-Identifier: Apache-2.0
//
// Nobody looks at `release` on import: a structure that has been released, or moved from, is
// imported, and what its members happen to point to is read as its buffers.
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use arrow_array::Int32Array;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_schema::DataType;

#[repr(C)] // "Structure definitions"
struct ArrowArray {
    counts: [i64; 5], // length, null_count, offset, n_buffers, n_children
    buffers: *const *const c_void,
    children: [*mut c_void; 2], // and dictionary
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

fn main() {
    let of_somebody_else = [41, 42];
    let buffers = [null(), of_somebody_else.as_ptr().cast()];
    let mut released = ArrowArray {
        counts: [2, 0, 0, 2, 0],
        buffers: buffers.as_ptr(),
        children: [null_mut(); 2],
        release: None, // as it is after a move in C: the other members are left as they were
        private_data: null_mut(),
    };
    let taken = unsafe { FFI_ArrowArray::from_raw((&raw mut released).cast()) };
    assert!(taken.is_released());
    let array = match unsafe { from_ffi_and_data_type(taken, DataType::Int32) } {
        Ok(data) => Int32Array::from(data),
        Err(error) => panic!("refused: {error}"),
    };
    println!("released, and imported: {:?}", array.values());
    std::process::exit(if array.len() == 2 { 0 } else { 1 });
}
