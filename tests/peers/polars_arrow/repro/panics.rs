// SPDX-License-Identifier: Apache-2.0
//
// Arrays of polars-arrow's own on which the C data interface panics: a slice of a union, when it
// is imported, and intervals of months, days and nanoseconds, when they are exported.
use polars_arrow::array::{PrimitiveArray, UnionArray};
use polars_arrow::datatypes::{ArrowDataType, Field, IntervalUnit, UnionMode, UnionType};
use polars_arrow::ffi::{export_array_to_c, import_array_from_c};
use polars_arrow::types::months_days_ns;

fn sliced_union() {
    let dtype = ArrowDataType::Union(Box::new(UnionType {
        fields: vec![Field::new("a".into(), ArrowDataType::Int32, true)],
        ids: None,
        mode: UnionMode::Sparse,
    }));
    let values = PrimitiveArray::<i32>::from_vec(vec![1, 2, 3]).boxed();
    let union = UnionArray::new(dtype.clone(), vec![0, 0, 0].into(), vec![values], None);
    let exported = export_array_to_c(union.boxed().sliced(2, 1));
    let _ = unsafe { import_array_from_c(exported, dtype) };
}

fn interval() {
    let dtype = ArrowDataType::Interval(IntervalUnit::MonthDayNano);
    let values = vec![months_days_ns::new(1, 2, 3)];
    let _ = export_array_to_c(PrimitiveArray::new(dtype, values.into(), None).boxed());
}

fn main() {
    let panics = [sliced_union, interval].map(|call| std::panic::catch_unwind(call).is_err());
    println!("{panics:?}");
    std::process::exit((panics != [true, true]) as i32);
}
