//! What a walk looks for.

use std::collections::{HashMap, HashSet};

use super::rewritten_commit::RewrittenCommit;
use crate::checkout::{ends_with_parts, last_segment};
use crate::scan::Lexicon;

/// Everything that the notes left open.
pub(crate) struct HistoryQuestions {
    /// Paths, whole or their last parts, of files or folders.
    pub(crate) paths: Vec<Vec<u8>>,
    by_name: HashMap<Vec<u8>, Vec<usize>>,
    /// Identifiers that no longer stand in the code.
    pub(crate) symbols: Lexicon,
    /// Files that are there: changes since this second count (0: until the content is met).
    pub(crate) touched: HashMap<Vec<u8>, i64>,
    /// Branches that are not there.
    pub(crate) branches: HashSet<String>,
    /// Commits that `HEAD` does not have.
    pub(crate) rewritten: Vec<RewrittenCommit>,
}

impl HistoryQuestions {
    pub(crate) fn new(paths: Vec<Vec<u8>>, symbols: &[Vec<String>]) -> Self {
        let mut by_name: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for (at, path) in paths.iter().enumerate() {
            by_name
                .entry(last_segment(path).to_vec())
                .or_default()
                .push(at);
        }
        Self {
            paths,
            by_name,
            symbols: Lexicon::new(symbols),
            touched: HashMap::new(),
            branches: HashSet::new(),
            rewritten: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
            && self.symbols.is_empty()
            && self.touched.is_empty()
            && self.branches.is_empty()
            && self.rewritten.is_empty()
    }

    /// Whether a wanted path is a name without a folder, which more than one file may have.
    pub(super) fn is_bare_name(&self, question: usize) -> bool {
        !self.paths[question].contains(&b'/')
    }

    /// Whether a wanted path is a name without a folder, and this file has it in the root.
    pub(crate) fn is_name_in_root(&self, question: usize, file: &[u8]) -> bool {
        self.is_bare_name(question) && self.paths[question] == file
    }

    /// The wanted paths that a file's path answers, each with the length of the file's path up to
    /// and with the wanted one: less than the whole for a folder.
    pub(super) fn answered_by(&self, path: &[u8], mut found: impl FnMut(usize, usize)) {
        if self.by_name.is_empty() {
            return;
        }
        let mut start = 0;
        for part in path.split(|&byte| byte == b'/') {
            let end = start + part.len();
            for &at in self.by_name.get(part).into_iter().flatten() {
                if ends_with_parts(&path[..end], &self.paths[at]) {
                    found(at, end);
                }
            }
            start = end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_answer() {
        let questions = HistoryQuestions::new(vec![b"src/a.rs".to_vec(), b"src".to_vec()], &[]);
        let mut found = Vec::new();
        questions.answered_by(b"web/src/a.rs", |at, end| found.push((at, end)));
        assert_eq!(found, [(1, 7), (0, 12)]);
    }
}
