// SPDX-License-Identifier: Apache-2.0
//
// An array of type null has no buffers (Columnar format, "Buffer Listing for Each Layout"), and
// n_buffers has to be 0 then; it is exported with one.
use polars_arrow::array::NullArray;
use polars_arrow::datatypes::ArrowDataType;
use polars_arrow::ffi::export_array_to_c;

fn main() {
    let exported = export_array_to_c(NullArray::new(ArrowDataType::Null, 3).boxed());
    // length, null_count, offset, n_buffers
    let n_buffers = unsafe { (&raw const exported).cast::<i64>().add(3).read() };
    println!("n_buffers of an array of type null: {n_buffers}");
    std::process::exit((n_buffers == 0) as i32);
}
