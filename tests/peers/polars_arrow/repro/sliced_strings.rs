// SPDX-License-Identifier: Apache-2.0
//
// A slice of an array of strings or binary values is exported with the offset, and with a pointer
// to the offsets that has it, too: two rows of eight, from the third on, are read from the fifth on.
use polars_arrow::array::{Array, BinaryArray, Utf8Array};
use polars_arrow::ffi::{export_array_to_c, import_array_from_c};

fn is_another_one(of_eight: Box<dyn Array>) -> bool {
    let slice = of_eight.sliced(2, 2);
    let exported = export_array_to_c(slice.clone());
    let back = unsafe { import_array_from_c(exported, slice.dtype().clone()) }.unwrap();
    println!("{slice:?} came back as {back:?}");
    slice != back
}

fn main() {
    let rows = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let shown = [
        is_another_one(Utf8Array::<i32>::from_slice(rows).boxed()),
        is_another_one(Utf8Array::<i64>::from_slice(rows).boxed()),
        is_another_one(BinaryArray::<i32>::from_slice(rows).boxed()),
        is_another_one(BinaryArray::<i64>::from_slice(rows).boxed()),
    ];
    std::process::exit(!shown.iter().all(|shown| *shown) as i32);
}
