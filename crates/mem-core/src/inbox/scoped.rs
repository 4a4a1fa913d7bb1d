//! [`ScopedEntry`]: an entry of an inbox with the store that it is for.

use super::entry::{File, InboxEntry};
use super::error::InboxError;
use super::{EntryContent, Inbox};
use crate::compact_sort::CompactSort as _;
use crate::history::{AuthorKind, Sha256};
use crate::index::NewIndexEntry;
use crate::memory::{ProjectMemory, ScopeDir};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE, is_indexed};
use crate::run::RunContext;
use crate::store::{ChangeMetadata, LocalStore, Snapshot, StoreError, Tiers, merge_text};
use crate::topic::TopicFile;
use crate::unified_diff::unified_diff;
use crate::{MemoryPath, index};

/// The lines around and between the two sides of a conflict.
const CONFLICT_MARKS: [&str; 3] = ["<<<<<<< now", "=======", ">>>>>>> wanted"];

/// An entry and the store it is for.
#[derive(Debug)]
pub struct ScopedEntry {
    /// The store.
    pub store: LocalStore,
    /// The entry.
    pub entry: InboxEntry,
}

/// What a person made of the texts of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOutcome {
    /// A text is empty: the entry is as it was.
    Emptied,
    /// Every text is the one that was offered.
    Unchanged,
    /// A text is another one.
    Changed,
}

impl ProjectMemory {
    /// What waits in every tier (or was rejected), the oldest first; says what cannot be read.
    ///
    /// # Errors
    /// An entry is sealed and its key is not there.
    pub fn inbox_entries(
        &self,
        rejected: bool,
        run: &RunContext,
    ) -> Result<Vec<ScopedEntry>, InboxError> {
        let mut found = Vec::new();
        for store in self.distinct_stores() {
            let inbox = Inbox::for_paths(store.places());
            let waiting = match rejected {
                true => inbox.rejected(),
                false => inbox.waiting(),
            };
            let (entries, warnings) = waiting.opened()?;
            run.warn_all(&warnings);
            let of_store = |entry| ScopedEntry {
                store: store.clone(),
                entry,
            };
            found.extend(entries.into_iter().map(of_store));
        }
        found.compact_sort_by_key(|one| one.entry.time);
        Ok(found)
    }

    /// The entry whose id begins so, waiting or rejected.
    ///
    /// # Errors
    /// As [`Self::inbox_entries`]; there is none, or there are several.
    pub fn inbox_entry(&self, id: &str, run: &RunContext) -> Result<ScopedEntry, InboxError> {
        let bare = |id: &str| id.strip_prefix("inb_").unwrap_or(id).to_owned();
        let wanted = bare(id);
        for rejected in [false, true] {
            let mut fitting = self.inbox_entries(rejected, run)?;
            fitting.retain(|one| {
                !wanted.is_empty() && bare(one.entry.id.as_str()).starts_with(&wanted)
            });
            if fitting.len() > 1 {
                return Err(InboxError::Ambiguous(id.to_owned()));
            }
            if let Some(found) = fitting.pop() {
                return Ok(found);
            }
        }
        Err(InboxError::Unknown(id.to_owned()))
    }

    /// The entries of these ids; all that waits where none is given.
    ///
    /// # Errors
    /// As [`Self::inbox_entry`].
    pub fn chosen_entries(
        &self,
        ids: &[String],
        run: &RunContext,
    ) -> Result<Vec<ScopedEntry>, InboxError> {
        match ids {
            [] => self.inbox_entries(false, run),
            ids => ids.iter().map(|id| self.inbox_entry(id, run)).collect(),
        }
    }
}

