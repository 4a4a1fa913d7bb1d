//! The indexes and logs of a batch, once its notes have their places.

use super::batch::ImportItem;
use super::placement::{ImportOutcome, Placing};
use super::{ImportError, retarget};
use crate::MemoryPath;
use crate::adopt;
use crate::index::{self, NewIndexEntry};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE, is_index, is_indexed};
use crate::topic::TopicFile;

/// Unites an index or a log with the one that is here.
pub(super) fn unite(
    placing: &mut Placing<'_, '_>,
    item: &ImportItem,
    file: &MemoryPath,
    bytes: &[u8],
) -> Result<(), ImportError> {
    let path = placing.tier.path(file.as_str())?;
    let theirs = match is_index(file) {
        true => retarget::retarget(bytes, &moves(placing, &path)),
        false => bytes.to_vec(),
    };
    let fate = match placing.draft.read(&path)? {
        None => {
            placing.take(&path);
            placing.put(item, &path, theirs)?;
            ImportOutcome::New
        }
        Some(ours) => {
            let united = match ours == theirs {
                true => ours.clone(),
                false => adopt::merge::unite_files(&ours, &theirs),
            };
            let fate = if united == ours {
                ImportOutcome::Known
            } else {
                ImportOutcome::United
            };
            placing.draft.put(&path, united)?;
            fate
        }
    };
    placing.note_down(item, &path, path.clone(), fate);
    Ok(())
}

/// Where the files of the batch stand that have another name now, as an index calls them.
fn moves(placing: &Placing<'_, '_>, index: &MemoryPath) -> Vec<(MemoryPath, MemoryPath)> {
    let folder = index
        .parent()
        .map_or_else(String::new, |folder| format!("{folder}/"));
    let inside = |path: &MemoryPath| {
        let file = path.as_str().strip_prefix(&folder)?;
        MemoryPath::parse(file).ok()
    };
    let moved = placing.done.iter().filter(|one| one.path != one.wanted);
    moved
        .filter_map(|one| Some((inside(&one.wanted)?, inside(&one.path)?)))
        .collect()
}

/// Gives every note that came and that no index names a pointer.
pub(super) fn add_pointers(placing: &mut Placing<'_, '_>) -> Result<(), ImportError> {
    let tier = placing.tier;
    let mut came: Vec<(MemoryPath, TopicFile)> = Vec::new();
    for one in &placing.done {
        let is_new = matches!(one.fate, ImportOutcome::New | ImportOutcome::Renamed);
        let file = tier.note(&one.path).filter(|_| is_new);
        let Some(file) = file.map(MemoryPath::parse).transpose()? else {
            continue;
        };
        if is_indexed(&file, tier.0) {
            let bytes = placing.draft.read(&one.path)?.unwrap_or_default();
            came.push((file, TopicFile::parse(&bytes)));
        }
    }
    let pointers = came.iter();
    let pointers = pointers.map(|(file, topic)| NewIndexEntry::from_topic(file, topic));
    let pointers: Vec<_> = pointers.collect();
    let mut read = |name| -> Result<Vec<u8>, ImportError> {
        Ok(placing.draft.read(&tier.path(name)?)?.unwrap_or_default())
    };
    let (old, archive) = (read(INDEX_FILE)?, read(ARCHIVE_FILE)?);
    let new = index::add_missing(&old, &archive, &pointers);
    if new != old {
        placing.draft.put(&tier.path(INDEX_FILE)?, new)?;
    }
    Ok(())
}
