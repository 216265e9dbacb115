// SPDX-License-Identifier: Apache-2.0
//
// <adicheck/adapter.h> and <adicheck/abi.h> in Rust: the structures of the Arrow C data, stream and
// device interfaces, and the adapter that adicheck calls. adapter.h says what each function must do.
// The names are those of C. Nothing here is dropped by itself: to move out of a structure is to read
// it (`ptr::read`) and to set its `release` to None.
#![allow(dead_code, non_camel_case_types)]

use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr;

// ---- C data interface ----

pub const ARROW_FLAG_DICTIONARY_ORDERED: i64 = 1;
pub const ARROW_FLAG_NULLABLE: i64 = 2;
pub const ARROW_FLAG_MAP_KEYS_SORTED: i64 = 4;

#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

// ---- C stream interface ----

#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

// ---- C device data interface ----

pub type ArrowDeviceType = i32;

pub const ARROW_DEVICE_CPU: ArrowDeviceType = 1;
pub const ARROW_DEVICE_CUDA: ArrowDeviceType = 2;
pub const ARROW_DEVICE_CUDA_HOST: ArrowDeviceType = 3;
pub const ARROW_DEVICE_OPENCL: ArrowDeviceType = 4;
pub const ARROW_DEVICE_VULKAN: ArrowDeviceType = 7;
pub const ARROW_DEVICE_METAL: ArrowDeviceType = 8;
pub const ARROW_DEVICE_VPI: ArrowDeviceType = 9;
pub const ARROW_DEVICE_ROCM: ArrowDeviceType = 10;
pub const ARROW_DEVICE_ROCM_HOST: ArrowDeviceType = 11;
pub const ARROW_DEVICE_EXT_DEV: ArrowDeviceType = 12;
pub const ARROW_DEVICE_CUDA_MANAGED: ArrowDeviceType = 13;
pub const ARROW_DEVICE_ONEAPI: ArrowDeviceType = 14;
pub const ARROW_DEVICE_WEBGPU: ArrowDeviceType = 15;
pub const ARROW_DEVICE_HEXAGON: ArrowDeviceType = 16;

#[repr(C)]
pub struct ArrowDeviceArray {
    pub array: ArrowArray,
    pub device_id: i64,
    pub device_type: ArrowDeviceType,
    pub sync_event: *mut c_void,
    pub reserved: [i64; 3],
}

#[repr(C)]
pub struct ArrowDeviceArrayStream {
    pub device_type: ArrowDeviceType,
    pub get_schema:
        Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next:
        Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowDeviceArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream)>,
    pub private_data: *mut c_void,
}

// ---- C async device stream interface ----

#[repr(C)]
pub struct ArrowAsyncTask {
    pub extract_data:
        Option<unsafe extern "C" fn(*mut ArrowAsyncTask, *mut ArrowDeviceArray) -> c_int>,
    pub private_data: *mut c_void,
}

/// The layout of the headers that are shipped: 40 bytes, without the member `release` that the
/// printed text has between `cancel` and `additional_metadata`.
#[repr(C)]
pub struct ArrowAsyncProducer {
    pub device_type: ArrowDeviceType,
    pub request: Option<unsafe extern "C" fn(*mut ArrowAsyncProducer, n: i64)>,
    pub cancel: Option<unsafe extern "C" fn(*mut ArrowAsyncProducer)>,
    pub additional_metadata: *const c_char,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowAsyncDeviceStreamHandler {
    pub on_schema: Option<
        unsafe extern "C" fn(*mut ArrowAsyncDeviceStreamHandler, schema: *mut ArrowSchema) -> c_int,
    >,
    pub on_next_task: Option<
        unsafe extern "C" fn(
            *mut ArrowAsyncDeviceStreamHandler,
            task: *mut ArrowAsyncTask,
            metadata: *const c_char,
        ) -> c_int,
    >,
    pub on_error: Option<
        unsafe extern "C" fn(
            *mut ArrowAsyncDeviceStreamHandler,
            code: c_int,
            message: *const c_char,
            metadata: *const c_char,
        ),
    >,
    pub release: Option<unsafe extern "C" fn(*mut ArrowAsyncDeviceStreamHandler)>,
    pub producer: *mut ArrowAsyncProducer,
    pub private_data: *mut c_void,
}

// ---- the adapter ----

pub const ADI_ADAPTER_VERSION: u32 = 1;

// What an implementation can do on a device: bits of `roles`.
pub const ADI_PRODUCES: c_uint = 1;
pub const ADI_CONSUMES: c_uint = 2;
pub const ADI_PRODUCES_STREAM: c_uint = 4;
pub const ADI_CONSUMES_STREAM: c_uint = 8;
pub const ADI_PRODUCES_ASYNC: c_uint = 16;
pub const ADI_CONSUMES_ASYNC: c_uint = 32;
pub const ADI_RELAYS: c_uint = 64;

/// <adicheck/device.h>
#[repr(C)]
pub struct adi_device_ops {
    _opaque: [u8; 0],
}

/// What the harness offers to an adapter; valid from `open` until `close`.
#[repr(C)]
pub struct adi_host {
    pub size: u32,
    pub version: u32,
    /// A native handle of the harness's own context on a device, or null.
    pub get: Option<
        unsafe extern "C" fn(
            *const adi_host,
            ArrowDeviceType,
            device_id: i64,
            what: *const c_char,
        ) -> *const c_void,
    >,
    /// A line for the report of the case at hand. The text is copied.
    pub log: Option<unsafe extern "C" fn(*const adi_host, text: *const c_char)>,
    /// (if `size` reaches to here) Around what `produce` does to import the host array, where it
    /// has to import before it can export: `begins` 1, then 0.
    pub imports: Option<unsafe extern "C" fn(*const adi_host, begins: c_int)>,
}

/// A function that is None is a role that is not played. `adi_adapter { name, .., ..EMPTY }`.
#[repr(C)]
pub struct adi_adapter {
    pub size: u32,
    pub version: u32,
    /// Of the implementation: "arrow-rs".
    pub name: *const c_char,
    /// Its version: "0.9.0".
    pub release_name: *const c_char,
    /// The adapter's own.
    pub state: *mut c_void,
    /// The offset of `additional_metadata` in the ArrowAsyncProducer of the implementation; 0: no
    /// async.
    pub async_layout: u32,