impl ScopedEntry {
    /// Whether another one is for the same store.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.store.places().root == other.store.places().root
    }

    /// Whether another one becomes part of the same change when both are accepted: both are files of colleagues.
    pub fn is_accepted_with(&self, other: &Self) -> bool {
        let is_simple = |one: &InboxEntry| {
            let is_one = one.files.len() == 1 && one.files[0].renamed_from.is_none();
            one.author.actor == AuthorKind::Team && one.reason.is_none() && is_one
        };
        let is_same_file = |a: &InboxEntry, b: &InboxEntry| a.files[0].path == b.files[0].path;
        let (entry, next) = (&self.entry, &other.entry);
        let are_simple = is_simple(entry) && is_simple(next) && entry.verb == next.verb;
        are_simple && !is_same_file(entry, next) && self.is_beside(other)
    }

    /// What it would change.
    pub fn proposed_diff(&self) -> String {
        let one = |file: &File| {
            let bytes =
                |content: &Option<EntryContent>| content.as_ref().map(|content| content.0.clone());
            let (old, new) = (bytes(&file.old), bytes(&file.new));
            unified_diff(&self.file_label(file), old.as_deref(), new.as_deref())
        };
        self.entry.files.iter().map(one).collect()
    }

    /// A file as other commands name it.
    pub fn file_label(&self, file: &File) -> String {
        self.store.tiers().label(&file.path)
    }

    /// What a person is to edit of each memory of the entry, by its label.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn offered_texts(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let snapshot = self.store.snapshot()?;
        let mut texts = Vec::new();
        for file in self.entry.notes() {
            if let Some(new) = &file.new {
                let now = read_current(&snapshot, file)?;
                let text = offered_text(self.entry.base(file), now.as_deref(), &new.0);
                texts.push((self.file_label(file), text));
            }
        }
        Ok(texts)
    }

    /// Replaces what the entry wants by what `edit` makes of it, which is given each file and the text that is offered;
    /// `None` where there is no text, because the entry only removes.
    ///
    /// # Errors
    /// As `edit`; what is offered is not the content of `expected`; a text still has the marks of a conflict; the
    /// memory cannot be read.
    pub fn edit<E: From<InboxError>>(
        &mut self,
        expected: Option<&str>,
        mut edit: impl FnMut(&MemoryPath, &[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Option<EditOutcome>, E> {
        let snapshot = self.store.snapshot().map_err(InboxError::from)?;
        let notes: Vec<_> = self.entry.notes().map(|file| file.path.clone()).collect();
        let (mut outcome, mut gone) = (None, Vec::new());
        for at in 0..self.entry.files.len() {
            let file = &self.entry.files[at];
            let Some(new) = file.new.as_ref().filter(|_| notes.contains(&file.path)) else {
                continue;
            };
            let now = read_current(&snapshot, file).map_err(InboxError::from)?;
            let base = self.entry.base(file);
            let offered = offered_text(base, now.as_deref(), &new.0);
            let text = edit(&file.path, &offered)?;
            let digest = Sha256::digest(&offered).to_string();
            if expected.is_some_and(|read| read != digest) {
                let overtaken = InboxError::Overtaken {
                    id: self.entry.id.clone(),
                    path: file.path.clone(),
                    now: offered,
                    wanted: Some(text),
                };
                return Err(overtaken.into());
            }
            if text.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(EditOutcome::Emptied));
            }
            let sides = [now.as_deref().unwrap_or_default(), new.0.as_slice()];
            if has_conflict_mark(&text, &offered, sides) {
                let unmerged = InboxError::Unmerged {
                    id: self.entry.id.clone(),
                    path: file.path.clone(),
                };
                return Err(unmerged.into());
            }
            if text != offered {
                outcome = Some(EditOutcome::Changed);
            }
            outcome = outcome.or(Some(EditOutcome::Unchanged));
            if base.is_some() && now.is_none() {
                gone.push((file.path.clone(), text.clone()));
            }
            // What the person saw is what their text is based on.
            self.entry.set_base(at, now.map(EntryContent));
            self.entry.files[at].new = Some(EntryContent(text));
        }
        let tiers = self.store.tiers();
        for (path, text) in gone {
            let listed = self.entry.list_again(&path, &text, tiers, &snapshot);
            listed.map_err(InboxError::from)?;
        }
        Ok(outcome)
    }
}

impl InboxEntry {
    /// Sets the text that the write of a file is based on. A file that stands at no place any more is not moved.
    fn set_base(&mut self, at: usize, base: Option<EntryContent>) {
        let file = &mut self.files[at];
        if base.is_none() {
            file.renamed_from = None;
        }
        let from = file.renamed_from.clone();
        let source = from.and_then(|from| self.files.iter().position(|one| one.path == from));
        self.files[source.unwrap_or(at)].old = base;
    }

