// SPDX-License-Identifier: Apache-2.0
//
//! Shows polars-arrow to adicheck: the arrays and the C data interface of Polars, as crates.io gives
//! them. polars-arrow has no structure for devices: this file writes the members around the array.
//! What was taken from the harness is released when it is dropped, on paths that fail too.
mod adicheck;
mod copy;

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use adicheck::*;
use polars_arrow::array::Array;
use polars_arrow::datatypes::Field;
use polars_arrow::ffi;

static LAST_ERROR: Mutex<Option<CString>> = Mutex::new(None);
static HOST: AtomicPtr<adi_host> = AtomicPtr::new(ptr::null_mut());

/// The errno value and the text.
struct Failure(c_int, String);

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

/// No panic may pass through C.
fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied());
        let text = format!("panicked: {}", text.unwrap_or("and said nothing"));
        Err(Failure(libc::EINVAL, text))
    });
    let Err(Failure(code, text)) = result else {
        return 0;
    };
    *LAST_ERROR.lock().unwrap() = CString::new(text.replace('\0', " ")).ok();
    code
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
        (*out).device_id = -1;
        (*out).device_type = ARROW_DEVICE_CPU;
        (*out).sync_event = ptr::null_mut();
        (*out).reserved = [0; 3];
    }
}

fn only_cpu(device_type: ArrowDeviceType) -> Result<(), Failure> {
    match device_type {
        ARROW_DEVICE_CPU => Ok(()),
        other => Err(Failure(libc::ENOTSUP, format!("device type {other}"))),
    }
}

/// Tells the harness that what `call` does is to import.
fn importing<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let host = HOST.load(Ordering::Relaxed);
    // SAFETY: it lives from `open` to `close`.
    let tell = unsafe { host.as_ref() }.and_then(|host| host.imports);
    tell.inspect(|tell| unsafe { tell(host, 1) });
    let result = call();
    tell.inspect(|tell| unsafe { tell(host, 0) });
    result
}

unsafe extern "C" fn roles(_: *mut adi_adapter, device_type: ArrowDeviceType, _: i64) -> c_uint {
    match device_type {
        ARROW_DEVICE_CPU => ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
        _ => 0,
    }
}

unsafe extern "C" fn open(_: *mut adi_adapter, host: *const adi_host) -> c_int {
    HOST.store(host.cast_mut(), Ordering::Relaxed);
    std::panic::set_hook(Box::new(|_| ())); // what it said is in last_error
    0
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
        let given = importing(|| unsafe { import(schema, host) })?;
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

unsafe extern "C" fn last_error(_: *mut adi_adapter) -> *const c_char {
    let text = LAST_ERROR.lock().unwrap();
    text.as_deref().unwrap_or_default().as_ptr()
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => unreachable!(),
    };

struct Shared(adi_adapter);
unsafe impl Sync for Shared {} // nobody writes to it

static ADAPTER: Shared = Shared(adi_adapter {
    name: c"polars-arrow".as_ptr(),
    release_name: VERSION.as_ptr(),
    roles: Some(roles),
    open: Some(open),
    produce: Some(produce),
    consume: Some(consume),
    relay: Some(relay),
    last_error: Some(last_error),
    ..adi_adapter::EMPTY
});

#[unsafe(no_mangle)]
pub extern "C" fn adi_adapter() -> *const adi_adapter {
    &raw const ADAPTER.0
}
