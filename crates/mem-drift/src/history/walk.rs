//! The walk itself: commits by time, newest first, until everything is explained or a limit is
//! reached.

use std::collections::{HashMap, HashSet};

use git2::{Commit, Oid, Repository, Sort};

use super::branches;
use super::deltas::{TreeDelta, commit_changes};
use super::history_questions::HistoryQuestions;
use super::symbols::SymbolSearch;
use crate::checkout::Checkout;
use crate::limits::{SKEWED_COMMITS_MAX, TOUCHES_MAX, WALK_COMMITS_MAX, WALK_DELTAS_MAX};
use mem_core::regular_file;

/// Why not everything was seen of a history that is damaged, or not all here.
const UNREADABLE: &str = "part of the history cannot be read";

/// A commit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub(crate) id: Oid,
    /// When it was committed: seconds.
    pub(crate) seconds: i64,
}

/// A commit that changed a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileCommit {
    /// The commit's place in the walk.
    pub(crate) commit: usize,
    /// When it was committed: seconds.
    pub(crate) seconds: i64,
    pub(crate) old: Option<Oid>,
    pub(crate) new: Option<Oid>,
}

/// The newest trace of a missing path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathTrace {
    pub(crate) commit: usize,
    /// The whole path of the file, or of a file in the folder.
    pub(crate) file: Vec<u8>,
    /// The length of the wanted path's whole form in `file`.
    pub(crate) length: usize,
    /// Whether the commit deleted it; otherwise it was seen to be there, and no more.
    pub(crate) is_deletion: bool,
}

/// The newest trace of a missing identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostSymbol {
    pub(crate) commit: usize,
    /// The file it stood in.
    pub(crate) path: Vec<u8>,
    /// Whether the commit removed it; otherwise it was seen to be there, and no more.
    pub(crate) is_removal: bool,
}

/// What a walk found.
#[derive(Default)]
pub(crate) struct WalkOutcome {
    /// The commits, newest first; other fields name them by their place here.
    pub(crate) commits: Vec<Met>,
    /// The commits that deleted a path, newest first.
    pub(crate) deleted: HashMap<Vec<u8>, Vec<usize>>,
    /// Per wanted path.
    pub(crate) paths: Vec<Option<PathTrace>>,
    /// The wanted names without a folder that more than one file had, by their places among the wanted paths. Complete
    /// for those whose trace is a file of the root.
    pub(crate) shared_names: HashSet<usize>,
    /// Per wanted identifier.
    pub(crate) symbols: Vec<Option<LostSymbol>>,
    /// Per file that is there.
    pub(crate) touches: HashMap<Vec<u8>, Vec<FileCommit>>,
    /// The merge of each wanted branch.
    pub(crate) merged: HashMap<String, usize>,
    /// The new form of each commit that was left behind.
    pub(crate) rewritten: HashMap<Oid, usize>,
    /// Why not everything was seen, if so.
    pub(crate) is_partial: Option<&'static str>,
    /// Why not all contents were searched for identifiers, if so.
    pub(crate) is_unsearched: Option<&'static str>,
}

/// Walks the history of `HEAD`.
pub(crate) fn walk_history(checkout: &Checkout, questions: &HistoryQuestions) -> WalkOutcome {
    let mut past = WalkOutcome {
        paths: vec![None; questions.paths.len()],
        symbols: vec![None; questions.symbols.groups_len()],
        ..WalkOutcome::default()
    };
    let (Some(repository), Some(head)) = (&checkout.repository, checkout.head) else {
        past.is_partial = checkout.is_damaged.then_some(UNREADABLE);
        return past;
    };
    if questions.is_empty() {
        return past;
    }
    let mut walker = HistoryWalker {
        repository,
        questions,
        edge: shallow_edge(repository),
        symbols: SymbolSearch::new(&questions.symbols),
        oldest: questions.touched.values().copied().min(),
        skewed: 0,
        delta_count: 0,
        past: &mut past,
    };
    if walker.run(head).is_none() {
        walker.past.is_partial = Some(UNREADABLE);
    }
    let symbols = std::mem::take(&mut walker.symbols.lost);
    if walker.symbols.is_spent() && !walker.symbols.is_done() {
        walker.past.is_unsearched = Some("the history is too large to search whole");
    }
    past.symbols = symbols;
    past
}

