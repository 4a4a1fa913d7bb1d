//! What is attached to a repository: kept in the state of its memory, outside of the repository, so that all
//! its worktrees share it and no file of the repository can attach anything.

use std::path::{Path, PathBuf};

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_core::state_file;
use mem_core::store::LocalStore;
use serde::{Deserialize, Serialize};

use super::error::{AttachError, CopyError};
use super::slug::unique_slug;
use crate::limits::ATTACHMENTS_MAX;

/// The folder in the state of a memory.
const FOLDER: &str = "attached";
/// The folder of the copies of all stores, as an agent sees them below `/memories`.
const FILES: &str = "memories";

/// What agents may do with a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreAccess {
    /// Look.
    ReadOnly,
    /// Look and write.
    #[default]
    ReadWrite,
}

impl StoreAccess {
    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::ReadWrite => "read_write",
        }
    }
}

/// A store that agents of this repository work with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// `memstore_…`.
    pub store: String,
    /// The address of its server.
    pub base_url: String,
    /// Its folder below `/memories`.
    pub slug: String,
    /// As it was when it was attached, or last looked at.
    pub name: String,
    /// The same.
    #[serde(default)]
    pub description: String,
    /// What agents may do.
    pub access: StoreAccess,
    /// What agents are told of it here.
    #[serde(default)]
    pub instructions: String,
    /// When it was attached, RFC 3339.
    pub attached_at: String,
}

impl Attachment {
    /// Where agents find it.
    pub fn mount_path(&self) -> String {
        format!("/memories/{}", self.slug)
    }

    /// Whether a text names it: its slug, its id or its name.
    pub fn is_called(&self, text: &str) -> bool {
        self.slug == text || self.store == text || self.name == text
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredAttachments {
    attachments: Vec<Attachment>,
}

/// The attachments of one memory.
#[derive(Clone, Debug)]
pub struct AttachmentFile {
    folder: PathBuf,
    memory_dir: PathBuf,
}

impl AttachmentFile {
    /// The file of a store's memory.
    pub fn for_store(store: &LocalStore) -> Self {
        let places = store.places();
        Self {
            folder: places.state.join(FOLDER),
            memory_dir: places.root.clone(),
        }
    }

    /// The file of a project.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn for_place(place: &ProjectContext, run: &RunContext) -> Result<Self, HomeError> {
        Ok(Self::for_store(&run.tier_store(place, false)?))
    }

    /// All attachments, in the order in which they were made. A damaged file has none, and is reported.
    pub fn read_attachments(&self) -> (Vec<Attachment>, Option<String>) {
        let (kept, warning): (StoredAttachments, _) = state_file::read(&self.file_path());
        let mut attachments = kept.attachments;
        // What names a folder was made by `slug`; anything else was not written by us.
        attachments.retain(|one| is_plain(&one.slug));
        (attachments, warning)
    }

    /// Adds attachments, all or none. One of the same store at the same server is changed: its access and its
    /// instructions.
    ///
    /// # Errors
    /// There would be too many, or the file cannot be written.
    pub fn add_attachments(&self, new: Vec<Attachment>) -> Result<Vec<Attachment>, CopyError> {
        let (added, warning) =
            state_file::update(&self.file_path(), |kept: &mut StoredAttachments| {
                let mut all = kept.attachments.clone();
                let mut added = Vec::new();
                for one in new {
                    let same = all
                        .iter_mut()
                        .find(|old| (&old.store, &old.base_url) == (&one.store, &one.base_url));
                    match same {
                        Some(old) => {
                            let slug = std::mem::take(&mut old.slug);
                            *old = Attachment { slug, ..one };
                            added.push(old.clone());
                        }
                        None => {
                            let slug = self.free_slug(&one, &all);
                            let one = Attachment { slug, ..one };
                            all.push(one.clone());
                            added.push(one);
                        }
                    }
                }
                if all.len() > ATTACHMENTS_MAX {
                    return Err(AttachError::TooMany(all.len()));
                }
                kept.attachments = all;
                Ok(added)
            })?;
        let _ = warning;
        Ok(added?)
    }

    /// Takes an attachment out.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remove_attachment(&self, attachment: &Attachment) -> Result<(), CopyError> {
        state_file::update(&self.file_path(), |kept: &mut StoredAttachments| {
            kept.attachments.retain(|one| one.slug != attachment.slug);
        })?;
        Ok(())
    }

    /// Takes over what a server says of a store now.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn update_store_info(
        &self,
        slug: &str,
        name: &str,
        description: &str,
    ) -> Result<(), CopyError> {
        state_file::update(&self.file_path(), |kept: &mut StoredAttachments| {
            let found = kept.attachments.iter_mut().find(|one| one.slug == slug);
            if let Some(one) = found {
                name.clone_into(&mut one.name);
                description.clone_into(&mut one.description);
            }
        })?;
        Ok(())
    }

    /// The one that a person names.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn find_attachment(&self, text: &str) -> Result<Attachment, AttachError> {
        let (all, _) = self.read_attachments();
        let exact = all
            .iter()
            .find(|one| one.slug == text || one.mount_path() == text);
        if let Some(one) = exact {
            return Ok(one.clone());
        }
        let mut found: Vec<Attachment> =
            all.into_iter().filter(|one| one.is_called(text)).collect();
        match found.len() {
            0 => Err(AttachError::NotAttached(text.to_owned())),
            1 => Ok(found.remove(0)),
            _ => Err(AttachError::Ambiguous(
                text.to_owned(),
                found.into_iter().map(|one| one.slug).collect(),
            )),
        }
    }

    /// Where an agent's view of all stores is.
    pub fn view_folder(&self) -> PathBuf {
        self.folder.join(FILES)
    }

    /// Where what is known of one copy is kept.
    pub fn state_of(&self, attachment: &Attachment) -> PathBuf {
        self.folder.join("state").join(&attachment.slug)
    }

    /// Whether the project's own memory has something of that name.
    pub fn is_shadowing(&self, slug: &str) -> bool {
        has_entry(&self.memory_dir, slug)
    }

    fn free_slug(&self, one: &Attachment, all: &[Attachment]) -> String {
        let is_taken = |slug: &str| {
            let files = self.view_folder().join(slug);
            all.iter().any(|other| other.slug == slug)
                || self.is_shadowing(slug)
                || files.symlink_metadata().is_ok()
        };
        unique_slug(&one.name, &one.store, &is_taken)
    }

    fn file_path(&self) -> PathBuf {
        self.folder.join("attachments.json")
    }
}

/// Whether a folder has an entry of that name, in any case.
fn has_entry(folder: &Path, name: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|other| other.to_string_lossy().eq_ignore_ascii_case(name))
}

/// Whether it is a name that `slug` makes.
fn is_plain(slug: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !slug.is_empty() && slug.bytes().all(is_plain)
}
