//! Two indexes, or two logs of one day, as one.

use crate::MemoryPath;
use crate::frontmatter::Eol;
use crate::index::{self, Index};

/// All lines of `ours`, then those of `theirs` that it does not have; blank lines are not
/// brought along.
pub(super) fn lines(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let split = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let lines = bytes.split(|&byte| byte == b'\n');
        lines.map(|line| line.trim_ascii_end().to_vec()).collect()
    };
    let known: std::collections::BTreeSet<Vec<u8>> = split(ours).into_iter().collect();
    let fresh: Vec<Vec<u8>> = split(theirs)
        .into_iter()
        .filter(|line| !line.is_empty() && !known.contains(line))
        .collect();
    let eol = Eol::of(ours).as_str().as_bytes();
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

/// The same for indexes: a file that `ours` has an entry for gets no second one.
pub(super) fn indexes(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let (own, other) = (Index::parse(ours), Index::parse(theirs));
    let files: std::collections::BTreeSet<&str> =
        own.entries().map(|(_, entry)| entry.file()).collect();
    let mut wanted = Vec::with_capacity(theirs.len());
    for line in other.lines() {
        let is_there = match &line.kind {
            index::Kind::Entry(entry) => files.contains(entry.file()),
            _ => false,
        };
        if !is_there {
            wanted.extend_from_slice(&theirs[line.start..line.next]);
        }
    }
    lines(ours, &wanted)
}

/// An index with the links to files that stand elsewhere now pointing there; paths are those
/// that it uses. Each step goes by a name that nothing has, so that none undoes another.
pub(super) fn retarget(bytes: &[u8], moves: &[(MemoryPath, MemoryPath)]) -> Vec<u8> {
    let is_chain = moves
        .iter()
        .any(|(_, to)| moves.iter().any(|(from, _)| from == to));
    let rename = |bytes: &[u8], moves: &[(MemoryPath, MemoryPath)]| {
        let step =
            |bytes: Vec<u8>, (from, to): &(MemoryPath, MemoryPath)| index::rename(&bytes, from, to);
        moves.iter().fold(bytes.to_vec(), step)
    };
    if !is_chain {
        return rename(bytes, moves);
    }
    let (mut away, mut back) = (Vec::new(), Vec::new());
    for (number, (from, to)) in moves.iter().enumerate() {
        if let Ok(between) = MemoryPath::parse(&format!("mem-import-{number}.md")) {
            away.push((from.clone(), between.clone()));
            back.push((between, to.clone()));
        }
    }
    rename(&rename(bytes, &away), &back)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> MemoryPath {
        MemoryPath::parse(text).unwrap()
    }

    #[test]
    fn every_line_of_both_is_there_once_and_every_file_has_one_entry() {
        let ours = b"# Index\r\n- [A](a.md) - ours\r\n";
        let theirs = b"# Index\n\n- [A](a.md) - theirs\n- [B](b.md)\nprose";
        assert_eq!(
            indexes(ours, theirs),
            b"# Index\r\n- [A](a.md) - ours\r\n- [B](b.md)\r\nprose\r\n"
        );
        assert_eq!(indexes(ours, ours), ours);
        assert_eq!(lines(b"x", b"y\n"), b"x\ny\n");
    }

    #[test]
    fn moves_that_cross_do_not_undo_each_other() {
        let moves = [
            (path("a.md"), path("a-2.md")),
            (path("a-2.md"), path("a-3.md")),
        ];
        assert_eq!(
            retarget(b"- [A](a.md)\n- [B](a-2.md)\n", &moves),
            b"- [A](a-2.md)\n- [B](a-3.md)\n"
        );
    }
}
