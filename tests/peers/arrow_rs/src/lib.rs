// SPDX-License-Identifier: Apache-2.0
//
//! Shows arrow-rs to adicheck: its C data interface, on the CPU. A field is imported and exported, not only its type, so that names, flags and metadata are arrow-rs's to
//! keep or to lose; and an array goes through the typed arrays, which are what its users hold.
#[path = "../../../../harness/command/new/adicheck.rs"]
mod adicheck;

#[path = "../../adapter.rs"]
mod adapter;
mod streams;

use std::ffi::c_int;

use adapter::{Failure, Importing, Shown, guarded, only_cpu};
use adicheck::*;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, Field};

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        let code = match &error {
            ArrowError::NotYetImplemented(_) => libc::ENOTSUP,
            ArrowError::MemoryError(_) => libc::ENOMEM,
            ArrowError::IoError(_, _) => libc::EIO,
            _ => libc::EINVAL,
        };
        Self(code, error.to_string())
    }
}

/// Moves out of both structures, without copying the buffers.
///
/// # Safety
/// As all of this: the host hands over pointers that are valid for the call.
unsafe fn import(
    schema: *mut ArrowSchema,
    array: *mut ArrowArray,
) -> Result<(Field, ArrayRef), Failure> {
    let _importing = Importing::begin();
    let schema = unsafe { FFI_ArrowSchema::from_raw(schema.cast()) };
    let array = unsafe { FFI_ArrowArray::from_raw(array.cast()) };
    let field = Field::try_from(&schema)?;
    let data = unsafe { from_ffi_and_data_type(array, field.data_type().clone()) }?;
    Ok((field, make_array(data)))
}

/// Fills both structures, or neither.
unsafe fn export(
    field: &Field,
    array: &dyn Array,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowArray,
) -> Result<(), Failure> {
    let schema = FFI_ArrowSchema::try_from(field)?;
    let array = FFI_ArrowArray::new(&array.to_data());
    unsafe { schema_out.cast::<FFI_ArrowSchema>().write(schema) };
    unsafe { out.cast::<FFI_ArrowArray>().write(array) };
    Ok(())
}

unsafe fn export_to_cpu(
    field: &Field,
    array: &dyn Array,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) -> Result<(), Failure> {
    unsafe { export(field, array, schema_out, &raw mut (*out).array) }?;
    unsafe { adapter::write_around_array(out) };
    Ok(())
}

/// Copies every buffer into memory of Rust's allocator.
fn copied(data: &ArrayData) -> ArrayData {
    let copy = |buffer: &Buffer| Buffer::from_slice_ref(buffer.as_slice());
    let nulls = data.nulls().map(|nulls| {
        let bits = BooleanBuffer::new(copy(nulls.buffer()), nulls.offset(), nulls.len());
        NullBuffer::new(bits)
    });
    let builder = ArrayData::builder(data.data_type().clone())
        .len(data.len())
        .offset(data.offset())
        .nulls(nulls)
        .buffers(data.buffers().iter().map(copy).collect())
        .child_data(data.child_data().iter().map(copied).collect());
    // SAFETY: it was an array before.
    unsafe { builder.build_unchecked() }
}

unsafe extern "C" fn roles(_: *mut adi_adapter, device_type: ArrowDeviceType, _: i64) -> u32 {
    match device_type {
        ARROW_DEVICE_CPU => {
            let streams = ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM;
            ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS | streams | ADI_ARRAY_STREAMS
        }
        _ => 0,
    }
}

unsafe extern "C" fn produce(
    _: *mut adi_adapter,
    device_type: ArrowDeviceType,
    _: i64,
    schema: *mut ArrowSchema,
    host: *mut ArrowArray,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) -> c_int {
    guarded(|| unsafe {
        only_cpu(device_type)?;
        let (field, given) = import(schema, host)?;
        let array = make_array(copied(&given.to_data()));
        drop(given);
        export_to_cpu(&field, &array, schema_out, out)
    })
}

unsafe extern "C" fn consume(
    _: *mut adi_adapter,
    schema: *mut ArrowSchema,
    input: *mut ArrowDeviceArray,
    schema_out: *mut ArrowSchema,
    host_out: *mut ArrowArray,
) -> c_int {
    guarded(|| unsafe {
        only_cpu((*input).device_type)?;
        let (field, given) = import(schema, &raw mut (*input).array)?;
        let array = make_array(copied(&given.to_data()));
        export(&field, &array, schema_out, host_out)
    })
}

/// A CPU array has no event to pass on.
unsafe extern "C" fn relay(
    _: *mut adi_adapter,
    schema: *mut ArrowSchema,
    input: *mut ArrowDeviceArray,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) -> c_int {
    guarded(|| unsafe {
        only_cpu((*input).device_type)?;
        let (field, array) = import(schema, &raw mut (*input).array)?;
        export_to_cpu(&field, &array, schema_out, out)
    })
}

static MINE: Shown = Shown(adi_adapter {
    name: c"arrow-rs".as_ptr(),
    release_name: VERSION.as_ptr().cast(),
    roles: Some(roles),
    open: Some(adapter::open),
    close: Some(adapter::close),
    produce: Some(produce),
    consume: Some(consume),
    relay: Some(relay),
    produce_stream: Some(streams::produce_stream),
    consume_stream: Some(streams::consume_stream),
    relay_stream: Some(streams::relay_stream),
    last_error: Some(adapter::last_error),
    ..adi_adapter::EMPTY
});

/// The crates are pinned to this package's own version.
const VERSION: &str = match cfg!(debug_assertions) {
    true => concat!(env!("CARGO_PKG_VERSION"), "-debug\0"),
    false => concat!(env!("CARGO_PKG_VERSION"), "\0"),
};

#[unsafe(no_mangle)]
pub extern "C" fn adi_adapter() -> *mut adi_adapter {
    (&raw const MINE.0).cast_mut()
}
