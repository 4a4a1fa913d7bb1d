//! Files that came out of an exchange, which other programs may still hold open.
//!
//! A program that opened `MEMORY.md` before our exchange appends to the old file after it, where nobody looks:
//!
//! ```text
//!  editor  open ---------------------- write -- close
//!  mem            exchange  finish                      next command
//!                           old file is open: it stays   merged, unlinked
//! ```
//!
//! So an old file is unlinked only once no program has it open for writing and it holds what it held at the exchange.
//! Otherwise it stays beside its target under a name that says what it is, and each command that takes the lock looks
//! at it again; `writing` in the state sends readers there as well. What was added is merged into the target as an
//! external edit. The name is given before the exchange, so a crash at any point leaves either nothing or a file with
//! such a name. Systems without leases on files (other than Linux, some network file systems) do not say who has
//! a file open: there it is compared, and unlinked.
//!
//! FORMAT: `.mem-tmp-PID-COUNT.TARGET.BEFORE-BYTES.AFTER-BYTES`; the first 16 hexadecimal digits of the digest of the
//! target's file name, of the content that was to be replaced and of the one that was to replace it (`-` for none), and
//! how many bytes both have.

use std::io::Read as _;
use std::sync::atomic::Ordering;

use cap_std::fs::Dir;

use super::apply::{self, FileStep};
use super::error::StoreError;
use super::folders::BatchFolders;
use super::locked_store::LockedStore;
use super::merge::merge_text;
use super::stage::{Content, temporary_name};
use super::tree::Tree;
use super::walk::DirWalk;
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::history::Sha256;
use crate::index;
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::notes::is_index;
use crate::platform::{self, OpenWriters};

/// Hexadecimal digits of a digest in a name.
const DIGITS: usize = 16;

/// A content as a name tells it.
type KnownContent = Option<(String, usize)>;

/// What the name of a retired file says.
#[derive(Debug, PartialEq, Eq)]
struct ReplacedFile {
    target: String,
    /// What it held before the exchange.
    before: KnownContent,
    /// What was to replace that.
    after: KnownContent,
}

/// The name under which the old file of an exchange, or of a removal, stands.
pub(super) fn name_of(path: &MemoryPath, before: Content, after: Content) -> String {
    let content = |content: Content| match content {
        Some((digest, bytes)) => format!("{}-{bytes}", short(&digest)),
        None => "-".to_owned(),
    };
    let target = short(&Sha256::digest(path.file_name().as_bytes()));
    let (before, after) = (content(before), content(after));
    format!("{}.{target}.{before}.{after}", temporary_name())
}

fn short(digest: &Sha256) -> String {
    digest.to_string().chars().take(DIGITS).collect()
}

impl ReplacedFile {
    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix('.')?.split('.').skip(1);
        let target = parts.next()?.to_owned();
        let mut content = || {
            let part = parts.next()?;
            if part == "-" {
                return Some(None);
            }
            let (digest, bytes) = part.split_once('-')?;
            Some(Some((digest.to_owned(), bytes.parse().ok()?)))
        };
        let (before, after) = (content()?, content()?);
        let is_digest = target.len() == DIGITS && parts.next().is_none();
        is_digest.then_some(Self {
            target,
            before,
            after,
        })
    }

    fn is_of(&self, path: &MemoryPath) -> bool {
        short(&Sha256::digest(path.file_name().as_bytes())) == self.target
    }

    /// Whether nobody wrote to it since it was put where it is.
    fn is_unchanged(&self, bytes: &[u8]) -> bool {
        let digest = short(&Sha256::digest(bytes));
        let contents = [&self.before, &self.after].into_iter().flatten();
        contents.into_iter().any(|(known, _)| *known == digest)
    }

    /// What was appended to the content that it had.
    fn appended<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let mut contents: Vec<_> = [&self.before, &self.after].into_iter().flatten().collect();
        // The longer first: where `mem` itself appended, both match, and what `mem` added would be added again.
        contents.compact_sort_by_key(|(_, length)| std::cmp::Reverse(*length));
        contents.into_iter().find_map(|(digest, length)| {
            let (head, tail) = bytes.split_at_checked(*length)?;
            (short(&Sha256::digest(head)) == *digest).then_some(tail)
        })
    }
}

