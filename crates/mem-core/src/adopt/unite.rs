//! Uniting two indexes, or two logs of one day.

use super::plan::{Adopted, Fate};
use super::{ending, is_index};
use crate::MemoryPath;
use crate::index;

/// The index of the source with the links to renamed files pointing to their new names.
pub(super) fn retarget(bytes: &[u8], folder: Option<&str>, all: &[Adopted]) -> Vec<u8> {
    let prefix = folder
        .map(|folder| format!("{folder}/"))
        .unwrap_or_default();
    let inside = |path: &MemoryPath| {
        path.as_str()
            .strip_prefix(&prefix)
            .and_then(|file| MemoryPath::parse(file).ok())
    };
    let mut bytes = bytes.to_vec();
    for adopted in all.iter().filter(|one| !is_index(one.path.file_name())) {
        if let Fate::Renamed(target) = &adopted.fate
            && let (Some(from), Some(to)) = (inside(&adopted.path), inside(target))
        {
            bytes = index::rename(&bytes, &from, &to);
        }
    }
    bytes
}

/// All lines of `ours`, then those of `theirs` that it does not have. Blank lines are not
/// brought along.
pub(super) fn lines(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let split = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes
            .split(|&byte| byte == b'\n')
            .map(|line| line.trim_ascii_end().to_vec())
            .collect()
    };
    let known = split(ours);
    let fresh: Vec<Vec<u8>> = split(theirs)
        .into_iter()
        .filter(|line| !line.is_empty() && !known.contains(line))
        .collect();
    let eol = ending(ours).as_bytes();
    let mut united = ours.to_vec();
    if !fresh.is_empty() && united.last().is_some_and(|&last| last != b'\n') {
        united.extend_from_slice(eol);
    }
    for line in fresh {
        united.extend_from_slice(&line);
        united.extend_from_slice(eol);
    }
    united
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_both_is_there_once() {
        let ours = b"# Index\n- [A](a.md)\n";
        let theirs = b"# Index\n\n- [A](a.md)\n- [B](b.md)";
        assert_eq!(lines(ours, theirs), b"# Index\n- [A](a.md)\n- [B](b.md)\n");
        assert_eq!(lines(b"x", b"y\n"), b"x\ny\n");
        assert_eq!(lines(ours, ours), ours);
    }
}
