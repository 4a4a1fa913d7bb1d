//! C's transcendental functions, defined in Rust for everything that is linked into the program.
//!
//! The ranking, SQLite and tokio call `log`, `pow` and their kin. With these definitions the program does not need
//! `libm.so`: a library that the loader would have to find, map and relocate at every start (0.08 ms, 13 page faults).
//! A function that is missing here brings the library back, and the test `start::one_library` fails.
#![expect(
    unsafe_code,
    reason = "the linker finds these definitions by the names that C gives them"
)]

/// Defines functions under their C names by those of the crate `libm`.
macro_rules! define {
    ($($name:ident($($arg:ident),+): $float:ty;)+) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($arg: $float),+) -> $float {
                libm::$name($($arg),+)
            }
        )+
    };
}

define! {
    exp(x): f64;
    exp2(x): f64;
    exp2f(x): f32;
    expf(x): f32;
    log(x): f64;
    log10(x): f64;
    log1pf(x): f32;
    log2(x): f64;
    log2f(x): f32;
    logf(x): f32;
    pow(x, y): f64;
    powf(x, y): f32;
}
