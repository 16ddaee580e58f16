//! What the host lends: a clock, and an ear for reports.

use std::time::Duration;

mod import {
    #![allow(
        unsafe_code,
        reason = "the functions of the host take and answer plain numbers"
    )]

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment; infinity ends whatever waits for a time.
        pub(super) safe fn now() -> f64;
        /// Told where a report lies in the memory, and how long it is.
        pub(super) safe fn report(start: *const u8, length: usize);
    }
}

/// The time since some fixed moment.
pub fn now() -> Duration {
    Duration::try_from_secs_f64(import::now() / 1000.0).unwrap_or(Duration::MAX)
}

/// Hands a report over.
pub fn report(text: &[u8]) {
    import::report(text.as_ptr(), text.len());
}
