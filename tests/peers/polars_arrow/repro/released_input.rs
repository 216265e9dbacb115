// SPDX-License-Identifier: Apache-2.0
//
// import_array_from_c does not look at `release`: what was moved away is imported once more, and is
// owned by nobody. import_field_from_c neither: it panics, if what it finds is no format.
use polars_arrow::array::PrimitiveArray;
use polars_arrow::datatypes::ArrowDataType;
use polars_arrow::ffi::{ArrowSchema, export_array_to_c, import_array_from_c, import_field_from_c};

const RELEASE: usize = 64; // its offset in struct ArrowArray, on 64 bits

fn main() {
    let mut source = export_array_to_c(PrimitiveArray::<i32>::from_vec(vec![1, 2, 3]).boxed());
    let moved = unsafe { std::ptr::read(&source) };
    unsafe { (&raw mut source).byte_add(RELEASE).cast::<usize>().write(0) };
    let array = unsafe { import_array_from_c(source, ArrowDataType::Int32) };
    println!("a released array: {array:?}, which is freed with the other one");
    drop(moved);

    let released = ArrowSchema::empty();
    let field = std::panic::catch_unwind(|| unsafe { import_field_from_c(&released) });
    println!("a released schema: {field:?}");
    std::process::exit((array.is_err() || field.is_ok()) as i32);
}
