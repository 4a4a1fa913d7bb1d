//! One file: read whole where it is small, in windows where it is not.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;

use mem_core::regular_file;
use mem_secrets::{ScanReport, Stream, is_binary};

use super::names;
use super::rules::Ruleset;
use super::scan_origin::ScanOrigin;
use super::scan_totals::ScanTotals;

/// Larger files are scanned in windows; each thread may hold one file of this size.
const WHOLE_BYTES_MAX: u64 = 2 << 20;
/// Read at once from what is scanned in windows.
const PIECE_BYTES: usize = 256 << 10;
/// How much of a large file is held at a time.
const WINDOW_BYTES: usize = 1 << 20;

/// Scans a file of the disk. Whatever is wrong with it is a problem of the tally.
pub(crate) fn scan(
    path: &Path,
    place: &ScanOrigin,
    ruleset: &Ruleset,
    buffer: &mut Vec<u8>,
    totals: &mut ScanTotals,
) -> u64 {
    let before = totals.bytes;
    totals.files += 1;
    if let Err(error) = read(path, place, ruleset, buffer, totals) {
        totals.problem(format!("cannot scan `{}`: {}", place.shown, reason(&error)));
    }
    names::scan(place, ruleset, totals);
    totals.bytes - before
}

fn read(
    path: &Path,
    place: &ScanOrigin,
    ruleset: &Ruleset,
    buffer: &mut Vec<u8>,
    totals: &mut ScanTotals,
) -> io::Result<()> {
    let mut file = regular_file::open(path)?;
    let metadata = file.metadata()?;
    // A file of /proc has no size, and others grow while they are read.
    buffer.clear();
    let known = metadata.len().min(WHOLE_BYTES_MAX);
    buffer.reserve(usize::try_from(known).unwrap_or(0) + 1);
    file.by_ref()
        .take(WHOLE_BYTES_MAX + 1)
        .read_to_end(buffer)?;
    if buffer.len() as u64 <= WHOLE_BYTES_MAX {
        ruleset.scan_bytes(buffer, place, totals);
        return Ok(());
    }
    let rest = io::Cursor::new(std::mem::take(buffer)).chain(file);
    in_windows(rest, place, ruleset, totals)
}

/// Scans what does not fit into memory, or whose size is not known.
///
/// # Errors
/// The source cannot be read to its end; what was read before is in the tally.
pub(crate) fn in_windows(
    mut source: impl Read,
    place: &ScanOrigin,
    ruleset: &Ruleset,
    totals: &mut ScanTotals,
) -> io::Result<()> {
    let origin = place.origin();
    let mut stream = Stream::with_window(ruleset.scanner(), &origin, WINDOW_BYTES);
    let mut piece = vec![0; PIECE_BYTES];
    let mut known = None;
    let mut admit = |findings, head: &[u8], totals: &mut ScanTotals| {
        let is_binary = *known.get_or_insert_with(|| is_binary(head));
        let report = ScanReport {
            findings,
            ..ScanReport::default()
        };
        ruleset.admit_from(report, is_binary, &[], place, totals);
    };
    let outcome = loop {
        match source.read(&mut piece) {
            Ok(0) => break Ok(()),
            Ok(count) => {
                totals.bytes += count as u64;
                admit(stream.push(&piece[..count]), &piece[..count], totals);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    let (findings, hidden) = stream.finish_counted();
    totals.suppressed += hidden;
    admit(findings, &[], totals);
    outcome
}

/// Standard input, as the file `-`.
pub fn scan_input(source: &mut impl Read, ruleset: &Ruleset, totals: &mut ScanTotals) {
    let place = ScanOrigin::file("-", "-");
    totals.files += 1;
    let mut head = Vec::new();
    let whole = source
        .by_ref()
        .take(WHOLE_BYTES_MAX + 1)
        .read_to_end(&mut head);
    let outcome = match whole {
        Ok(_) if head.len() as u64 <= WHOLE_BYTES_MAX => {
            ruleset.scan_bytes(&head, &place, totals);
            Ok(())
        }
        Ok(_) => in_windows(io::Cursor::new(head).chain(source), &place, ruleset, totals),
        Err(error) => {
            ruleset.scan_bytes(&head, &place, totals);
            Err(error)
        }
    };
    if let Err(error) = outcome {
        totals.problem(format!("cannot read standard input: {}", reason(&error)));
    }
}

/// What a file is that cannot be scanned; `None` for one that can.
pub(crate) fn unreadable_kind(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("it is a pipe");
        }
        if kind.is_socket() {
            return Some("it is a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("it is a device");
        }
    }
    Some(if metadata.is_dir() {
        "it is a directory"
    } else {
        "it is no regular file"
    })
}

/// The system's words, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = words.chars();
    let first = chars
        .next()
        .map(|c| c.to_lowercase().to_string())
        .unwrap_or_default();
    first + chars.as_str()
}
