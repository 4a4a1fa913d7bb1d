//! Which part of a blob is scanned: what differs from the version before, with as much around it as rules look at.

use std::ops::Range;

use mem_secrets::{OVERLAP_BYTES, ScanReport, is_binary};

/// Bytes that are compared at once.
const CHUNK_BYTES: usize = 64;
/// How a section of encrypted values begins in manifests.
const SEALED_HEAD: &[u8] = b"encryptedData";

/// The lines of `new` from the first to the last that differ from those of `old`, with the bytes around them that a
/// rule may look at; the whole of `new` where it is no text.
pub(super) fn changed_part(old: &[u8], new: &[u8]) -> Range<usize> {
    let head = common_start(old, new);
    let tail = common_end(&old[head..], &new[head..]);
    let from = head.saturating_sub(OVERLAP_BYTES);
    let start = memchr::memrchr(b'\n', &new[..from]).map_or(0, |newline| newline + 1);
    let to = (new.len() - tail + OVERLAP_BYTES).min(new.len());
    let end = memchr::memchr(b'\n', &new[to..]).map_or(new.len(), |at| to + at + 1);
    // What a section of sealed values holds is judged by its head, however far above.
    let is_sealed = memchr::memmem::find(&new[..start], SEALED_HEAD).is_some();
    match is_sealed || is_binary(new) || is_binary(&new[start..end]) {
        true => 0..new.len(),
        false => start..end,
    }
}

/// How many bytes two texts begin with that are the same.
fn common_start(one: &[u8], other: &[u8]) -> usize {
    let chunks = one.chunks(CHUNK_BYTES).zip(other.chunks(CHUNK_BYTES));
    let known = chunks.take_while(|(one, other)| one == other).count() * CHUNK_BYTES;
    let known = known.min(one.len()).min(other.len());
    let rest = one[known..].iter().zip(&other[known..]);
    known + rest.take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts end with that are the same.
fn common_end(one: &[u8], other: &[u8]) -> usize {
    let chunks = one.rchunks(CHUNK_BYTES).zip(other.rchunks(CHUNK_BYTES));
    let known = chunks.take_while(|(one, other)| one == other).count() * CHUNK_BYTES;
    let known = known.min(one.len()).min(other.len());
    let (one, other) = (&one[..one.len() - known], &other[..other.len() - known]);
    let rest = one.iter().rev().zip(other.iter().rev());
    known + rest.take_while(|(one, other)| one == other).count()
}

/// Moves what was found in a part of a blob to its place in the whole.
pub(super) fn move_report(report: &mut ScanReport, before: &[u8]) {
    let bytes = before.len() as u64;
    let lines = memchr::memchr_iter(b'\n', before).count() as u64;
    let suppressed = report.suppressed.iter_mut().map(|one| &mut one.finding);
    for finding in report.findings.iter_mut().chain(suppressed) {
        finding.span = finding.span.start + bytes..finding.span.end + bytes;
        finding.line += lines;
        finding.end_line += lines;
    }
    for rejection in &mut report.rejections {
        rejection.span = rejection.span.start + bytes..rejection.span.end + bytes;
    }
}

#[cfg(test)]
mod tests {
    use mem_secrets::template::assemble;
    use mem_secrets::{InputOrigin, Scanner};
    use proptest::prelude::*;

    use super::super::added_lines::added;
    use super::*;

    /// A text before and after a change, and whether something is found on its changed lines.
    fn changes() -> [(String, String, bool); 4] {
        let key = assemble("{pem:RSA PRIVATE KEY}\n", 3);
        let other = key.replace(key.lines().nth(2).unwrap(), "changed");
        let secret = format!("kind: Secret\ndata:\n{}", "  row: eHh4\n".repeat(5_000));
        let entry = assemble("  password: {b64:{[a-z0-9]:24}}\n", 5);
        let token = assemble("t: {github:ghp_}", 7);
        [
            (other, key, true),
            (secret.clone(), secret + &entry, true),
            (format!("{token}\n"), format!("{token}\nb: c\n"), false),
            (String::new(), format!("{token} # mem:allow\n"), true),
        ]
    }

    /// What is found in a part of `new` on lines that `old` lacks: the rule, the place, and whether a comment hides it.
    fn found(old: &[u8], new: &[u8], part: &Range<usize>) -> Vec<(String, Range<u64>, u64, bool)> {
        let scanner = Scanner::new().with_comments(true);
        let mut report = scanner.report(&new[part.clone()], &InputOrigin::path("a.yaml"));
        move_report(&mut report, &new[..part.start]);
        let lines = added(old, new).unwrap();
        let hidden = report.suppressed.into_iter().map(|one| (one.finding, true));
        let shown = report.findings.into_iter().map(|one| (one, false));
        let mut found = Vec::new();
        for (one, is_hidden) in shown.chain(hidden) {
            let mut lines = lines.iter();
            if lines.any(|(first, last)| one.line <= *last && one.end_line >= *first) {
                found.push((one.rule, one.span, one.line, is_hidden));
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]
        #[test]
        fn a_part_has_the_findings_of_the_whole_on_changed_lines(above in 3_000..9_000_usize, below in 0..9_000_usize) {
            let rows = |count: usize| "a row of a large file\n".repeat(count);
            for (before, after, is_found) in changes() {
                let [old, new] = [before, after].map(|text| (rows(above) + &text + &rows(below)).into_bytes());
                let whole = found(&old, &new, &(0..new.len()));
                prop_assert_eq!(whole.is_empty(), !is_found);
                prop_assert_eq!(found(&old, &new, &changed_part(&old, &new)), whole);
            }
        }
    }

    #[test]
    fn a_small_change_of_a_large_text_is_scanned_with_its_surroundings() {
        let lines = (0..100_000).map(|number| format!("line {number:09}\n"));
        let old = lines.collect::<String>().into_bytes();
        let at = 50_000 * 15;
        for new in [
            [&old[..at], b"new\n", &old[at..]].concat(),
            [&old[..at], b"new\n", &old[at + 15..]].concat(),
            [&old[..at], &old[at + 30..]].concat(),
        ] {
            let part = changed_part(&old, &new);
            assert!(part.len() < 3 * OVERLAP_BYTES, "{part:?}");
            assert_eq!(new[part.start - 1], b'\n');
            assert!(part.start + OVERLAP_BYTES <= at + 15 && part.end >= at + OVERLAP_BYTES);
        }
        let other = [b"x", &old[1..old.len() - 2], b"y\n"].concat();
        assert_eq!(changed_part(&old, &other), 0..other.len());
        let binary = [b"\0", &old[..]].concat();
        let changed = [&binary[..at], b"new", &binary[at..]].concat();
        assert_eq!(changed_part(&binary, &changed), 0..changed.len());
    }
}
