//! The entry point on Linux with glibc: C's `main`, in place of the one that Rust makes.
//!
//! Rust's own reads `/proc/self/maps`, so that it can name the thread whose stack overflows: 0.09 ms of a start that
//! takes 1.1. An overflow ends the program here as well, without that message. The rest of what Rust's does is needed
//! and done here: closed standard streams are opened, and a write to a closed pipe is an error instead of a signal.
#![expect(
    unsafe_code,
    reason = "the C library calls `main` by its name, and signals are set by a call of it"
)]

use std::ffi::{c_char, c_int};
use std::os::fd::IntoRawFd as _;
use std::process;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Called by the C library, which has given the arguments to `std::env` before.
#[unsafe(no_mangle)]
extern "C" fn main(_count: c_int, _arguments: *const *const c_char) -> c_int {
    open_standard_streams();
    // SAFETY: no thread runs yet that could set the signal as well.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    // Writes out what standard output has buffered; returning would not.
    process::exit(crate::run() as c_int)
}

/// Opens `/dev/null` for each closed standard stream: a file that is opened later would take its number, and what is
/// printed would be written into it.
fn open_standard_streams() {
    let streams = [
        rustix::stdio::stdin(),
        rustix::stdio::stdout(),
        rustix::stdio::stderr(),
    ];
    for stream in streams {
        if rustix::io::fcntl_getfd(stream) != Err(Errno::BADF) {
            continue;
        }
        // The lowest free number is that of this stream. It stays open as long as the program runs.
        match rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
            Ok(null) => drop(null.into_raw_fd()),
            Err(_) => process::abort(),
        }
    }
}
