//! Whatever git, or somebody who plays git, tells a pre-push hook: updates or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mem_scan::git::parse_updates;

fuzz_target!(|input: &[u8]| {
    if let Ok(updates) = parse_updates(input) {
        let lines = input.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        assert_eq!(updates.len(), lines.count());
        let objects = updates.iter().flat_map(|update| [update.new, update.old]);
        assert!(objects.flatten().all(|oid| oid.to_string().contains(|digit| digit != '0')));
    }
});
