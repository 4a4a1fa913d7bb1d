//! What differs between two trees: both are sorted, equal folders are skipped unread.

use std::collections::HashSet;

use git2::{Commit, Oid, Repository, Tree};

use crate::checkout::{MODE_FOLDER, walk_tree};
use crate::limits::TREE_DEPTH_MAX;

/// A file that one of the trees has, or both with different contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeDelta {
    pub(crate) path: Vec<u8>,
    pub(crate) old: Option<Oid>,
    pub(crate) new: Option<Oid>,
}

impl TreeDelta {
    pub(crate) fn is_deletion(&self) -> bool {
        self.new.is_none()
    }

    pub(crate) fn is_addition(&self) -> bool {
        self.old.is_none()
    }
}

/// What a commit changed: of a merge, the files that are as in none of its parents. `None` when
/// a tree is absent, as in a partial clone; nothing for a commit without parents.
pub(crate) fn commit_changes(
    repository: &Repository,
    commit: &Commit<'_>,
) -> Option<Vec<TreeDelta>> {
    let mut parents = commit.parents();
    let Some(first) = parents.next() else {
        return Some(Vec::new());
    };
    let mut changed = diff_trees(repository, first.tree_id(), commit.tree_id())?;
    for parent in parents {
        if changed.is_empty() {
            break;
        }
        let other = diff_trees(repository, parent.tree_id(), commit.tree_id())?;
        let other: HashSet<Vec<u8>> = other.into_iter().map(|delta| delta.path).collect();
        changed.retain(|delta| other.contains(&delta.path));
    }
    Some(changed)
}

/// The differences; `None` when a tree is absent, as in a partial clone.
fn diff_trees(repository: &Repository, old: Oid, new: Oid) -> Option<Vec<TreeDelta>> {
    let mut differ = Differ {
        repository,
        path: Vec::new(),
        found: Vec::new(),
        depth: 0,
    };
    differ.compare_trees(old, new)?;
    Some(differ.found)
}

struct Differ<'r> {
    repository: &'r Repository,
    path: Vec<u8>,
    found: Vec<TreeDelta>,
    depth: usize,
}

/// An entry as git sorts them: a folder as if its name ended with a slash.
struct SortedTreeEntry<'t> {
    entry: git2::TreeEntry<'t>,
}

impl<'t> SortedTreeEntry<'t> {
    fn entry_at(tree: &'t Tree<'_>, at: usize) -> Option<Self> {
        Some(Self {
            entry: tree.get(at)?,
        })
    }

    fn is_folder(&self) -> bool {
        self.entry.filemode() == MODE_FOLDER
    }

    fn compare_order(&self, other: &SortedTreeEntry<'_>) -> std::cmp::Ordering {
        let tail = |entry: &SortedTreeEntry<'_>| entry.is_folder().then_some(b'/');
        let mine = self.entry.name_bytes().iter().copied().chain(tail(self));
        mine.cmp(other.entry.name_bytes().iter().copied().chain(tail(other)))
    }
}

impl Differ<'_> {
    fn compare_trees(&mut self, old: Oid, new: Oid) -> Option<()> {
        let old = self.repository.find_tree(old).ok()?;
        let new = self.repository.find_tree(new).ok()?;
        let (mut i, mut j) = (0, 0);
        loop {
            let (a, b) = (
                SortedTreeEntry::entry_at(&old, i),
                SortedTreeEntry::entry_at(&new, j),
            );
            match (a, b) {
                (None, None) => return Some(()),
                (Some(a), None) => {
                    self.record_entry(&a, true);
                    i += 1;
                }
                (None, Some(b)) => {
                    self.record_entry(&b, false);
                    j += 1;
                }
                (Some(a), Some(b)) => match a.compare_order(&b) {
                    std::cmp::Ordering::Less => {
                        self.record_entry(&a, true);
                        i += 1;
                    }
                    std::cmp::Ordering::Greater => {
                        self.record_entry(&b, false);
                        j += 1;
                    }
                    std::cmp::Ordering::Equal => {
                        self.compare_entries(&a, &b)?;
                        i += 1;
                        j += 1;
                    }
                },
            }
        }
    }

    fn compare_entries(&mut self, a: &SortedTreeEntry<'_>, b: &SortedTreeEntry<'_>) -> Option<()> {
        if a.entry.id() == b.entry.id() {
            return Some(());
        }
        let length = self.path.len();
        self.path.extend_from_slice(a.entry.name_bytes());
        if !a.is_folder() {
            self.push_delta(Some(a.entry.id()), Some(b.entry.id()));
        } else if self.depth < TREE_DEPTH_MAX {
            self.path.push(b'/');
            self.depth += 1;
            self.compare_trees(a.entry.id(), b.entry.id())?;
            self.depth -= 1;
        }
        self.path.truncate(length);
        Some(())
    }

    /// An entry that only one side has.
    fn record_entry(&mut self, entry: &SortedTreeEntry<'_>, is_old: bool) {
        let length = self.path.len();
        self.path.extend_from_slice(entry.entry.name_bytes());
        if entry.is_folder() {
            self.path.push(b'/');
            self.record_tree(entry.entry.id(), is_old);
        } else if is_old {
            self.push_delta(Some(entry.entry.id()), None);
        } else {
            self.push_delta(None, Some(entry.entry.id()));
        }
        self.path.truncate(length);
    }

    fn record_tree(&mut self, tree: Oid, is_old: bool) {
        let found = &mut self.found;
        walk_tree(self.repository, tree, &mut self.path, &mut |path, id, _| {
            let (old, new) = if is_old {
                (Some(id), None)
            } else {
                (None, Some(id))
            };
            found.push(TreeDelta {
                path: path.to_vec(),
                old,
                new,
            });
        });
    }

    fn push_delta(&mut self, old: Option<Oid>, new: Option<Oid>) {
        self.found.push(TreeDelta {
            path: self.path.clone(),
            old,
            new,
        });
    }
}
