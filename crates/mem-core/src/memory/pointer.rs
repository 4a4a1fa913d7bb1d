//! The index line of a memory, kept in step with its file.

use std::collections::BTreeSet;

use super::error::MemoryError;
use super::scope_dir::ScopeDir;
use crate::MemoryPath;
use crate::MemoryType;
use crate::index::{self, IndexEntry, MemoryIndex, NewIndexEntry, ReferenceKind};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE, is_indexed};
use crate::store::WriteTransaction;
use crate::topic::{NewTopic, TopicFile};

/// What a line says of its file.
pub(super) struct EntryText<'a> {
    pub(super) title: &'a str,
    pub(super) hook: &'a str,
    pub(super) kind: Option<MemoryType>,
}

/// Gives a memory that was written its line, where an index is kept; says its file within the tier.
pub(super) fn set_for(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    path: &MemoryPath,
    topic: &NewTopic,
    with_index: bool,
) -> Result<String, MemoryError> {
    let file = tier.file(path).unwrap_or(path.as_str());
    let line = EntryText {
        title: &topic.name,
        hook: &topic.description,
        kind: Some(topic.kind),
    };
    if with_index {
        set(draft, tier, file, &line)?;
    }
    Ok(file.to_owned())
}

/// Adds or updates the line of a file.
pub(super) fn set(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
    line: &EntryText<'_>,
) -> Result<(), MemoryError> {
    change(draft, tier, file, line, index::put)
}

/// Brings the line of a file that was written in step with it: a new file gets one unless the index
/// names it already, an old one where its title or description changed. Files that no index lists are
/// passed over.
pub(super) fn follow(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    path: &MemoryPath,
    old: Option<&[u8]>,
    new: &[u8],
) -> Result<(), MemoryError> {
    let Some(file) = listed(tier, path) else {
        return Ok(());
    };
    let topic = TopicFile::parse(new);
    let line = EntryText {
        title: topic.title(path.stem()),
        hook: topic.description.as_deref().unwrap_or_default(),
        kind: topic.kind,
    };
    match old.map(TopicFile::parse) {
        None if is_named(draft, tier, file, line.title)? => Ok(()),
        None => set(draft, tier, file, &line),
        Some(old) if old.description != topic.description => set(draft, tier, file, &line),
        Some(old) if old.name != topic.name => retitle(draft, tier, file, &line),
        Some(_) => Ok(()),
    }
}

/// The name within its tier of a file that an index lists.
pub(super) fn listed(tier: ScopeDir, path: &MemoryPath) -> Option<&str> {
    let file = tier.file(path)?;
    let inner = MemoryPath::parse(file).ok()?;
    is_indexed(&inner, tier.0).then_some(file)
}

/// Whether the index of a tier names a file in an entry or a link.
fn is_named(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
    title: &str,
) -> Result<bool, MemoryError> {
    let index = draft.read(&tier.path(INDEX_FILE)?)?.unwrap_or_default();
    let file = MemoryPath::parse(file)?;
    let mentions = MemoryIndex::parse(&index).mentions();
    let mut named = mentions.iter().filter_map(|one| one.of(&file, title));
    Ok(named.any(|how| how >= ReferenceKind::Link))
}

/// Warns of the other memories that index and archive list under the title of a file, in any case: a title that is
/// typed in another case finds none of them.
pub(super) fn same_titles(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
    title: &str,
) -> Result<Vec<String>, MemoryError> {
    let mut others = BTreeSet::new();
    let title = title.to_lowercase();
    for name in [INDEX_FILE, ARCHIVE_FILE] {
        let bytes = draft.read(&tier.path(name)?)?.unwrap_or_default();
        let index = MemoryIndex::parse(&bytes);
        let entries = index.entries().map(|(_, entry)| entry);
        let same =
            entries.filter(|one| one.title(&bytes).to_lowercase() == title && !one.points_to(file));
        let is_there = |other: &str| tier.path(other).is_ok_and(|path| draft.exists(&path));
        let same = same.map(IndexEntry::file).filter(|other| is_there(other));
        others.extend(same.map(|other| tier.0.label(other)));
    }
    let warning = |other: String| format!("`{other}` has the same title: name each by its file");
    Ok(others.into_iter().map(warning).collect())
}

/// Adds the line of a file, or gives the one that is there another title and leaves its hook.
pub(super) fn retitle(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
    line: &EntryText<'_>,
) -> Result<(), MemoryError> {
    change(draft, tier, file, line, index::retitle)
}

fn change(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
    line: &EntryText<'_>,
    how: fn(&[u8], &NewIndexEntry<'_>) -> Vec<u8>,
) -> Result<(), MemoryError> {
    let path = tier.path(INDEX_FILE)?;
    let old = draft.read(&path)?;
    let EntryText { title, hook, kind } = *line;
    let pointer = NewIndexEntry {
        file: &MemoryPath::parse(file)?,
        title,
        hook,
        kind,
    };
    let new = how(old.as_deref().unwrap_or_default(), &pointer);
    Ok(draft.put(&path, new)?)
}

/// Removes the line of a file from index and archive; prose that mentions it stays.
pub(super) fn remove(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    file: &str,
) -> Result<(), MemoryError> {
    let file = MemoryPath::parse(file)?;
    rewrite(draft, tier, |bytes| index::remove(bytes, &file))
}

/// Points the line of a file elsewhere, in index and archive.
pub(super) fn rename(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    from: &str,
    to: &str,
) -> Result<(), MemoryError> {
    let (from, to) = (MemoryPath::parse(from)?, MemoryPath::parse(to)?);
    rewrite(draft, tier, |bytes| index::rename(bytes, &from, &to))
}

/// Changes index and archive, where they exist.
fn rewrite(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    change: impl Fn(&[u8]) -> Vec<u8>,
) -> Result<(), MemoryError> {
    for name in [INDEX_FILE, ARCHIVE_FILE] {
        let path = tier.path(name)?;
        if let Some(old) = draft.read(&path)? {
            draft.put(&path, change(&old))?;
        }
    }
    Ok(())
}
