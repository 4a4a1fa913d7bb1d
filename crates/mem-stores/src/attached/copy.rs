//! The offline copy of an attached store: plain files below one folder, where an agent sees them, with what is
//! remembered of them beside it. Everything here is done under a short lock and talks to nobody.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::PathBuf;

use mem_core::history::Sha256;
use mem_core::limits::SEGMENT_BYTES_MAX;
use mem_core::plain::{DirListing, Links, PathEnd, PlainError, PlainRoot, SpotKind};
use mem_core::regular_file::if_there;
use mem_core::{Now, state_file};

use super::attachment_file::{Attachment, AttachmentFile, StoreAccess};
use super::error::CopyError;
use super::replica::key_of;
use super::state::{Base, ConflictCopy, CopyStatus, LastSynced, StateFiles, UnsentChanges};
use crate::StorePath;
use crate::git_name::{self, is_of_git};
use crate::limits::CONTENT_BYTES_MAX;

/// The largest file of a copy that is read: what is larger was not written by an agent's tool.
const FILE_BYTES_MAX: u64 = 16 * CONTENT_BYTES_MAX as u64;
/// What an agent is told of a file of a copy that may only be read, which somebody wrote into: the next talk with the
/// server puts it back (`replica`), and while the server is away nobody has its text.
pub const ALTERED: &str = "was changed here by other means, in a store that may only be read: what the server \
                                  has is shown when it answers again";

/// Deeper than any path.
const LEVELS: usize = 64;

/// The copy of one store.
#[derive(Clone, Debug)]
pub struct OfflineCopy {
    root: PathBuf,
    slug: String,
    access: StoreAccess,
    /// Where what is remembered is.
    pub state: StateFiles,
}

/// A copy that nobody else changes at the moment.
pub struct LockedCopy<'c> {
    copy: &'c OfflineCopy,
    root: PlainRoot,
    _lock: File,
    /// What here and there have in common.
    pub(super) base: Base,
    base_before: Base,
    /// How things stand.
    pub status: CopyStatus,
    status_before: CopyStatus,
    /// What waits to be sent.
    pub(super) unsent: UnsentChanges,
    unsent_before: UnsentChanges,
    now: Now,
}

impl OfflineCopy {
    /// The copy of an attachment.
    pub fn for_attachment(attachment: &Attachment, list: &AttachmentFile) -> Self {
        Self {
            root: list.view_folder(),
            slug: attachment.slug.clone(),
            access: attachment.access,
            state: StateFiles::new(list.state_of(attachment)),
        }
    }

    /// Whether nothing of here may go to the server.
    pub(super) fn is_read_only(&self) -> bool {
        self.access == StoreAccess::ReadOnly
    }

    /// How things stand; looks only.
    pub fn read_status(&self) -> CopyStatus {
        state_file::read(&self.state.status_file()).0
    }

    /// What waits to be sent; looks only.
    pub fn unsent_changes(&self) -> UnsentChanges {
        state_file::read(&self.state.unsent_file()).0
    }

    /// What here and there have in common; looks only.
    pub fn sync_base(&self) -> Base {
        state_file::read(&self.state.base_file()).0
    }

    /// What is wrong with what is remembered, in words; looks only.
    pub fn state_damage(&self) -> Option<String> {
        state_file::read::<Base>(&self.state.base_file()).1
    }