/// What is the case with a retired file.
enum ReplacedState {
    /// A program may yet write to it, or it cannot be read.
    Busy,
    /// It was as it had been, and is gone.
    Gone,
    /// It holds this.
    Changed(Vec<u8>),
}

/// Unlinks a retired file, unless a program has it open for writing or wrote to it. `digest` is of its content.
/// Returns whether it is gone.
pub(super) fn unlink(folder: &Dir, name: &str, digest: Sha256) -> bool {
    let look = check_replaced(folder, name, |bytes| Sha256::digest(bytes) == digest);
    matches!(look, ReplacedState::Gone)
}

fn check_replaced(folder: &Dir, name: &str, is_unchanged: impl Fn(&[u8]) -> bool) -> ReplacedState {
    let opened = folder.open_with(name, &platform::reading());
    let is_file = |file: &cap_std::fs::File| file.metadata().is_ok_and(|meta| meta.is_file());
    let Some(file) = opened.ok().filter(is_file) else {
        return ReplacedState::Busy;
    };
    let file = file.into_std();
    // Held until the file is unlinked: a program that opens it meanwhile ends the lease.
    let writers = OpenWriters::check_file(&file);
    if writers.are_some() {
        return ReplacedState::Busy;
    }
    let mut bytes = Vec::new();
    let mut source = (&file).take(HISTORY_FILE_BYTES_MAX + 1);
    if source.read_to_end(&mut bytes).is_err() || bytes.len() as u64 > HISTORY_FILE_BYTES_MAX {
        return ReplacedState::Busy;
    }
    if !is_unchanged(&bytes) {
        return ReplacedState::Changed(bytes);
    }
    match !writers.came() && folder.remove_file(name).is_ok() {
        true => ReplacedState::Gone,
        false => ReplacedState::Busy,
    }
}