    /// The roles, as bits (ADI_PRODUCES, ...), on this device; 0 where there are none.
    pub roles:
        Option<unsafe extern "C" fn(*mut adi_adapter, ArrowDeviceType, device_id: i64) -> c_uint>,
    /// (optional) Called before and after everything else, in each worker.
    pub open: Option<unsafe extern "C" fn(*mut adi_adapter, *const adi_host) -> c_int>,
    pub close: Option<unsafe extern "C" fn(*mut adi_adapter)>,

    /// ADI_PRODUCES. Copies host data to the device and exports it.
    pub produce: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            ArrowDeviceType,
            device_id: i64,
            schema: *mut ArrowSchema,
            host: *mut ArrowArray,
            schema_out: *mut ArrowSchema,
            out: *mut ArrowDeviceArray,
        ) -> c_int,
    >,
    /// ADI_CONSUMES. Imports, reads as the interface demands, gives a host copy.
    pub consume: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            schema: *mut ArrowSchema,
            input: *mut ArrowDeviceArray,
            schema_out: *mut ArrowSchema,
            host_out: *mut ArrowArray,
        ) -> c_int,
    >,
    /// ADI_RELAYS. Imports and exports again without copying.
    pub relay: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            schema: *mut ArrowSchema,
            input: *mut ArrowDeviceArray,
            schema_out: *mut ArrowSchema,
            out: *mut ArrowDeviceArray,
        ) -> c_int,
    >,
    /// ADI_PRODUCES_STREAM, ADI_CONSUMES_STREAM.
    pub produce_stream: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            ArrowDeviceType,
            device_id: i64,
            host: *mut ArrowArrayStream,
            out: *mut ArrowDeviceArrayStream,
        ) -> c_int,
    >,
    pub consume_stream: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            input: *mut ArrowDeviceArrayStream,
            host_out: *mut ArrowArrayStream,
        ) -> c_int,
    >,
    /// ADI_PRODUCES_ASYNC. Drives `handler`, maybe from a thread of its own.
    pub produce_async: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            ArrowDeviceType,
            device_id: i64,
            host: *mut ArrowArrayStream,
            handler: *mut ArrowAsyncDeviceStreamHandler,
        ) -> c_int,
    >,
    /// ADI_CONSUMES_ASYNC. Fills `handler`; `consume_async_finish` blocks until its stream ended.
    pub consume_async: Option<
        unsafe extern "C" fn(
            *mut adi_adapter,
            handler: *mut ArrowAsyncDeviceStreamHandler,
            batches_at_once: i64,
        ) -> c_int,
    >,
    pub consume_async_finish:
        Option<unsafe extern "C" fn(*mut adi_adapter, host_out: *mut ArrowArrayStream) -> c_int>,

    /// (optional) The bytes that the implementation holds right now; -1: unknown.
    pub bytes_allocated: Option<unsafe extern "C" fn(*mut adi_adapter) -> i64>,
    /// (optional) Why the last call failed; valid until the next call.
    pub last_error: Option<unsafe extern "C" fn(*mut adi_adapter) -> *const c_char>,
    /// (optional) A device that adicheck does not have; null for those that it has.
    pub device:
        Option<unsafe extern "C" fn(*mut adi_adapter, ArrowDeviceType) -> *const adi_device_ops>,
}

impl adi_adapter {
    /// Plays no role and has no name yet.
    pub const EMPTY: adi_adapter = adi_adapter {
        size: size_of::<adi_adapter>() as u32,
        version: ADI_ADAPTER_VERSION,
        name: ptr::null(),
        release_name: ptr::null(),
        state: ptr::null_mut(),
        async_layout: 0,
        roles: None,
        open: None,
        close: None,
        produce: None,
        consume: None,
        relay: None,
        produce_stream: None,
        consume_stream: None,
        produce_async: None,
        consume_async: None,
        consume_async_finish: None,
        bytes_allocated: None,
        last_error: None,
        device: None,
    };
}