    /// Waits until nobody else changes the copy.
    ///
    /// # Errors
    /// The system has something against it.
    pub fn lock_copy(&self, now: Now) -> Result<LockedCopy<'_>, CopyError> {
        let lock = state_file::lock(&self.state.files_lock())?;
        // The folder of the store is there, also while nothing is in it.
        PlainRoot::make(&self.root.join(&self.slug))?;
        let (base, is_base_lost) = state_file::read::<Base>(&self.state.base_file());
        let (unsent, is_unsent_lost) = state_file::read::<UnsentChanges>(&self.state.unsent_file());
        let status = self.read_status();
        let mut locked = LockedCopy {
            copy: self,
            root: PlainRoot::make(&self.root)?,
            _lock: lock,
            base_before: base.clone(),
            base,
            status_before: status.clone(),
            status,
            unsent_before: unsent.clone(),
            unsent,
            now,
        };
        // What is damaged is found out anew: from the server, or from the files.
        if is_base_lost.is_some() {
            locked.status.is_whole = false;
        }
        if is_unsent_lost.is_some() {
            locked.note_modified_files()?;
        }
        Ok(locked)
    }

    /// Removes the copy and all that is remembered of it.
    ///
    /// # Errors
    /// The system has something against it.
    pub fn remove_copy(&self) -> Result<(), CopyError> {
        for folder in [self.root.join(&self.slug), self.state.folder().to_owned()] {
            if_there(fs::remove_dir_all(&folder))?;
        }
        Ok(())
    }

    /// Removes one conflict file by its name, or all of them. Returns whether there was one.
    ///
    /// # Errors
    /// The system has something against it.
    pub fn remove_conflict_copies(&self, name: Option<&str>, now: Now) -> Result<bool, CopyError> {
        let mut locked = self.lock_copy(now)?;
        let all = std::mem::take(&mut locked.status.aside);
        let is_meant = |one: &ConflictCopy| name.is_none_or(|name| one.file == name);
        let (removed, left): (Vec<_>, Vec<_>) = all.into_iter().partition(is_meant);
        locked.status.aside = left;
        locked.finish_changes()?;
        for one in &removed {
            // That it is gone already is what was wanted.
            let _ = fs::remove_file(self.aside_file(one));
        }
        Ok(!removed.is_empty())
    }

    /// The file of a text that gave way.
    pub fn aside_file(&self, one: &ConflictCopy) -> PathBuf {
        self.state.conflicts_folder().join(&one.file)
    }
}

