// SPDX-License-Identifier: Apache-2.0
//
//! What the adapters written in Rust have in common: errors and panics become errno values and a
//! text, and the host is told what is an import. The libraries have no structure for device arrays;
//! what such a structure says besides the array is written here.
use std::any::Any;
use std::ffi::{CString, c_char, c_int};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::adicheck::*;

static LAST_ERROR: Mutex<Option<CString>> = Mutex::new(None);
static HOST: AtomicPtr<adi_host> = AtomicPtr::new(null_mut());

/// The errno value and the text. Each adapter says which value an error of its library is.
pub struct Failure(pub c_int, pub String);

fn said(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("and said nothing");
    Failure(libc::EINVAL, format!("panicked: {text}"))
}

/// No panic may pass through C.
pub fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(call));
    let Err(Failure(code, text)) = result.unwrap_or_else(|panic| Err(said(panic.as_ref()))) else {
        return 0;
    };
    *LAST_ERROR.lock().unwrap() = CString::new(text.replace('\0', " ")).ok();
    code
}

/// Tells the host that what happens until this is dropped imports.
pub struct Importing;

impl Importing {
    pub fn begin() -> Self {
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

pub fn only_cpu(device_type: ArrowDeviceType) -> Result<(), Failure> {
    match device_type {
        ARROW_DEVICE_CPU => Ok(()),
        other => Err(Failure(libc::ENOTSUP, format!("device type {other}"))),
    }
}

/// Writes what stands around an array of the CPU, which has no event.
///
/// # Safety
/// As all of this: the host hands over pointers that are valid for the call.
pub unsafe fn write_around_array(out: *mut ArrowDeviceArray) {
    unsafe {
        (*out).device_id = -1;
        (*out).device_type = ARROW_DEVICE_CPU;
        (*out).sync_event = null_mut();
        (*out).reserved = [0; 3];
    }
}

pub unsafe extern "C" fn open(_: *mut adi_adapter, host: *const adi_host) -> c_int {
    HOST.store(host.cast_mut(), Ordering::Relaxed);
    0
}

pub unsafe extern "C" fn close(_: *mut adi_adapter) {
    HOST.store(null_mut(), Ordering::Relaxed);
}

pub unsafe extern "C" fn last_error(_: *mut adi_adapter) -> *const c_char {
    let text = LAST_ERROR.lock().unwrap();
    text.as_ref().map_or(null(), |text| text.as_ptr())
}

/// An adapter, to be shown to C.
pub struct Shown(pub adi_adapter);

// SAFETY: nobody writes to it; all calls come from one thread.
unsafe impl Sync for Shown {}