/// The commits at which a shallow clone ends.
fn shallow_edge(repository: &Repository) -> HashSet<Oid> {
    let text = regular_file::read_text(repository.commondir().join("shallow")).unwrap_or_default();
    text.lines()
        .filter_map(|line| Oid::from_str(line).ok())
        .collect()
}

struct HistoryWalker<'a> {
    repository: &'a Repository,
    questions: &'a HistoryQuestions,
    edge: HashSet<Oid>,
    symbols: SymbolSearch<'a>,
    oldest: Option<i64>,
    skewed: usize,
    delta_count: usize,
    past: &'a mut WalkOutcome,
}

impl HistoryWalker<'_> {
    fn run(&mut self, head: Oid) -> Option<()> {
        let mut walk = self.repository.revwalk().ok()?;
        // By time, so that the first trace of a thing is its newest. A topological order would need the whole history
        // before its first commit.
        walk.set_sorting(Sort::TIME).ok()?;
        walk.push(head).ok()?;
        for id in walk {
            if self.past.commits.len() >= WALK_COMMITS_MAX || self.delta_count >= WALK_DELTAS_MAX {
                self.past.is_partial = Some("the history is too long to walk whole");
                break;
            }
            let commit = self.repository.find_commit(id.ok()?).ok()?;
            self.visit_commit(&commit)?;
            if self.is_done(commit.time().seconds()) {
                break;
            }
        }
        Some(())
    }

    fn visit_commit(&mut self, commit: &Commit<'_>) -> Option<()> {
        let at = self.past.commits.len();
        self.past.commits.push(Met {
            id: commit.id(),
            seconds: commit.time().seconds(),
        });
        for twin in self
            .questions
            .rewritten
            .iter()
            .filter(|twin| twin.matches_commit(commit))
        {
            self.past.rewritten.entry(twin.id).or_insert(at);
        }
        if commit.parent_count() > 1 {
            self.note_merge(at, commit);
        }
        if self.edge.contains(&commit.id()) {
            self.past.is_partial = Some("the clone is shallow");
            return Some(());
        }
        if commit.parent_count() == 0 {
            return self.note_root(at, commit);
        }
        let deltas = commit_changes(self.repository, commit)?;
        self.delta_count += deltas.len();
        for delta in &deltas {
            self.note_delta(at, commit.time().seconds(), delta);
        }
        self.symbols.search_commit(self.repository, at, &deltas);
        Some(())
    }

    /// The first commit only adds, so it is not compared with anything. What it had and no later
    /// commit is known to have deleted was lost in a merge.
    fn note_root(&mut self, at: usize, commit: &Commit<'_>) -> Option<()> {
        let tree = commit.tree().ok()?;
        for (question, path) in self.questions.paths.iter().enumerate() {
            let known = &mut self.past.paths[question];
            let name = std::str::from_utf8(path).unwrap_or_default();
            if known.is_none() && tree.get_path(std::path::Path::new(name)).is_ok() {
                *known = Some(PathTrace {
                    commit: at,
                    file: path.clone(),
                    length: path.len(),
                    is_deletion: false,
                });
            }
        }
        Some(())
    }

    fn note_merge(&mut self, at: usize, commit: &Commit<'_>) {
        let summary = commit.summary_bytes().unwrap_or_default();
        let summary = String::from_utf8_lossy(summary);
        if let Some(name) = branches::merged_branch(&summary)
            && self.questions.branches.contains(name)
        {
            self.past.merged.entry(name.to_owned()).or_insert(at);
        }
    }

    fn note_delta(&mut self, at: usize, seconds: i64, delta: &TreeDelta) {
        let is_deletion = delta.is_deletion();
        let WalkOutcome {
            paths,
            shared_names,
            ..
        } = &mut *self.past;
        self.questions.answered_by(&delta.path, |question, length| {
            let known = &mut paths[question];
            if self.questions.is_bare_name(question)
                && known.as_ref().is_some_and(|seen| seen.file != delta.path)
            {
                shared_names.insert(question);
            }
            // The newest trace counts, but for a deletion, which explains the absence and a mere sight does not.
            let is_news = known
                .as_ref()
                .is_none_or(|seen| !seen.is_deletion && is_deletion);
            if is_news {
                *known = Some(PathTrace {
                    commit: at,
                    file: delta.path.clone(),
                    length,
                    is_deletion,
                });
            }
        });
        if is_deletion && !self.questions.paths.is_empty() {
            self.past
                .deleted
                .entry(delta.path.clone())
                .or_default()
                .push(at);
        }
        if self.questions.touched.contains_key(&delta.path) {
            let touches = self.past.touches.entry(delta.path.clone()).or_default();
            if touches.len() < TOUCHES_MAX {
                touches.push(FileCommit {
                    commit: at,
                    seconds,
                    old: delta.old,
                    new: delta.new,
                });
            }
        }
    }

    /// Whether everything is explained, as far as it can be.
    fn is_done(&mut self, seconds: i64) -> bool {
        // Clocks of committers differ: one commit that looks too old does not mean that all behind it are.
        if let Some(oldest) = self.oldest {
            self.skewed = if seconds < oldest { self.skewed + 1 } else { 0 };
        }
        let past = &self.past;
        // Of a file that the root had, all of the history tells whether no other one had its name. An answer about
        // any other file does not depend on that.
        let is_told = |(question, seen): (usize, &Option<PathTrace>)| {
            seen.as_ref().is_some_and(|seen| {
                seen.is_deletion
                    && (!self.questions.is_name_in_root(question, &seen.file)
                        || past.shared_names.contains(&question))
            })
        };
        (self.oldest.is_none() || self.skewed > SKEWED_COMMITS_MAX)
            && (self.symbols.is_done() || self.symbols.is_spent())
            && past.paths.iter().enumerate().all(is_told)
            && past.merged.len() == self.questions.branches.len()
            && past.rewritten.len() == self.questions.rewritten.len()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use git2::build::TreeUpdateBuilder;
    use git2::{FileMode, Signature, Time};

    use super::*;
    use crate::checkout::CheckoutPaths;

    /// A bare repository with a commit for each list of files, the oldest first.
    fn init_repository(place: &Path, commits: &[&[&str]]) {
        let repository = Repository::init_bare(place).unwrap();
        let blob = repository.blob(b"text\n").unwrap();
        let empty = repository.treebuilder(None).unwrap().write().unwrap();
        let empty = repository.find_tree(empty).unwrap();
        let mut parent: Option<Oid> = None;
        for (files, seconds) in commits.iter().zip(1_700_000_000..) {
            let mut update = TreeUpdateBuilder::new();
            for file in *files {
                update.upsert(*file, blob, FileMode::Blob);
            }
            let tree = update.create_updated(&repository, &empty).unwrap();
            let tree = repository.find_tree(tree).unwrap();
            let signature = Signature::new("t", "t@example.org", &Time::new(seconds, 0)).unwrap();
            let before = parent.map(|id| repository.find_commit(id).unwrap());
            let before: Vec<&Commit<'_>> = before.iter().collect();
            let id = repository.commit(Some("HEAD"), &signature, &signature, "m", &tree, &before);
            parent = Some(id.unwrap());
        }
    }

    #[test]
    fn a_walk_ends_at_a_deletion_unless_the_root_had_the_file() {
        let place = tempfile::tempdir().unwrap();
        let later = ["a.rs", "root.rs", "shared.rs", "lib/deep.rs"];
        let older = ["a.rs", "root.rs", "lib/shared.rs", "lib/deep.rs"];
        let commits: [&[&str]; 5] = [&["a.rs"], &older, &later, &later, &["a.rs"]];
        init_repository(place.path(), &commits);
        let checkout = Checkout::open(&CheckoutPaths {
            git_dir: Some(place.path().to_owned()),
            workdir: None,
        })
        .unwrap();
        for (path, walked) in [
            ("lib/deep.rs", 1),
            ("deep.rs", 1),
            ("lib", 1),
            ("root.rs", 5),
            ("shared.rs", 3),
        ] {
            let questions = HistoryQuestions::new(vec![path.as_bytes().to_vec()], &[]);
            let past = walk_history(&checkout, &questions);
            assert_eq!(past.commits.len(), walked, "{path}");
            let is_shared = past.shared_names.contains(&0);
            assert_eq!(is_shared, path == "shared.rs", "{path}");
        }
    }
}