impl LockedCopy<'_> {
    /// Whether nothing of here may go to the server.
    pub(super) fn is_read_only(&self) -> bool {
        self.copy.is_read_only()
    }

    /// The bytes of a memory here; `None` where there is none.
    ///
    /// # Errors
    /// The system refuses.
    pub fn read(&self, path: &StorePath) -> Result<Option<Vec<u8>>, CopyError> {
        let Some(spot) = self.find_path_end(path)? else {
            return Ok(None);
        };
        match spot.kind {
            SpotKind::File => match self.root.read(&spot, FILE_BYTES_MAX) {
                Err(PlainError::Gone(_)) => Ok(None),
                read => Ok(Some(read?)),
            },
            _ => Ok(None),
        }
    }

    /// The digest of a memory here.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn memory_digest(&self, path: &StorePath) -> Result<Option<Sha256>, CopyError> {
        Ok(self.read(path)?.map(|bytes| Sha256::digest(&bytes)))
    }

    /// Whether a file of a copy that may only be read is not what the server had: somebody wrote into it, and it has
    /// not been put back yet.
    ///
    /// # Errors
    /// The system refuses.
    pub fn is_altered(&self, path: &StorePath) -> Result<bool, CopyError> {
        if !self.is_read_only() {
            return Ok(false);
        }
        let known = self.last_synced(path).map(|known| known.sha256);
        Ok(self.memory_digest(path)? != known)
    }

    /// What here and there had in common of a path.
    pub(super) fn last_synced(&self, path: &StorePath) -> Option<&LastSynced> {
        self.base.memories.get(path.as_str())
    }

    /// Why a path cannot be kept as a file here, if so.
    pub fn path_obstacle(path: &StorePath) -> Option<&'static str> {
        if path.segments().any(|one| one.len() > SEGMENT_BYTES_MAX) {
            return Some("a name in it is longer than 255 bytes");
        }
        if path.is_reserved() {
            return Some(StorePath::RESERVED_WHY);
        }
        if path.segments().any(is_of_git) {
            return Some(git_name::WHY);
        }
        key_of(path.as_str())
            .is_none()
            .then_some("it is too long with the characters in it that some systems do not take")
    }

    /// Writes a memory. What only stands here and is in the way is put aside.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn write(&mut self, path: &StorePath, bytes: &[u8]) -> Result<(), CopyError> {
        self.clear_way(path)?;
        let spot = self.root.reach(&self.path_segments(path), Links::Keep)?;
        match spot.kind {
            SpotKind::Missing => self.root.create(&spot, bytes)?,
            SpotKind::File => self.root.replace(&spot, bytes)?,
            SpotKind::Folder | SpotKind::Link | SpotKind::Special => {
                self.root.remove(&spot)?;
                let spot = self.root.reach(&self.path_segments(path), Links::Keep)?;
                self.root.create(&spot, bytes)?;
            }
        }
        Ok(())
    }

    /// Removes a memory, and the folders that are empty without it.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn remove_memory(&self, path: &StorePath) -> Result<(), CopyError> {
        let Some(spot) = self.find_path_end(path)? else {
            return Ok(());
        };
        if spot.kind == SpotKind::File {
            match self.root.remove(&spot) {
                Ok(()) | Err(PlainError::Gone(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.prune_folders(path)
    }

    /// Takes away the folders above a path that are empty.
    ///
    /// # Errors
    /// The system refuses.
    fn prune_folders(&self, path: &StorePath) -> Result<(), CopyError> {
        let names = self.path_segments(path);
        let above = &names[..names.len().min(2)];
        let top = self.root.reach(above, Links::Keep)?;
        if names.len() > 2 && top.kind == SpotKind::Folder {
            self.root.prune(&top);
        }
        Ok(())
    }

    /// Keeps a text that gives way, and says why.
    ///
    /// # Errors
    /// It cannot be written. Then nothing else may be done to it.
    pub(super) fn put_aside(
        &mut self,
        path: &StorePath,
        bytes: &[u8],
        why: &str,
    ) -> Result<(), CopyError> {
        let last = path.segments().last().unwrap_or_default();
        let file = ConflictCopy::file_name(bytes, last);
        state_file::write(&self.copy.state.conflicts_folder().join(&file), bytes)?;
        let one = ConflictCopy {
            path: path.as_str().to_owned(),
            file,
            why: why.to_owned(),
            at: self.now.0.to_string(),
        };
        let aside = &mut self.status.aside;
        aside.retain(|old| (&old.path, &old.file) != (&one.path, &one.file));
        aside.push(one);
        // What is told is on the disk before anything is overwritten.
        self.save_status()
    }

    /// Every file of the copy whose name is a path, sorted. A repository that somebody made in it is none of it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn memory_paths(&self) -> Result<Vec<StorePath>, CopyError> {
        let top = self
            .root
            .reach(std::slice::from_ref(&self.copy.slug), Links::Keep)?;
        let mut paths = self.files_below(&top, "")?;
        paths.retain(|path| Self::path_obstacle(path).is_none());
        paths.sort_unstable();
        Ok(paths)
    }

    /// Notes every file that is not what was in common, as waiting to be sent. One that is gone without an agent's
    /// deletion comes back: a folder that was swept away empties no store.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn note_modified_files(&mut self) -> Result<(), CopyError> {
        let paths = self.memory_paths()?;
        for path in &paths {
            let base = self.last_synced(path).map(|known| known.sha256);
            if self.memory_digest(path)? != base {
                self.unsent.paths.insert(path.as_str().to_owned());
            }
        }
        let here: BTreeSet<&str> = paths.iter().map(StorePath::as_str).collect();
        let (unsent, before) = (&self.unsent.paths, self.base.memories.len());
        let stays = |path: &String| here.contains(path.as_str()) || unsent.contains(path);
        self.base.memories.retain(|path, _| stays(path));
        if self.base.memories.len() < before {
            self.status.is_whole = false;
        }
        Ok(())
    }

    /// Notes that a memory is about to change here, so that it is sent whatever happens next.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn mark_unsent(&mut self, path: &StorePath) -> Result<(), CopyError> {
        self.copy.mark_unsent(std::slice::from_ref(path))?;
        self.unsent.paths.insert(path.as_str().to_owned());
        Ok(())
    }

    /// Takes off the list of what waits what is as the server has it, and what can be no memory here.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn drop_settled(&mut self) -> Result<(), CopyError> {
        for text in self.unsent.paths.clone() {
            let path = StorePath::parse(&text).ok();
            let path = path.filter(|path| Self::path_obstacle(path).is_none());
            let is_settled = match &path {
                Some(path) => {
                    self.memory_digest(path)? == self.last_synced(path).map(|known| known.sha256)
                }
                None => true,
            };
            if is_settled {
                self.unsent.paths.remove(&text);
                self.status.held.remove(&text);
            }
        }
        Ok(())
    }

    /// Writes down what changed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish_changes(mut self) -> Result<(), CopyError> {
        let state = &self.copy.state;
        if self.base != self.base_before {
            state_file::write(&state.base_file(), &serde_json::to_vec(&self.base)?)?;
        }
        if self.unsent != self.unsent_before {
            state_file::write(&state.unsent_file(), &serde_json::to_vec(&self.unsent)?)?;
        }
        self.save_status()
    }

    fn save_status(&mut self) -> Result<(), CopyError> {
        if self.status != self.status_before {
            let json = serde_json::to_vec(&self.status)?;
            state_file::write(&self.copy.state.status_file(), &json)?;
            self.status_before = self.status.clone();
        }
        Ok(())
    }

    /// Takes out of the way what would have to be a folder, or would have to be none.
    fn clear_way(&mut self, path: &StorePath) -> Result<(), CopyError> {
        const WHY: &str = "the server has a memory where this would be a folder, or below it";
        let above: Vec<String> = path.ancestors().map(str::to_owned).collect();
        for above in above {
            let above = StorePath::parse(&above)?;
            if let Some(bytes) = self.read(&above)? {
                self.give_way(&above, &bytes, WHY)?;
            }
        }
        let Some(spot) = self.find_path_end(path)? else {
            return Ok(());
        };
        if spot.kind == SpotKind::Folder {
            for below in self.files_below(&spot, path.as_str())? {
                if let Some(bytes) = self.read(&below)? {
                    self.give_way(&below, &bytes, WHY)?;
                }
            }
        }
        Ok(())
    }

    /// Removes a file; what the server does not have is put aside.
    fn give_way(&mut self, path: &StorePath, bytes: &[u8], why: &str) -> Result<(), CopyError> {
        let known = self.last_synced(path).map(|known| known.sha256);
        if known != Some(Sha256::digest(bytes)) {
            self.put_aside(path, bytes, why)?;
        }
        self.unsent.paths.remove(path.as_str());
        self.base.memories.remove(path.as_str());
        let spot = self.root.reach(&self.path_segments(path), Links::Keep)?;
        Ok(self.root.remove(&spot)?)
    }

    fn files_below(&self, spot: &PathEnd, prefix: &str) -> Result<Vec<StorePath>, CopyError> {
        let listing = DirListing {
            levels: LEVELS,
            skips: &|_| false,
            order: |one, other| one.cmp(other),
        };
        let items = self.root.list(spot, &listing)?;
        let files = items.into_iter().filter(|item| !item.is_folder);
        let paths =
            files.filter_map(|item| StorePath::parse(&format!("{prefix}/{}", item.path)).ok());
        Ok(paths.collect())
    }

    /// What stands at a path; `None` below a file.
    fn find_path_end(&self, path: &StorePath) -> Result<Option<PathEnd>, CopyError> {
        match self.root.reach(&self.path_segments(path), Links::Keep) {
            Err(PlainError::NotAFolder(_)) => Ok(None),
            reached => Ok(Some(reached?)),
        }
    }

    fn path_segments(&self, path: &StorePath) -> Vec<String> {
        let first = std::iter::once(self.copy.slug.clone());
        first.chain(path.segments().map(str::to_owned)).collect()
    }
}
