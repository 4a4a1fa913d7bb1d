//! The indexes and logs of a batch, once its notes have their places.

use super::gathered::Item;
use super::place::{Fate, Placing};
use super::{ImportError, unite};
use crate::MemoryPath;
use crate::index::{Index, Mentioned};
use crate::memory::{Line, set_pointer};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE, is_index, is_indexed};
use crate::topic::Topic;

/// Unites an index or a log with the one that is here.
pub(super) fn unite(
    placing: &mut Placing<'_, '_>,
    item: &Item,
    file: &MemoryPath,
    bytes: &[u8],
) -> Result<(), ImportError> {
    let path = placing.tier.path(file.as_str())?;
    let theirs = match is_index(file) {
        true => unite::retarget(bytes, &moves(placing, &path)),
        false => bytes.to_vec(),
    };
    let fate = match placing.draft.read(&path)? {
        None => {
            placing.take(&path);
            placing.put(item, &path, theirs)?;
            Fate::New
        }
        Some(ours) => {
            let united = match is_index(file) {
                _ if ours == theirs => ours.clone(),
                true => unite::indexes(&ours, &theirs),
                false => unite::lines(&ours, &theirs),
            };
            let fate = if united == ours {
                Fate::Known
            } else {
                Fate::United
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
    let mut read = |name| -> Result<Vec<u8>, ImportError> {
        Ok(placing.draft.read(&tier.path(name)?)?.unwrap_or_default())
    };
    let (index, archive) = (read(INDEX_FILE)?, read(ARCHIVE_FILE)?);
    let mut mentions = Index::parse(&index).mentions();
    mentions.extend(Index::parse(&archive).mentions());
    let came: Vec<MemoryPath> = placing
        .done
        .iter()
        .filter(|one| matches!(one.fate, Fate::New | Fate::Renamed))
        .map(|one| one.path.clone())
        .collect();
    for path in came {
        let Some(file) = tier.note(&path).map(MemoryPath::parse).transpose()? else {
            continue;
        };
        let bytes = placing.draft.read(&path)?.unwrap_or_default();
        let topic = Topic::parse(&bytes);
        let title = topic.title(file.stem());
        let is_named = mentions
            .iter()
            .any(|mention| mention.of(&file, title) >= Some(Mentioned::Wiki));
        if is_indexed(&file, tier.0) && !is_named {
            let hook = topic.description.as_deref().unwrap_or_default();
            let line = Line {
                title,
                hook,
                kind: topic.kind,
            };
            set_pointer(placing.draft, tier, file.as_str(), &line)?;
        }
    }
    Ok(())
}
