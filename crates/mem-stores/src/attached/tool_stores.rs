//! The attached stores as the tools of the API see them: read and written in the offline copy, which is
//! brought in step before and after.

use std::collections::BTreeMap;

use mem_core::error::message_with_causes;
use mem_core::history::Sha256;
use mem_scan::outbound::OutboundScanner;

use super::attached_stores::AttachedStores;
use super::attachment_file::{Attachment, StoreAccess};
use super::copy::{ALTERED, LockedCopy};
use super::error::CopyError;
use super::round::AttachedStore;
use super::search;
use super::skipped_deletion::SkippedDeletion;
use crate::limits::MEMORIES_MAX;
use crate::tools::store::{
    MemoryHit, MemoryInfo, MemoryText, OpenStore, StorePage, StoreSearch, ToolAccess, ToolStores,
    ToolWrite,
};
use crate::tools::{StoreName, ToolError};
use crate::{PathPrefix, StorePath};

impl<'a> ToolStores for &'a AttachedStores<'a> {
    type Store = AttachedStore<'a>;

    async fn open(
        &self,
        named: Option<&str>,
        access: ToolAccess,
    ) -> Result<AttachedStore<'a>, ToolError> {
        let stores = *self;
        let all = stores.attachments.as_slice();
        let names = || {
            let names = all.iter().map(|one| StoreName {
                id: one.slug.clone(),
                name: one.name.clone(),
            });
            names.collect::<Vec<_>>()
        };
        let attachment = match (named, all) {
            (None, [one]) => one,
            (None, _) => return Err(ToolError::WhichStore(names())),
            (Some(named), _) => stores.find_store(named).ok_or_else(|| ToolError::NoStore {
                name: named.to_owned(),
                stores: names(),
            })?,
        };
        let store = stores.open_store(attachment);
        if access == ToolAccess::Write {
            if attachment.access == StoreAccess::ReadOnly {
                return Err(ToolError::ReadOnly(attachment.slug.clone()));
            }
            if let Some(why) = store.write_obstacle() {
                return Err(ToolError::Refused(why));
            }
        }
        // That the server is away is told on the side: there is a copy.
        store.refresh_copy().map_err(tool_error)?;
        Ok(store)
    }
}

impl OpenStore for AttachedStore<'_> {
    /// What answers call it: by its id.
    fn name(&self) -> &str {
        let Attachment { store: id, .. } = self.attachment;
        id
    }

    async fn list(&self, asked: &StorePage) -> Result<Vec<MemoryInfo>, ToolError> {
        let all = self.memory_infos().map_err(tool_error)?;
        let folder = asked.folder.as_ref().map(PathPrefix::as_str);
        let folder = folder.unwrap_or_default();
        let after = asked
            .after
            .as_ref()
            .map(StorePath::as_str)
            .unwrap_or_default();
        let wanted = all
            .into_values()
            .filter(|info| info.path.starts_with(folder) && info.path.as_str() > after);
        Ok(wanted.take(asked.limit).collect())
    }

    async fn search(&self, asked: &StoreSearch) -> Result<Vec<MemoryHit>, ToolError> {
        self.search_memories(asked).map_err(tool_error)
    }

    async fn read(&self, path: &StorePath) -> Result<Option<MemoryText>, ToolError> {
        self.read_memory(path).map_err(tool_error)
    }

    async fn write(
        &self,
        path: &StorePath,
        content: String,
        expected: Option<Sha256>,
    ) -> Result<ToolWrite, ToolError> {
        let written = self.write_memory(path, &content, expected);
        written.map_err(tool_error)
    }

    async fn delete(&self, path: &StorePath, expected: Option<Sha256>) -> Result<(), ToolError> {
        self.delete_memory(path, expected).map_err(tool_error)
    }
}

