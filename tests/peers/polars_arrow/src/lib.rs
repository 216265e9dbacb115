// SPDX-License-Identifier: Apache-2.0
//
//! Shows polars-arrow to adicheck: the arrays and the C data interface of Polars, as crates.io gives
//! them. What was taken from the harness is released when it is dropped, on paths that fail too.
#[path = "../../adapter.rs"]
mod adapter;
#[path = "../../../../harness/command/new/adicheck.rs"]
mod adicheck;
mod copy;

use std::error::Error;
use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

use adapter::{Failure, Importing, Shown, guarded, only_cpu};
use adicheck::*;
use polars_arrow::array::Array;
use polars_arrow::datatypes::Field;
use polars_arrow::ffi;

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(libc::EINVAL, error.to_string())
    }
}

/// What has been imported: a field with its flags and metadata, and the rows.
struct Imported {
    field: Field,
    array: Box<dyn Array>,
}

/// Moves from both.
///
/// # Safety
/// They are structures of the C data interface, or released ones.
unsafe fn import(schema: *mut ArrowSchema, array: *mut ArrowArray) -> Result<Imported, Failure> {
    unsafe {
        let schema = ptr::replace(schema.cast(), ffi::ArrowSchema::empty());
        let array = ptr::replace(array.cast(), ffi::ArrowArray::empty());
        let field = ffi::import_field_from_c(&schema)?;
        let array = ffi::import_array_from_c(array, field.dtype.clone())?;
        Ok(Imported { field, array })
    }
}

/// # Safety
/// Nothing that is in the outputs is live.
unsafe fn export(
    field: &Field,
    array: Box<dyn Array>,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowArray,
) {
    let schema = ffi::export_field_to_c(field);
    let array = ffi::export_array_to_c(array);
    unsafe {
        ptr::write(schema_out.cast(), schema);
        ptr::write(out.cast(), array);
    }
}

/// As `export`; a CPU array has no event.
unsafe fn export_device(
    field: &Field,
    array: Box<dyn Array>,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) {
    unsafe {
        export(field, array, schema_out, &raw mut (*out).array);
        adapter::write_around_array(out);
    }
}

unsafe extern "C" fn roles(_: *mut adi_adapter, device_type: ArrowDeviceType, _: i64) -> c_uint {
    match device_type {
        ARROW_DEVICE_CPU => ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
        _ => 0,
    }
}

unsafe extern "C" fn open(this: *mut adi_adapter, host: *const adi_host) -> c_int {
    std::panic::set_hook(Box::new(|_| ())); // what it said is in last_error
    unsafe { adapter::open(this, host) }
}

/// Rows with others in front of them become a slice, as they were one before.
unsafe extern "C" fn produce(
    _: *mut adi_adapter,
    device_type: ArrowDeviceType,
    _: i64,
    schema: *mut ArrowSchema,
    host: *mut ArrowArray,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) -> c_int {
    guarded(|| {
        only_cpu(device_type)?;
        let rows_in_front = unsafe { (*host).offset } as usize;
        let importing = Importing::begin();
        let given = unsafe { import(schema, host) }?;
        drop(importing);
        let copy = copy::copied(given.array.as_ref())?;
        let array = copy::sliced_behind(rows_in_front, copy)?;
        unsafe { export_device(&given.field, array, schema_out, out) };
        Ok(())
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
        let given = import(schema, &raw mut (*input).array)?;
        let copy = copy::copied(given.array.as_ref())?;
        export(&given.field, copy, schema_out, host_out);
        Ok(())
    })
}

unsafe extern "C" fn relay(
    _: *mut adi_adapter,
    schema: *mut ArrowSchema,
    input: *mut ArrowDeviceArray,
    schema_out: *mut ArrowSchema,
    out: *mut ArrowDeviceArray,
) -> c_int {
    guarded(|| unsafe {
        only_cpu((*input).device_type)?;
        let given = import(schema, &raw mut (*input).array)?;
        export_device(&given.field, given.array, schema_out, out);
        Ok(())
    })
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => unreachable!(),
    };

static ADAPTER: Shown = Shown(adi_adapter {
    name: c"polars-arrow".as_ptr(),
    release_name: VERSION.as_ptr(),
    roles: Some(roles),
    open: Some(open),
    close: Some(adapter::close),
    produce: Some(produce),
    consume: Some(consume),
    relay: Some(relay),
    last_error: Some(adapter::last_error),
    ..adi_adapter::EMPTY
});

#[unsafe(no_mangle)]
pub extern "C" fn adi_adapter() -> *const adi_adapter {
    &raw const ADAPTER.0
}
