//! Any bytes may be scanned: nothing panics, and every span fits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mem_secrets::{Origin, Scanner};

fuzz_target!(|bytes: &[u8]| {
    let paths = ["", "a.py", "a.yaml", ".pgpass", "nuget.config", "a.sh"];
    let path = paths[usize::from(bytes.first().copied().unwrap_or(0)) % paths.len()];
    let report = Scanner::new().with_comments(true).explain(bytes, &Origin::path(path));
    for finding in report.findings {
        assert!(finding.span.start <= finding.span.end);
        assert!(finding.span.end <= bytes.len() as u64);
    }
});
