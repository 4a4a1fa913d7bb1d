//! What a commit of the ref holds, read as the hostile input it is.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use git2::{ObjectType, Odb, Oid, Repository, Tree};
use mem_core::history::Sha256;
use mem_core::parallel::map_chunks;

use super::GitRemoteError;
use super::digests::Digests;
use super::ledger::{self, Records};
use crate::key::{EntryKey, KeySet};
use crate::limits::{ANSWER_BYTES_MAX, BODY_KEYS_MAX, ENTRIES_MAX, ENTRY_BYTES_MAX};
use crate::wire::{Pairs, RejectedKey, RejectionCode};

/// A folder of this many bytes names more than a store may hold.
const TREE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Folders in folders; a key has no more segments.
const DEPTH_MAX: usize = 20;
const REGULAR: i32 = 0o100_000;
const KIND: i32 = 0o170_000;
const FOLDER: i32 = 0o040_000;

/// One state of the store.
#[derive(Debug, Default)]
pub(super) struct RefTree {
    pub(super) version: u64,
    pub(super) files: BTreeMap<EntryKey, TreeItem>,
    /// What is rejected only because it cannot stand beside what is among the files.
    pub(super) clashing: BTreeMap<EntryKey, TreeItem>,
    pub(super) records: Records,
    pub(super) rejected: Vec<RejectedKey>,
    pub(super) keys: KeySet,
    /// The texts, where they were asked for as well: reading them twice would take twice as long.
    pub(super) texts: BTreeMap<EntryKey, String>,
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeItem {
    pub(super) blob: Oid,
    pub(super) sha256: Sha256,
    pub(super) bytes: usize,
}

impl RefTree {
    /// Reads a commit, with its texts or without. What is wrong with one name rejects that name.
    pub(super) fn read(
        repository: &Repository,
        commit: Option<Oid>,
        digests: &mut Digests,
        with_texts: bool,
    ) -> Result<Self, GitRemoteError> {
        let mut shelf = Self::default();
        let Some(commit) = commit else {
            return Ok(shelf);
        };
        let root = repository.find_commit(commit)?.tree_id();
        let odb = repository.odb()?;
        let mut walk = TreeWalk {
            repository,
            odb: &odb,
            found: Pairs::default(),
            rejected: Vec::new(),
            folders: 0,
            by_names_until: None,
        };
        walk.walk_folder(root, "", 0)?;
        let tree = repository.find_tree(root)?;
        shelf.version = ledger::read_version(repository, &tree)?;
        shelf.records = ledger::read_all_records(repository, &tree);
        shelf.rejected = walk.rejected;
        let (found, clashing) = walk.found.split_clashing(&mut shelf.rejected);
        let found: Vec<(EntryKey, (Oid, usize))> = found.into_iter().chain(clashing).collect();
        let with_texts = with_texts
            && found.iter().map(|(_, (_, bytes))| bytes).sum::<usize>() <= ANSWER_BYTES_MAX;
        // In the order of the paths, in which git packs what is alike.
        let mut met = HashSet::new();
        let is_new = |blob: &Oid| met.insert(*blob) && (with_texts || !digests.contains_key(blob));
        let new: Vec<Oid> = found
            .iter()
            .map(|(_, (blob, _))| *blob)
            .filter(is_new)
            .collect();
        let mut texts = HashMap::new();
        for (blob, sha256, text) in read_contents(repository, &new, with_texts)? {
            digests.insert(blob, sha256);
            texts.extend(text.map(|text| (blob, text)));
        }
        for (key, (blob, bytes)) in found {
            let sha256 = digests.get(&blob).copied().flatten();
            shelf.add_entry(key, blob, bytes, sha256, texts.remove(&blob));
        }
        Ok(shelf)
    }

    /// The keys of a commit whose blobs need not be here.
    pub(super) fn read_names(
        repository: &Repository,
        commit: Option<Oid>,
        until: Instant,
    ) -> Result<Vec<EntryKey>, GitRemoteError> {
        let Some(commit) = commit else {
            return Ok(Vec::new());
        };
        let root = repository.find_commit(commit)?.tree_id();
        let mut walk = TreeWalk {
            repository,
            odb: &repository.odb()?,
            found: Pairs::default(),
            rejected: Vec::new(),
            folders: 0,
            by_names_until: Some(until),
        };
        walk.walk_folder(root, "", 0)?;
        let found = walk.found.sort_pairs(true, &mut walk.rejected);
        Ok(found.into_keys().take(ENTRIES_MAX).collect())
    }

    fn add_entry(
        &mut self,
        key: EntryKey,
        blob: Oid,
        bytes: usize,
        sha256: Option<Sha256>,
        text: Option<String>,
    ) {
        let mut reject = |code, why| {
            self.rejected
                .push(RejectedKey::new(key.as_str(), code, why));
        };
        // They were sorted out before; this remembers them for the next write.
        let is_clashing = self.keys.insert(&key).is_err();
        match sha256 {
            Some(sha256) if is_clashing || self.files.len() < ENTRIES_MAX => {
                let stored = TreeItem {
                    blob,
                    sha256,
                    bytes,
                };
                self.texts.extend(text.map(|text| (key.clone(), text)));
                let shelved = match is_clashing {
                    true => &mut self.clashing,
                    false => &mut self.files,
                };
                shelved.insert(key, stored);
            }
            // That it clashes was said.
            _ if is_clashing => {}
            refused => {
                self.keys.remove(&key);
                match refused {
                    None => reject(RejectionCode::Form, "it is not UTF-8"),
                    Some(_) => reject(
                        RejectionCode::StoreFull,
                        "there are more entries than a store may hold",
                    ),
                }
            }
        }
    }

