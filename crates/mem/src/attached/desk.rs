//! The attached stores as the tools of the API see them: read and written in the offline copy, which is
//! brought in step before and after.

use std::collections::BTreeMap;

use anyhow::Result;
use mem_core::history::Sha256;
use mem_stores::limits::MEMORIES_MAX;
use mem_stores::tools::ToolError;
use mem_stores::tools::store::{
    MemoryHit, MemoryInfo, MemoryText, OpenStore, StorePage, StoreSearch, ToolAccess, ToolStores,
    ToolWrite,
};
use mem_stores::{PathPrefix, StorePath};

use super::book::{self, Attachment};
use super::copy::{ALTERED, LockedCopy, OfflineCopy};
use super::round::RoundOutcome;
use super::search;
use super::shelf::AttachedStores;
use super::undone::Undone;
use crate::scan::outbound::OutboundScanner;

/// The stores that an agent has here.
pub(crate) struct Attached<'a>(pub(crate) &'a AttachedStores<'a>);

/// One of them, as one call finds it.
pub(crate) struct OpenAttached<'a> {
    shelf: &'a AttachedStores<'a>,
    attachment: &'a Attachment,
    /// What answers call it.
    id: &'a str,
    copy: OfflineCopy,
}

impl<'a> ToolStores for Attached<'a> {
    type Store = OpenAttached<'a>;

    async fn open(
        &self,
        named: Option<&str>,
        access: ToolAccess,
    ) -> Result<OpenAttached<'a>, ToolError> {
        let all = &self.0.attachments;
        let attachment = match (named, all.as_slice()) {
            (None, [one]) => one,
            (None, _) => {
                let names = all.iter().map(|one| mem_stores::tools::StoreName {
                    id: one.slug.clone(),
                    name: one.name.clone(),
                });
                return Err(ToolError::WhichStore(names.collect()));
            }
            (Some(named), _) => {
                let found = self.0.find_store(named);
                found.ok_or_else(|| ToolError::NoStore(named.to_owned()))?
            }
        };
        if access == ToolAccess::Write {
            if attachment.access == book::StoreAccess::ReadOnly {
                return Err(ToolError::ReadOnly(attachment.slug.clone()));
            }
            if let Some(why) = self.0.write_obstacle(attachment) {
                return Err(ToolError::Refused(why));
            }
        }
        // That the server is away is told on the side: there is a copy.
        self.0.refresh_copy(attachment).map_err(copy_error)?;
        Ok(OpenAttached {
            shelf: self.0,
            attachment,
            id: &attachment.store,
            copy: self.0.offline_copy(attachment),
        })
    }
}

impl OpenStore for OpenAttached<'_> {
    fn name(&self) -> &str {
        self.id
    }

    async fn list(&self, asked: &StorePage) -> Result<Vec<MemoryInfo>, ToolError> {
        let all = self.memory_infos().map_err(copy_error)?;
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
        self.search_memories(asked).map_err(copy_error)
    }

    async fn read(&self, path: &StorePath) -> Result<Option<MemoryText>, ToolError> {
        let locked = self.lock_copy()?;
        if locked.is_altered(path).map_err(copy_error)? {
            return Err(ToolError::Unavailable(format!("`{path}` {ALTERED}")));
        }
        let Some(bytes) = locked.read(path).map_err(copy_error)? else {
            return Ok(None);
        };
        let info = self.memory_info(&locked, path, &bytes);
        let content = String::from_utf8(bytes);
        let content =
            content.map_err(|_| ToolError::Refused(format!("`{path}` is not UTF-8 text")))?;
        Ok(Some(MemoryText { info, content }))
    }

    async fn write(
        &self,
        path: &StorePath,
        content: String,
        expected: Option<Sha256>,
    ) -> Result<ToolWrite, ToolError> {
        self.require_storable(path, &content)?;
        let mut locked = self.lock_copy()?;
        let here = locked.read(path).map_err(copy_error)?;
        require_expected(path, here.as_deref(), expected)?;
        if here.is_none() {
            self.require_room(&locked, path)?;
        }
        let is_change = here.as_deref() != Some(content.as_bytes());
        let info = self.memory_info(&locked, path, content.as_bytes());
        if is_change {
            let noted = self.copy.mark_unsent(std::slice::from_ref(path));
            noted.map_err(copy_error)?;
            locked.waiting.paths.insert(path.as_str().to_owned());
            locked.write(path, content.as_bytes()).map_err(copy_error)?;
        }
        locked.finish_changes().map_err(copy_error)?;
        if is_change {
            self.send_change(path)?;
        }
        Ok(ToolWrite {
            info,
            is_new: here.is_none(),
            is_change,
        })
    }

    async fn delete(&self, path: &StorePath, expected: Option<Sha256>) -> Result<(), ToolError> {
        let mut locked = self.lock_copy()?;
        let here = locked.read(path).map_err(copy_error)?;
        if here.is_none() {
            return Err(ToolError::NotFound(path.as_str().to_owned()));
        }
        require_expected(path, here.as_deref(), expected)?;
        let noted = self.copy.mark_unsent(std::slice::from_ref(path));
        noted.map_err(copy_error)?;
        locked.waiting.paths.insert(path.as_str().to_owned());
        locked.remove_memory(path).map_err(copy_error)?;
        locked.finish_changes().map_err(copy_error)?;
        self.send_change(path)?;
        let now = self.shelf.context.current_time();
        let undone = self.copy.take_undone(now, |one| one.path == path.as_str());
        let moved = undone.map_err(copy_error)?.into_iter();
        if let Some(Undone { path, to }) = moved.rev().find(|one| one.to != one.path) {
            return Err(ToolError::Moved { path, to });
        }
        // Somebody changed it meanwhile: it stands again.
        match self.lock_copy()?.memory_digest(path).map_err(copy_error)? {
            None => Ok(()),
            is => Err(ToolError::Stale {
                path: path.as_str().to_owned(),
                is,
            }),
        }
    }
}

