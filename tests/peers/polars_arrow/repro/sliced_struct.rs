// SPDX-License-Identifier: Apache-2.0
//
// A struct with an offset, as others export a slice of one, is imported, and exported as it is. Its
// offset is the children's then, and that of a column of strings is counted twice.
use polars_arrow::array::{StructArray, Utf8Array};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::ffi::{export_array_to_c, import_array_from_c};

fn main() {
    let strings = Utf8Array::<i64>::from_slice(["a", "b", "c", "d", "e", "f", "g", "h"]).boxed();
    let field = Field::new("strings".into(), ArrowDataType::LargeUtf8, true);
    let dtype = ArrowDataType::Struct(vec![field]);
    let whole = StructArray::new(dtype.clone(), 8, vec![strings], None);

    let mut given = export_array_to_c(whole.boxed());
    let members = (&raw mut given).cast::<i64>(); // length, null_count, offset
    unsafe {
        members.write(2);
        members.add(2).write(2);
    }
    let imported = unsafe { import_array_from_c(given, dtype.clone()) }.unwrap();
    let handed_on = export_array_to_c(imported.clone());
    let back = unsafe { import_array_from_c(handed_on, dtype) }.unwrap();
    println!("{imported:?} came back as {back:?}");
    std::process::exit((imported == back) as i32);
}