    fn is_there(&self, key: &EntryKey) -> bool {
        self.files.contains_key(key) || self.clashing.contains_key(key)
    }

    /// What was deleted on purpose, and is not there.
    pub(super) fn deleted_entries(
        &self,
    ) -> impl Iterator<Item = (&EntryKey, Sha256, &ledger::EntryMetadata)> {
        let records = self.records.iter();
        records
            .filter(|(key, _)| !self.is_there(key))
            .filter_map(|(key, record)| Some((key, record.deleted?, record)))
    }
}

/// A blob, its checksum where it is a text, and the text where that is wanted.
type Content = (Oid, Option<Sha256>, Option<String>);

/// Reads blobs, many of them on all cores, each with a look at the copy of its own.
fn read_contents(
    repository: &Repository,
    blobs: &[Oid],
    with_texts: bool,
) -> Result<Vec<Content>, GitRemoteError> {
    let path = repository.path();
    let shares = map_chunks(blobs, |share| {
        let repository = Repository::open_bare(path)?;
        let odb = repository.odb()?;
        let read = share.iter().map(|blob| {
            let object = odb.read(*blob)?;
            let Ok(text) = std::str::from_utf8(object.data()) else {
                return Ok((*blob, None, None));
            };
            let sha256 = Sha256::digest(text.as_bytes());
            Ok((*blob, Some(sha256), with_texts.then(|| text.to_owned())))
        });
        read.collect::<Result<Vec<Content>, git2::Error>>()
    });
    let mut all = Vec::with_capacity(blobs.len());
    for share in shares {
        all.append(&mut share?);
    }
    Ok(all)
}

/// A walk through the folders of a commit.
struct TreeWalk<'a> {
    repository: &'a Repository,
    odb: &'a Odb<'a>,
    found: Pairs<(Oid, usize)>,
    rejected: Vec<RejectedKey>,
    folders: usize,
    /// Where only names are wanted: until when.
    by_names_until: Option<Instant>,
}

impl TreeWalk<'_> {
    fn walk_folder(&mut self, id: Oid, above: &str, depth: usize) -> Result<(), GitRemoteError> {
        // Few objects make a great many folders, where each stands in several others.
        self.folders += 1;
        if self.folders > BODY_KEYS_MAX {
            return Err(GitRemoteError::TooMuch);
        }
        if self
            .by_names_until
            .is_some_and(|until| Instant::now() > until)
        {
            return Err(GitRemoteError::TimedOut(0));
        }
        let (bytes, kind) = self.odb.read_header(id)?;
        if kind != ObjectType::Tree || bytes > TREE_BYTES_MAX || depth == DEPTH_MAX {
            self.reject_path(
                above,
                RejectionCode::TooLarge,
                "the folder is larger or deeper than any memory",
            );
            return Ok(());
        }
        let tree: Tree<'_> = self.repository.find_tree(id)?;
        for entry in &tree {
            if self.found.0.len() + self.rejected.len() >= BODY_KEYS_MAX {
                return Err(GitRemoteError::TooMuch);
            }
            let name = String::from_utf8_lossy(entry.name_bytes()).into_owned();
            if above.is_empty() && name == ledger::FOLDER {
                continue;
            }
            let path = match above {
                "" => name,
                above => format!("{above}/{name}"),
            };
            match entry.filemode_raw() & KIND {
                _ if entry.name().is_err() => {
                    self.reject_path(&path, RejectionCode::InvalidKey, "it is not UTF-8");
                }
                FOLDER => self.walk_folder(entry.id(), &path, depth + 1)?,
                REGULAR => self.visit_file(path, entry.id())?,
                _ => self.reject_path(&path, RejectionCode::Form, "it is not a regular file"),
            }
        }
        Ok(())
    }

    fn visit_file(&mut self, path: String, id: Oid) -> Result<(), GitRemoteError> {
        if self.by_names_until.is_some() {
            self.found.0.push((path, Some((id, 0))));
            return Ok(());
        }
        let header = self.odb.read_header(id);
        let (bytes, kind) = header?;
        if kind != ObjectType::Blob {
            self.reject_path(&path, RejectionCode::Form, "it is not a regular file");
        } else if bytes > ENTRY_BYTES_MAX {
            self.reject_path(
                &path,
                RejectionCode::TooLarge,
                "its content is larger than 102,400 bytes",
            );
        } else {
            self.found.0.push((path, Some((id, bytes))));
        }
        Ok(())
    }

    fn reject_path(&mut self, path: &str, code: RejectionCode, why: &str) {
        self.rejected.push(RejectedKey::new(path, code, why));
    }
}
