// SPDX-License-Identifier: Apache-2.0
//
//! Shows arrow-rs to adicheck: its C data interface, on the CPU. It has no structure for device
//! arrays; what such a structure says besides the array is read and written here. A field is
//! imported and exported, not only its type, so that names, flags and metadata are arrow-rs's to
//! keep or to lose; and an array goes through the typed arrays, which are what its users hold.
#[path = "../../../../harness/command/new/adicheck.rs"]
mod adicheck;

use std::any::Any;
use std::ffi::{CString, c_char, c_int};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use adicheck::*;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, Field};

static LAST_ERROR: Mutex<Option<CString>> = Mutex::new(None);
static HOST: AtomicPtr<adi_host> = AtomicPtr::new(null_mut());

fn fail(code: c_int, text: String) -> c_int {
    *LAST_ERROR.lock().unwrap() = CString::new(text.replace('\0', " ")).ok();
    code
}

fn fail_with(error: ArrowError) -> c_int {
    let code = match &error {
        ArrowError::NotYetImplemented(_) => libc::ENOTSUP,
        ArrowError::MemoryError(_) => libc::ENOMEM,
        ArrowError::IoError(_, _) => libc::EIO,
        _ => libc::EINVAL,
    };
    fail(code, error.to_string())
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("and said nothing"))
}

/// No panic may pass through C.
fn guarded(call: impl FnOnce() -> Result<(), ArrowError>) -> c_int {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => fail_with(error),
        Err(panic) => fail(libc::EINVAL, said(panic.as_ref())),
    }
}

/// Tells the host that what happens until this is dropped imports.
struct Importing;

impl Importing {
    fn begin() -> Self {
        Self::tell(1);
        Self
    }

    fn tell(begins: c_int) {
        let host = HOST.load(Ordering::Relaxed);
        // SAFETY: the host lives from `open` to `close`; it has what its size reaches to.
        unsafe {
            if !host.is_null() && (*host).size as usize > offset_of!(adi_host, imports) {
                (*host).imports.inspect(|imports| imports(host, begins));
            }
        }
    }
}

impl Drop for Importing {
    fn drop(&mut self) {
        Self::tell(0);
    }
}

/// Moves out of both structures, without copying the buffers.
///
/// # Safety
/// As all of this: the host hands over pointers that are valid for the call.
unsafe fn import(
    schema: *mut ArrowSchema,
    array: *mut ArrowArray,
) -> Result<(Field, ArrayRef), ArrowError> {
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
) -> Result<(), ArrowError> {
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
) -> Result<(), ArrowError> {
    unsafe { export(field, array, schema_out, &raw mut (*out).array) }?;
    unsafe {
        (*out).device_id = -1;
        (*out).device_type = ARROW_DEVICE_CPU;
        (*out).sync_event = null_mut();
        (*out).reserved = [0; 3];
    }
    Ok(())
}

fn only_cpu(device_type: ArrowDeviceType) -> Result<(), ArrowError> {
    if device_type == ARROW_DEVICE_CPU {
        return Ok(());
    }
    let text = format!("device type {device_type}");
    Err(ArrowError::NotYetImplemented(text))
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
        ARROW_DEVICE_CPU => ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
        _ => 0,
    }
}

unsafe extern "C" fn open(_: *mut adi_adapter, host: *const adi_host) -> c_int {
    HOST.store(host.cast_mut(), Ordering::Relaxed);
    0
}

unsafe extern "C" fn close(_: *mut adi_adapter) {
    HOST.store(null_mut(), Ordering::Relaxed);
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

unsafe extern "C" fn last_error(_: *mut adi_adapter) -> *const c_char {
    let text = LAST_ERROR.lock().unwrap();
    text.as_ref().map_or(null(), |text| text.as_ptr())
}

struct Mine(adi_adapter);

// SAFETY: nobody writes to it; all calls come from one thread.
unsafe impl Sync for Mine {}

static MINE: Mine = Mine(adi_adapter {
    name: c"arrow-rs".as_ptr(),
    release_name: VERSION.as_ptr().cast(),
    roles: Some(roles),
    open: Some(open),
    close: Some(close),
    produce: Some(produce),
    consume: Some(consume),
    relay: Some(relay),
    last_error: Some(last_error),
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