    /// Adds the index entry of a memory that is written again, where an index is kept: the entry went with the memory.
    fn list_again(
        &mut self,
        path: &MemoryPath,
        text: &[u8],
        tiers: Tiers,
        snapshot: &Snapshot<'_>,
    ) -> Result<(), StoreError> {
        let tier = ScopeDir(tiers.scope_of(path));
        let name = tier
            .file(path)
            .and_then(|file| MemoryPath::parse(file).ok());
        // The index of a team comes from the team, as an entry of its own.
        let is_listed =
            |name: &MemoryPath| self.author.actor != AuthorKind::Team && is_indexed(name, tier.0);
        let name = name.filter(is_listed);
        let (Some(name), Ok(index_path), Ok(archive_path)) =
            (name, tier.path(INDEX_FILE), tier.path(ARCHIVE_FILE))
        else {
            return Ok(());
        };
        let Some(now) = read(snapshot, &index_path)? else {
            return Ok(());
        };
        let archive = read(snapshot, &archive_path)?.unwrap_or_default();
        let bytes = |content: &Option<EntryContent>| {
            let content = content.as_ref();
            content.map_or_else(Vec::new, |content| content.0.clone())
        };
        let files = &self.files;
        let place = files.binary_search_by(|file| file.path.cmp(&index_path));
        let merged = match place {
            Ok(at) => {
                let file = self.files.remove(at);
                index::merge(&bytes(&file.old), &now, &bytes(&file.new))
            }
            Err(_) => now.clone(),
        };
        let topic = TopicFile::parse(text);
        let pointer = NewIndexEntry::from_topic(&name, &topic);
        let new = index::add_missing(&merged, &archive, &[pointer]);
        let (Ok(at) | Err(at)) = place;
        let file = File {
            path: index_path,
            renamed_from: None,
            old: Some(EntryContent(now)),
            new: Some(EntryContent(new)),
        };
        self.files.insert(at, file);
        Ok(())
    }

    /// The order of the entry's author, at the present; the reason says who agreed.
    pub fn accept_metadata(&self, run: &RunContext) -> ChangeMetadata {
        let person = run.author().name;
        let agreed = format!(
            "{}, accepted by {}",
            self.verb,
            person.as_deref().unwrap_or("a person")
        );
        let reason = match &self.reason {
            Some(reason) => format!("{reason} ({agreed})"),
            None => agreed,
        };
        let order =
            ChangeMetadata::new("accept", self.author.clone(), run.now).because(Some(reason));
        match self.author.actor {
            // What goes elsewhere goes here with its folder.
            AuthorKind::Team => order.clearing_folders(),
            _ => order,
        }
    }

    /// The order of entries of colleagues; of one of them where it is one.
    pub fn joint_metadata(entries: &[&Self], run: &RunContext) -> ChangeMetadata {
        let mut author = entries[0].author.clone();
        if entries.iter().any(|entry| entry.author.name != author.name) {
            author.name = None;
        }
        let person = run.author().name;
        let person = person.as_deref().unwrap_or("a person");
        let agreed = format!(
            "{} of {} files, accepted by {person}",
            entries[0].verb,
            entries.len()
        );
        let order = ChangeMetadata::new("accept", author, run.now).because(Some(agreed));
        order.clearing_folders()
    }
}

fn read(snapshot: &Snapshot<'_>, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(snapshot.read(path)?.map(|(bytes, _)| bytes))
}

/// The text that a file of an entry replaces: of a file that is still to be moved, the one at its old place.
fn read_current(snapshot: &Snapshot<'_>, file: &File) -> Result<Option<Vec<u8>>, StoreError> {
    if let Some(from) = &file.renamed_from
        && let Some(bytes) = read(snapshot, from)?
    {
        return Ok(Some(bytes));
    }
    read(snapshot, &file.path)
}

/// Whether a text still has a mark that the offered text got and neither side of the conflict has itself.
fn has_conflict_mark(text: &[u8], offered: &[u8], sides: [&[u8]; 2]) -> bool {
    let has = |text: &[u8], mark: &str| {
        let mut lines = text.split(|&byte| byte == b'\n');
        lines.any(|line| line.trim_ascii_end() == mark.as_bytes())
    };
    let is_ours = |mark: &str| has(offered, mark) && !sides.iter().any(|side| has(side, mark));
    let mut marks = CONFLICT_MARKS.into_iter();
    marks.any(|mark| is_ours(mark) && has(text, mark))
}

/// The text for the editor: the wanted one, merged with what is there now; both, between
/// marks, where that does not merge.
fn offered_text(old: Option<&EntryContent>, now: Option<&[u8]>, new: &[u8]) -> Vec<u8> {
    let old = old.map(|old| old.0.as_slice());
    match now {
        Some(now) if Some(now) != old && now != new => {
            let base = old.unwrap_or_default();
            merge_text(base, now, new).unwrap_or_else(|| {
                let [begin, middle, end] = CONFLICT_MARKS;
                let mut text = format!("{begin}\n").into_bytes();
                for (side, mark) in [(now, middle), (new, end)] {
                    text.extend_from_slice(side);
                    // A mark is a line of its own, whatever a side ends with.
                    if !side.ends_with(b"\n") {
                        text.push(b'\n');
                    }
                    text.extend_from_slice(format!("{mark}\n").as_bytes());
                }
                text
            })
        }
        _ => new.to_vec(),
    }
}
