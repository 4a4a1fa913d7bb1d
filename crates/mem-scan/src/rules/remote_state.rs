//! What a remote already has of a repository: a push obeys the configuration and the comments that stand there, and
//! none that it brings along itself.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mem_secrets::allowed_by_comment;

use super::error::RulesError;
use super::sources::SOURCE_BYTES_MAX;
use crate::git::{GitObjectError, GitObjects, ObjectId, ObjectSource};

/// The commits of a remote that a push begins at.
#[derive(Clone, Debug)]
pub struct RemoteState {
    /// The repository.
    pub git: GitObjects,
    /// The root that a person's own allows are recorded for.
    pub root: PathBuf,
    /// The commits; none where the remote has nothing yet.
    pub bases: Vec<ObjectId>,
}

/// The trees of these commits.
pub(super) struct RemoteTrees {
    source: Mutex<Box<dyn ObjectSource>>,
    trees: Vec<ObjectId>,
}

impl RemoteState {
    /// Opens the trees.
    ///
    /// # Errors
    /// The repository cannot be opened.
    pub(super) fn open(&self) -> Result<RemoteTrees, GitObjectError> {
        let source = self.git.open()?;
        let bases = self.bases.iter();
        let trees = bases.filter_map(|base| Some(source.read_commit(*base).ok()?.tree));
        Ok(RemoteTrees {
            trees: trees.collect(),
            source: Mutex::new(source),
        })
    }
}

impl RemoteTrees {
    /// The text of a configuration; `None` where it is not there.
    ///
    /// # Errors
    /// It is too large.
    pub(super) fn config_text(
        &self,
        root: &Path,
        path: &Path,
    ) -> Result<Option<String>, RulesError> {
        let bytes = self.trees.first().zip(git_name(root, path));
        let bytes = bytes.and_then(|(tree, name)| self.read_file(*tree, &name));
        match bytes {
            Some(bytes) if bytes.len() as u64 > SOURCE_BYTES_MAX => Err(RulesError::Read {
                path: path.to_owned(),
                cause: io::Error::other(format!("it is larger than {SOURCE_BYTES_MAX} bytes")),
            }),
            bytes => Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())),
        }
    }

    /// Whether the lines of a finding have a comment that allows it, and stand like this at their path already.
    pub(super) fn allow_line(&self, lines: &[u8], path: &str) -> bool {
        allowed_by_comment(lines)
            && self.trees.iter().any(|tree| {
                let old = self.read_file(*tree, path).unwrap_or_default();
                has_lines(&old, lines)
            })
    }

    fn read_file(&self, tree: ObjectId, name: &str) -> Option<Vec<u8>> {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let blob = source.find_file(tree, name)?;
        Some(source.read_object(blob).ok()?.bytes)
    }
}

/// Whether whole lines stand in a text.
fn has_lines(text: &[u8], lines: &[u8]) -> bool {
    memchr::memmem::find_iter(text, lines).any(|at| {
        let end = at + lines.len();
        (at == 0 || text[at - 1] == b'\n') && text.get(end).is_none_or(|byte| *byte == b'\n')
    })
}

/// A path inside the repository as git writes it; `None` for one that leads out.
pub(super) fn git_name(root: &Path, path: &Path) -> Option<String> {
    let mut names = Vec::new();
    for part in path.strip_prefix(root).ok()?.components() {
        match part {
            Component::Normal(name) => names.push(name.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_stand_and_only_paths_inside_are_names() {
        assert!(has_lines(b"a\nb # x\nc", b"b # x") && has_lines(b"b", b"b"));
        assert!(!has_lines(b"ab # x\n", b"b # x") && !has_lines(b"b # xy\n", b"b # x"));
        let root = Path::new("/r");
        assert_eq!(
            git_name(root, Path::new("/r/./a/b")).as_deref(),
            Some("a/b")
        );
        assert_eq!(git_name(root, Path::new("/r/../etc")), None);
        assert_eq!(git_name(root, Path::new("/etc")), None);
    }
}
