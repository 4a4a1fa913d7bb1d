//! Any text may be an ignore file or a baseline.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mem_secrets::{Baseline, Ignore};

fuzz_target!(|text: &str| {
    let (ignore, _) = Ignore::parse(text);
    let _ = ignore.contains(None, "a", "jwt", 1);
    if let Ok(baseline) = Baseline::parse(text.as_bytes()) {
        let _ = baseline.contains("jwt", "a", 1, b"secret");
    }
});