impl LockedStore<'_> {
    /// Removes what killed writes left, and looks at the files that came out of exchanges: those that were written to
    /// are merged into their targets, those that a program has open stay. Under the lock nobody else has any.
    pub(super) fn sweep(&mut self) -> Result<(), StoreError> {
        let mut has_merged = false;
        self.tree.retired.store(false, Ordering::Relaxed);
        for leftover in std::mem::take(&mut self.walk.leftovers) {
            let (parent, name) = match leftover.rsplit_once('/') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, leftover.as_str()),
            };
            let Some(retired) = ReplacedFile::parse(name) else {
                // One that cannot be removed is passed over by every walk.
                let _ = self.tree.remove_leftover(&leftover);
                continue;
            };
            let folder = self.tree.open_folder(parent)?;
            match check_replaced(&folder, name, |bytes| retired.is_unchanged(bytes)) {
                ReplacedState::Gone => {}
                ReplacedState::Changed(bytes) if self.merge(parent, &retired, &bytes)? => {
                    has_merged = true;
                    let _ = folder.remove_file(name);
                }
                ReplacedState::Busy | ReplacedState::Changed(_) => self.tree.leave(),
            }
        }
        if has_merged {
            self.walk = DirWalk::from_tree(&self.tree)?;
            self.walk.leftovers.clear();
        }
        Ok(())
    }

    /// Removes the files that came out of exchanges, whatever was written to them: what they held is to go for good.
    pub(super) fn discard_replaced(&mut self) -> Result<(), StoreError> {
        let walk = DirWalk::from_tree(&self.tree)?;
        walk.require_readable(self.tree.path())?;
        for leftover in walk.leftovers {
            let removed = self.tree.remove_leftover(&leftover);
            removed.map_err(StoreError::io("remove", &self.tree.path().join(&leftover)))?;
        }
        Ok(())
    }

    /// Writes what a retired file holds into its target. Returns whether that was done.
    fn merge(
        &self,
        parent: Option<&str>,
        retired: &ReplacedFile,
        bytes: &[u8],
    ) -> Result<bool, StoreError> {
        let Some(target) = self.target(parent, retired)? else {
            return Ok(false);
        };
        let live = self.tree.read(&target)?.map(|(live, _)| live);
        let merged = match (&live, retired.appended(bytes)) {
            (Some(live), Some(tail)) if live.ends_with(tail) => return Ok(true),
            (Some(live), Some(tail)) => match live.last() {
                Some(b'\n') | None => [live, tail].concat(),
                Some(_) => [live, b"\n".as_slice(), tail].concat(),
            },
            (Some(live), None) => self.merged(&target, retired, live, bytes)?,
            (None, _) => bytes.to_vec(),
        };
        match self.put(&target, live.as_deref(), &merged) {
            Ok(()) => Ok(true),
            // Another program wrote the target meanwhile: the next command tries again.
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Three-way; where both changed the same lines the later text stays, and ours is in the history.
    fn merged(
        &self,
        target: &MemoryPath,
        retired: &ReplacedFile,
        live: &[u8],
        theirs: &[u8],
    ) -> Result<Vec<u8>, StoreError> {
        let Some(base) = self.base(target, retired)? else {
            return Ok(theirs.to_vec());
        };
        Ok(match is_index(target) {
            true => index::merge(&base, live, theirs),
            false => merge_text(&base, live, theirs).unwrap_or_else(|| theirs.to_vec()),
        })
    }

    /// The content that a retired file had.
    fn base(
        &self,
        path: &MemoryPath,
        retired: &ReplacedFile,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Some((before, _)) = &retired.before else {
            return Ok(None);
        };
        for entry in self.history.own_entries() {
            let entry = entry?;
            let is_it = |sha256: Sha256| short(&sha256) == *before;
            let mut versions = entry.change.versions.iter();
            if versions.any(|one| one.path == *path && one.sha256.is_some_and(is_it)) {
                return Ok(self.history.content(entry.sequence, path)?);
            }
        }
        Ok(None)
    }

    /// The path whose file was exchanged or removed: of a file that is there, else of one that the history knows.
    fn target(
        &self,
        parent: Option<&str>,
        retired: &ReplacedFile,
    ) -> Result<Option<MemoryPath>, StoreError> {
        let is_it = |path: &&MemoryPath| path.parent() == parent && retired.is_of(path);
        if let Some(path) = self.walk.files.keys().find(is_it) {
            return Ok(Some(path.clone()));
        }
        for entry in self.history.own_entries() {
            let entry = entry?;
            if let Some(path) = entry
                .change
                .versions
                .iter()
                .map(|one| &one.path)
                .find(is_it)
            {
                return Ok(Some(path.clone()));
            }
        }
        Ok(None)
    }

    /// Puts a content into place, as another program would have: nothing is recorded yet.
    fn put(&self, path: &MemoryPath, old: Option<&[u8]>, new: &[u8]) -> Result<(), StoreError> {
        let mut folders = BatchFolders::default();
        let steps = [FileStep::prepare(
            &self.tree,
            &mut folders,
            path,
            old,
            Some(new),
        )?];
        apply::apply(&self.tree, &steps)?;
        apply::sync_folders(&self.tree, &steps)
    }
}

impl Tree {
    /// Notes that a file stays, so that the next command looks at it.
    pub(super) fn leave(&self) {
        self.retired.store(true, Ordering::Relaxed);
    }

    /// Whether files stay that other programs have open.
    pub(super) fn has_retired(&self) -> bool {
        self.retired.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_the_file_held_and_whose_it_is() {
        let path = MemoryPath::parse("team/MEMORY.md").unwrap();
        let of = |text: &str| Some((Sha256::digest(text.as_bytes()), text.len()));
        let name = name_of(&path, of("- a\n"), of("- a\n- b\n"));
        let retired = ReplacedFile::parse(&name).unwrap();
        assert!(retired.is_of(&path));
        assert!(!retired.is_of(&MemoryPath::parse("team/a.md").unwrap()));
        assert!(retired.is_unchanged(b"- a\n") && retired.is_unchanged(b"- a\n- b\n"));
        assert_eq!(retired.appended(b"- a\n- c\n"), Some(&b"- c\n"[..]));
        // What `mem` appended itself is nothing that another program added.
        assert_eq!(retired.appended(b"- a\n- b\n- c\n"), Some(&b"- c\n"[..]));
        assert_eq!(retired.appended(b"other"), None);
        let removed = ReplacedFile::parse(&name_of(&path, of("x"), None)).unwrap();
        assert_eq!(removed.after, None);
        assert_eq!(ReplacedFile::parse(&temporary_name()), None);
    }
}