/// What the tools do; a [`ToolError`] among the errors is an answer, any other one of the copy itself.
impl AttachedStore<'_> {
    fn read_memory(&self, path: &StorePath) -> Result<Option<MemoryText>, CopyError> {
        let locked = self.lock_copy()?;
        if locked.is_altered(path)? {
            return Err(ToolError::Unavailable(format!("`{path}` {ALTERED}")).into());
        }
        let Some(bytes) = locked.read(path)? else {
            return Ok(None);
        };
        let info = self.memory_info(&locked, path, &bytes);
        let content = String::from_utf8(bytes);
        let content =
            content.map_err(|_| ToolError::Refused(format!("`{path}` is not UTF-8 text")))?;
        Ok(Some(MemoryText { info, content }))
    }

    fn write_memory(
        &self,
        path: &StorePath,
        content: &str,
        expected: Option<Sha256>,
    ) -> Result<ToolWrite, CopyError> {
        self.require_storable(path, content)?;
        let mut locked = self.lock_copy()?;
        let here = locked.read(path)?;
        require_expected(path, here.as_deref(), expected)?;
        if here.is_none() {
            self.require_room(&locked, path)?;
        }
        let is_change = here.as_deref() != Some(content.as_bytes());
        let info = self.memory_info(&locked, path, content.as_bytes());
        if is_change {
            locked.mark_unsent(path)?;
            locked.write(path, content.as_bytes())?;
        }
        locked.finish_changes()?;
        if is_change {
            self.send_change(path)?;
        }
        Ok(ToolWrite {
            info,
            is_new: here.is_none(),
            is_change,
        })
    }

    fn delete_memory(&self, path: &StorePath, expected: Option<Sha256>) -> Result<(), CopyError> {
        let mut locked = self.lock_copy()?;
        let here = locked.read(path)?;
        if here.is_none() {
            return Err(ToolError::NotFound(path.as_str().to_owned()).into());
        }
        require_expected(path, here.as_deref(), expected)?;
        locked.mark_unsent(path)?;
        locked.remove_memory(path)?;
        locked.finish_changes()?;
        self.send_change(path)?;
        let now = self.environment.run().current_time();
        let skipped = self
            .copy
            .take_skipped_deletions(now, |one| one.path == path.as_str())?;
        let moved = skipped.into_iter().rev().find(|one| one.to != one.path);
        if let Some(SkippedDeletion { path, to }) = moved {
            return Err(ToolError::Moved { path, to }.into());
        }
        // Somebody changed it meanwhile: it stands again.
        match self.lock_copy()?.memory_digest(path)? {
            None => Ok(()),
            is => Err(stale(path, is)),
        }
    }

    /// Sends what was just changed at a path, if the server answers soon; it waits else.
    fn send_change(&self, path: &StorePath) -> Result<(), CopyError> {
        let outcome = self.send_changes()?;
        if outcome.aside.iter().any(|one| one.path == path.as_str()) {
            return Err(stale(path, self.lock_copy()?.memory_digest(path)?));
        }
        match self.copy.read_status().held.get(path.as_str()) {
            Some(held) => Err(ToolError::Refused(format!(
                "it was written here, and the server does not take it: {}",
                held.why
            ))
            .into()),
            None => Ok(()),
        }
    }

    /// Refuses what may not leave, or cannot be a file here.
    fn require_storable(&self, path: &StorePath, content: &str) -> Result<(), CopyError> {
        if let Some(why) = LockedCopy::path_obstacle(path) {
            let why = format!("`{path}` cannot be kept here: {why}");
            return Err(ToolError::Refused(why).into());
        }
        let screen =
            OutboundScanner::for_project(&self.place.project, self.environment.run().dirs()?)?;
        match screen.leak(path.as_str(), content) {
            None => Ok(()),
            Some(leak) => Err(ToolError::Refused(format!(
                "it holds a secret, {leak}: write where the secret is kept instead of the secret itself"
            ))
            .into()),
        }
    }

    /// Refuses a new memory that another one is in the way of, or that is one too many.
    fn require_room(&self, locked: &LockedCopy<'_>, path: &StorePath) -> Result<(), CopyError> {
        let all = self.infos_of(locked)?;
        if let Some(other) = path.find_occupant(&all) {
            let (path, other) = (path.as_str().to_owned(), other.to_owned());
            return Err(ToolError::Occupied { path, other }.into());
        }
        match all.len() >= MEMORIES_MAX {
            true => Err(ToolError::Full.into()),
            false => Ok(()),
        }
    }

    fn search_memories(&self, asked: &StoreSearch) -> Result<Vec<MemoryHit>, CopyError> {
        let locked = self.lock_copy()?;
        let infos = self.infos_of(&locked)?;
        let files = infos.iter().map(|(path, info)| (path.clone(), info.sha256));
        let text = |path: &str| {
            let path = StorePath::parse(path).ok()?;
            if locked.is_altered(&path).unwrap_or(true) {
                return None;
            }
            String::from_utf8(locked.read(&path).ok()??).ok()
        };
        let key = self.copy.state.status_file();
        let found = search::search_copy(key, &files.collect(), &mut |path| text(path), asked);
        let found = found.into_iter().filter_map(|one| {
            let info = infos.get(&one.path)?.clone();
            let lines = one.matching_lines(&text(&one.path)?);
            Some(MemoryHit {
                info,
                score: Some(one.score),
                lines,
            })
        });
        Ok(found.collect())
    }

    fn memory_infos(&self) -> Result<BTreeMap<String, MemoryInfo>, CopyError> {
        self.infos_of(&self.lock_copy()?)
    }

    /// Everything that is here: what the server has, with what was changed since.
    fn infos_of(&self, locked: &LockedCopy<'_>) -> Result<BTreeMap<String, MemoryInfo>, CopyError> {
        let mut all = BTreeMap::new();
        for (path, known) in &locked.base.memories {
            let info = MemoryInfo {
                path: path.clone(),
                sha256: known.sha256,
                bytes: known.bytes,
                updated_at: known.updated_at.clone(),
            };
            all.insert(path.clone(), info);
        }
        for text in &locked.unsent.paths {
            let path = StorePath::parse(text)?;
            match locked.read(&path)? {
                Some(bytes) => {
                    drop(all.insert(text.clone(), self.memory_info(locked, &path, &bytes)));
                }
                None => drop(all.remove(text)),
            }
        }
        Ok(all)
    }

    fn memory_info(&self, locked: &LockedCopy<'_>, path: &StorePath, bytes: &[u8]) -> MemoryInfo {
        let sha256 = Sha256::digest(bytes);
        let known = locked
            .last_synced(path)
            .filter(|known| known.sha256 == sha256);
        MemoryInfo {
            path: path.as_str().to_owned(),
            sha256,
            bytes: bytes.len() as u64,
            updated_at: match known {
                Some(known) => known.updated_at.clone(),
                None => self.environment.run().current_time().0.to_string(),
            },
        }
    }
}

/// Refuses to change what is not what was read.
fn require_expected(
    path: &StorePath,
    here: Option<&[u8]>,
    expected: Option<Sha256>,
) -> Result<(), CopyError> {
    let is = here.map(Sha256::digest);
    match expected {
        Some(expected) if is != Some(expected) => Err(stale(path, is)),
        _ => Ok(()),
    }
}

fn stale(path: &StorePath, is: Option<Sha256>) -> CopyError {
    let path = path.as_str().to_owned();
    ToolError::Stale { path, is }.into()
}

/// The answer, or what went wrong with the copy itself.
fn tool_error(error: CopyError) -> ToolError {
    match error {
        CopyError::Tool(answer) => answer,
        error => ToolError::Unavailable(message_with_causes(&error)),
    }
}
