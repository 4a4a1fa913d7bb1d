//! How the binary is linked: it is started at every prompt and every push.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script its target by variables, and where to write"
)]

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Set by whoever builds for other machines of the same kind, as `cargo xtask dist` does.
const PORTABLE: &str = "MEM_PORTABLE";

/// The first glibc whose loader reads packed relocations.
const GLIBC_MIN: (u32, u32) = (2, 36);

/// The functions that every start runs, which the linker lays side by side: wherever they lie by chance in 20 MB of code,
/// each start waits for 70 pages more, a tenth of what `mem path` takes. `cargo xtask start-order` writes it.
const START_ORDER: &str = "start.order";

/// What a linker may know. Functions of the same code are folded into one: a hundredth of the binary. And the file is
/// written in one go: one that was written through a mapping lies in the page cache page by page, and each start maps
/// it so, a third slower. LLD 22 does that where it is told the opposite; once `--no-mmap-output-file` means what it
/// says, it belongs here instead.
const LINKER_ARGS: [&str; 3] = [
    "-Wl,--icf=all",
    "-Wl,--mmap-output-file",
    "-Wl,--no-warn-symbol-ordering",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Thousands of pointers in tables are adjusted at every start; packed, that takes a tenth of
    // the reading. A loader that cannot read them would not start the program at all, so only
    // what is built for this very machine gets them.
    println!("cargo::rerun-if-env-changed={PORTABLE}");
    let is_for_here = env::var("HOST") == env::var("TARGET") && env::var_os(PORTABLE).is_none();
    let glibc = glibc_version().filter(|_| is_for_here);
    if glibc.is_some_and(|version| version >= GLIBC_MIN) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={START_ORDER}");
        let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        let order = format!("-Wl,--symbol-ordering-file={folder}/{START_ORDER}");
        let arguments = LINKER_ARGS.map(str::to_owned).into_iter().chain([order]);
        for argument in arguments.filter(|argument| links_with(argument)) {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
    // The shared library that unwinds is one more to map and relocate, and nothing here passes
    // exceptions to other libraries. What is linked first wins; the other is then left out.
    if glibc.is_some() && has_static_unwinder() {
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Whether the linker that will be used takes an argument: it is tried on a program that does nothing.
fn links_with(argument: &str) -> bool {
    let (Some(rustc), Some(target), Some(out_dir)) = (
        env::var_os("RUSTC"),
        env::var_os("TARGET"),
        env::var_os("OUT_DIR"),
    ) else {
        return false;
    };
    let source = Path::new(&out_dir).join("nothing.rs");
    if fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command.args(["--edition=2024", "-C"]);
    command.arg(format!("link-arg={argument}"));
    command.arg("--target").arg(target);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut argument = OsString::from("-Clinker=");
        argument.push(linker);
        command.arg(argument);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    command.arg("-o").arg(source.with_extension("")).arg(source);
    command.output().is_ok_and(|output| output.status.success())
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
fn glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf")
        .arg("GNU_LIBC_VERSION")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
