//! Pointing an index to where its files stand now.

use crate::MemoryPath;
use crate::index;

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
