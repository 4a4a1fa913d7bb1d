//! A file of lines that grows at its end, within bounds.

use std::io::{self, Write as _};
use std::path::Path;

use crate::{atomic, regular_file};

/// Adds lines to a file that only its owner reads; where it grows beyond `bytes_max`, its older half
/// goes.
///
/// Writers need no lock: each line is one write. Of lines that are added in the very moment that the
/// older half goes, some are lost.
///
/// # Errors
/// The system's.
pub fn append_lines(path: &Path, lines: &[u8], bytes_max: u64) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        atomic::create_dirs(folder)?;
    }
    let mut file = regular_file::append(path)?;
    file.write_all(lines)?;
    if file.metadata()?.len() > bytes_max {
        let bytes = regular_file::read_whole(path)?;
        let rest = &bytes[bytes.len() / 2..];
        let whole = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        atomic::replace_file(path, &rest[whole..])
            .map_err(|error| io::Error::other(error.to_string()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_newer_half_in_whole_lines() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("log");
        for number in 0..400 {
            append_lines(&path, format!("line {number:05}\n").as_bytes(), 1_000).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.len() <= 1_000 && text.ends_with("line 00399\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() == 10), "{text}");
    }
}
