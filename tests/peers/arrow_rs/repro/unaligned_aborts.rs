// SPDX-License-Identifier: Apache-2.0
//
// Offsets at an odd address end a debug build on import, by a panic that cannot be caught; in a
// release build reading them is undefined behaviour. Integers at one are copied to where they fit.
use std::panic::{catch_unwind, set_hook};
use std::process::exit;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::make_array;
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;

fn round_trip(data_type: DataType, buffers: Vec<Buffer>) {
    let data = ArrayData::builder(data_type.clone())
        .len(1)
        .buffers(buffers);
    let data = unsafe { data.build_unchecked() };
    let imported = unsafe { from_ffi_and_data_type(FFI_ArrowArray::new(&data), data_type) };
    println!("{:?}", make_array(imported.expect("refused")));
}

fn at_odd_address(words: &[i32]) -> Buffer {
    let bytes = words.iter().flat_map(|word| word.to_ne_bytes());
    Buffer::from_iter(std::iter::once(0).chain(bytes)).slice(1)
}

fn main() {
    round_trip(DataType::Int32, vec![at_odd_address(&[7])]);
    set_hook(Box::new(|panic| {
        println!("{panic}"); // the process is about to be aborted
        let is_shown = panic.to_string().contains("misaligned pointer");
        exit(!is_shown as i32);
    }));
    let text = vec![at_odd_address(&[0, 1]), Buffer::from(b"a")];
    let caught = catch_unwind(|| round_trip(DataType::Utf8, text));
    println!("the offsets were read: {caught:?}");
    exit(1);
}
