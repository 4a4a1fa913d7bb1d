//! Any text may be a configuration: it is parsed or refused, and what is
//! parsed can be scanned with.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mem_secrets::{Config, Origin, Scanner};

fuzz_target!(|text: &str| {
    if let Ok(config) = Config::parse(text) {
        let scanner = Scanner::new().with_config(config);
        let _ = scanner.report(text.as_bytes(), &Origin::path("gitleaks.toml"));
    }
});