impl OpenAttached<'_> {
    fn lock_copy(&self) -> Result<LockedCopy<'_>, ToolError> {
        let locked = self.copy.lock_copy(self.shelf.context.current_time());
        locked.map_err(copy_error)
    }

    /// Sends what was just changed at a path, if the server answers soon; it waits else.
    fn send_change(&self, path: &StorePath) -> Result<(), ToolError> {
        let outcome: Result<RoundOutcome> = self.shelf.send_changes(self.attachment);
        let outcome = outcome.map_err(copy_error)?;
        let gave_way = outcome.aside.iter().any(|one| one.path == path.as_str());
        if gave_way {
            return Err(ToolError::Stale {
                path: path.as_str().to_owned(),
                is: self.lock_copy()?.memory_digest(path).map_err(copy_error)?,
            });
        }
        let standing = self.copy.read_status();
        match standing.held.get(path.as_str()) {
            Some(held) => Err(ToolError::Refused(format!(
                "it was written here, and the server does not take it: {}",
                held.why
            ))),
            None => Ok(()),
        }
    }

    /// Refuses what may not leave, or cannot be a file here.
    fn require_storable(&self, path: &StorePath, content: &str) -> Result<(), ToolError> {
        if let Some(why) = LockedCopy::path_obstacle(path) {
            return Err(ToolError::Refused(format!(
                "`{path}` cannot be kept here: {why}"
            )));
        }
        let dirs = self
            .shelf
            .context
            .dirs()
            .map_err(|error| copy_error(error.into()))?;
        let screen = OutboundScanner::for_project(&self.shelf.place.project, dirs);
        let screen = screen.map_err(|error| copy_error(error.into()))?;
        match screen.leak(path.as_str(), content) {
            None => Ok(()),
            Some(leak) => Err(ToolError::Refused(format!(
                "it holds a secret, {leak}: write where the secret is kept instead of the secret itself"
            ))),
        }
    }

    /// Refuses a new memory that another one is in the way of, or that is one too many.
    fn require_room(&self, locked: &LockedCopy<'_>, path: &StorePath) -> Result<(), ToolError> {
        let occupied = |other: &str| ToolError::Occupied {
            path: path.as_str().to_owned(),
            other: other.to_owned(),
        };
        let all = self.infos_of(locked).map_err(copy_error)?;
        if let Some(above) = path.ancestors().find(|above| all.contains_key(*above)) {
            return Err(occupied(above));
        }
        let below = format!("{path}/");
        if let Some((other, _)) = all.range(below.clone()..).next()
            && other.starts_with(&below)
        {
            return Err(occupied(other));
        }
        match all.len() >= MEMORIES_MAX {
            true => Err(ToolError::Full),
            false => Ok(()),
        }
    }

    fn search_memories(&self, asked: &StoreSearch) -> Result<Vec<MemoryHit>> {
        let locked = self.copy.lock_copy(self.shelf.context.current_time())?;
        let infos = self.infos_of(&locked)?;
        let files = infos.iter().map(|(path, info)| (path.clone(), info.sha256));
        let text = |path: &str| {
            let path = StorePath::parse(path).ok()?;
            if locked.is_altered(&path).unwrap_or(true) {
                return None;
            }
            String::from_utf8(locked.read(&path).ok()??).ok()
        };
        let place = self.copy.place.status_file();
        let found = search::search_copy(place, &files.collect(), &mut |path| text(path), asked);
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

    fn memory_infos(&self) -> Result<BTreeMap<String, MemoryInfo>> {
        let locked = self.copy.lock_copy(self.shelf.context.current_time())?;
        self.infos_of(&locked)
    }

    /// Everything that is here: what the server has, with what was changed since.
    fn infos_of(&self, locked: &LockedCopy<'_>) -> Result<BTreeMap<String, MemoryInfo>> {
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
        for text in &locked.waiting.paths {
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
                None => self.shelf.context.current_time().0.to_string(),
            },
        }
    }
}

/// Refuses to change what is not what was read.
fn require_expected(
    path: &StorePath,
    here: Option<&[u8]>,
    expected: Option<Sha256>,
) -> Result<(), ToolError> {
    let is = here.map(Sha256::digest);
    match expected {
        Some(expected) if is != Some(expected) => Err(ToolError::Stale {
            path: path.as_str().to_owned(),
            is,
        }),
        _ => Ok(()),
    }
}

/// What went wrong with the copy itself.
#[expect(clippy::needless_pass_by_value, reason = "it is what maps an error")]
fn copy_error(error: anyhow::Error) -> ToolError {
    ToolError::Unavailable(format!("{error:#}"))
}
