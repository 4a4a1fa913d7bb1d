//! How the binary is linked: it is started at every prompt and every push.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script its target by variables"
)]

use std::env;
use std::process::Command;

/// The first glibc whose loader reads packed relocations.
const GLIBC_MIN: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Thousands of pointers in tables are adjusted at every start; packed, that takes a tenth of
    // the reading. A loader that cannot read them would not start the program at all, so only
    // what is built for this very machine gets them.
    let is_for_here = env::var("HOST") == env::var("TARGET");
    let glibc = glibc().filter(|_| is_for_here);
    if glibc.is_some_and(|version| version >= GLIBC_MIN) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    // The shared library that unwinds is one more to map and relocate, and nothing here passes
    // exceptions to other libraries. What is linked first wins; the other is then left out.
    if glibc.is_some() && has_static_unwinder() {
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Whether the compiler that links has GCC's unwinder as an archive.
fn has_static_unwinder() -> bool {
    let output = Command::new("cc")
        .arg("-print-file-name=libgcc_eh.a")
        .output();
    // It answers with the bare name when it has none.
    output.is_ok_and(|output| output.stdout.starts_with(b"/"))
}

/// The version of this machine's glibc, `None` where there is none.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf")
        .arg("GNU_LIBC_VERSION")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
