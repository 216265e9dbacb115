// SPDX-License-Identifier: Apache-2.0
//
//! What `adapter.h` and `abi.h` declare, as Rust sees it. An adapter fills in `Adapter` and exports
//! one function, `adi_adapter`, which returns it. `adapter.h` says what each slot must do.
#![allow(dead_code)]

use std::ffi::{c_char, c_int, c_void};

pub const ADI_ADAPTER_VERSION: u32 = 1;

/// Bits of `roles`: what an implementation can do on a device.
pub const ADI_PRODUCES: u32 = 1;
pub const ADI_CONSUMES: u32 = 2;
pub const ADI_PRODUCES_STREAM: u32 = 4;
pub const ADI_CONSUMES_STREAM: u32 = 8;
pub const ADI_PRODUCES_ASYNC: u32 = 16;
pub const ADI_CONSUMES_ASYNC: u32 = 32;
pub const ADI_RELAYS: u32 = 64;

pub type ArrowDeviceType = i32;

pub const ARROW_DEVICE_CPU: ArrowDeviceType = 1;

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

#[repr(C)]
pub struct ArrowDeviceArray {
    pub array: ArrowArray,
    pub device_id: i64,
    pub device_type: ArrowDeviceType,
    pub sync_event: *mut c_void,
    pub reserved: [i64; 3],
}

/// What the harness offers to an adapter; valid from `open` until `close`.
#[repr(C)]
pub struct Host {
    pub size: u32,
    pub version: u32,
    pub get: Option<
        unsafe extern "C" fn(*const Host, ArrowDeviceType, i64, *const c_char) -> *const c_void,
    >,
    pub log: Option<unsafe extern "C" fn(*const Host, *const c_char)>,
    pub imports: Option<unsafe extern "C" fn(*const Host, c_int)>,
}

/// `None` is a role that is not played. The slots for streams are not declared: they stay `None`.
#[repr(C)]
pub struct Adapter {
    pub size: u32,
    pub version: u32,
    pub name: *const c_char,
    pub release_name: *const c_char,
    pub state: *mut c_void,
    pub async_layout: u32,
    pub roles: Option<unsafe extern "C" fn(*mut Adapter, ArrowDeviceType, i64) -> u32>,
    pub open: Option<unsafe extern "C" fn(*mut Adapter, *const Host) -> c_int>,
    pub close: Option<unsafe extern "C" fn(*mut Adapter)>,
    pub produce: Option<
        unsafe extern "C" fn(
            *mut Adapter,
            ArrowDeviceType,
            i64,
            *mut ArrowSchema,
            *mut ArrowArray,
            *mut ArrowSchema,
            *mut ArrowDeviceArray,
        ) -> c_int,
    >,
    pub consume: Option<
        unsafe extern "C" fn(
            *mut Adapter,
            *mut ArrowSchema,
            *mut ArrowDeviceArray,
            *mut ArrowSchema,
            *mut ArrowArray,
        ) -> c_int,
    >,
    pub relay: Option<
        unsafe extern "C" fn(
            *mut Adapter,
            *mut ArrowSchema,
            *mut ArrowDeviceArray,
            *mut ArrowSchema,
            *mut ArrowDeviceArray,
        ) -> c_int,
    >,
    pub streams: [Option<unsafe extern "C" fn()>; 5],
    pub bytes_allocated: Option<unsafe extern "C" fn(*mut Adapter) -> i64>,
    pub last_error: Option<unsafe extern "C" fn(*mut Adapter) -> *const c_char>,
    pub device: Option<unsafe extern "C" fn(*mut Adapter, ArrowDeviceType) -> *const c_void>,
}
