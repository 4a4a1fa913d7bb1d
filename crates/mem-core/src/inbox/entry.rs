//! One write that waits.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::EntryContent;
use crate::frontmatter::{self, FieldEdit};
use crate::history::{Author, ProposalId, Sha256};
use crate::notes;
use crate::spellings::TextSpellings;
use crate::store::{ChangeMetadata, ProposedChange, ProposedFile};
use crate::topic::TopicFile;
use crate::{MemoryPath, TextSource};

/// A change as its author wanted it, and what it was based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxEntry {
    /// Its id, also the name of its file.
    pub id: ProposalId,
    /// The verb of the change: `save`, `remove`, ...
    pub verb: String,
    /// Who wants it.
    pub author: Author,
    /// Why, where they said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub time: Timestamp,
    /// Earlier entries that this one took the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<ProposalId>,
    /// Whether a later one took its place: nobody turned it down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_replaced: bool,
    /// Of a text of a colleague: its checksum at the remote, whatever it was merged with here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<Sha256>,
    /// One for every file, in path order.
    pub files: Vec<File>,
}

/// What an entry wants of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The path within the store.
    pub path: MemoryPath,
    /// Where it stood before, when it is to be renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<MemoryPath>,
    /// What stood there; none for a new file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<EntryContent>,
    /// What shall stand there; none for a removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<EntryContent>,
}

impl InboxEntry {
    /// An entry of what is about to be made.
    pub(super) fn from_change(change: &ProposedChange<'_>) -> Self {
        let files = change.files.iter().map(File::from_file).collect();
        Self::wanted(change.order, change.order.author.clone(), files)
    }

    /// An entry of one file of what is about to be made, of whoever wrote that file elsewhere.
    pub(super) fn of_file(change: &ProposedChange<'_>, file: &ProposedFile<'_>) -> Self {
        let mut author = change.order.author.clone();
        if let Some(name) = file.by {
            author.name = Some(name.to_owned());
        }
        Self::wanted(change.order, author, vec![File::from_file(file)])
    }

    fn wanted(order: &ChangeMetadata, author: Author, files: Vec<File>) -> Self {
        let time = order.now.0;
        Self {
            id: id_of(time, &author, &files),
            verb: order.verb.to_owned(),
            author,
            reason: order.reason.clone(),
            time,
            replaces: Vec::new(),
            is_replaced: false,
            remote: None,
            files,
        }
    }

    /// Says on what the entry rests: its author does, and each memory where others may have written the text.
    pub(super) fn mark_source(&mut self, source: Option<TextSource>) {
        self.author.source = source;
        let Some(source) = source.filter(|source| source.is_outside()) else {
            return;
        };
        for file in self.files.iter_mut().filter(|file| !file.is_list()) {
            // Where no line can be added without harm the author alone says it.
            if let Some(new) = &mut file.new
                && TopicFile::parse(&new.0).rests_on < Some(source)
                && let Ok(marked) = frontmatter::edit(&new.0, &[FieldEdit::RestsOn(source)])
            {
                new.0 = marked;
            }
        }
        self.id = id_of(self.time, &self.author, &self.files);
    }

    /// The files that are no index and no archive: what the entry is about.
    pub fn notes(&self) -> impl Iterator<Item = &File> {
        let only_lists = self.files.iter().all(File::is_list);
        self.files
            .iter()
            .filter(move |file| only_lists || !file.is_list())
    }

    /// The text that the write of a file was based on: of a file that moves, the one at its old place.
    pub(super) fn base<'e>(&'e self, file: &'e File) -> Option<&'e EntryContent> {
        let Some(from) = &file.renamed_from else {
            return file.old.as_ref();
        };
        let source = self.files.iter().find(|one| one.path == *from);
        source.and_then(|one| one.old.as_ref())
    }

    /// The same write of other files, under an id of its own.
    #[must_use]
    pub(crate) fn with_files(&self, files: Vec<File>) -> Self {
        Self {
            id: id_of(self.time, &self.author, &files),
            files,
            // A checksum of what went would tell of it.
            remote: None,
            ..self.clone()
        }
    }

    /// Whether another write wants the very same.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        self.files == other.files
    }

    /// Whether this write is what the same session wants by now instead of an earlier one.
    pub(super) fn replaces(&self, earlier: &Self) -> bool {
        let paths = |entry: &Self| -> Vec<MemoryPath> {
            entry.notes().map(|file| file.path.clone()).collect()
        };
        self.author.session.is_some()
            && self.author.session == earlier.author.session
            && self.author.host == earlier.author.host
            && paths(self) == paths(earlier)
    }

    /// Whether a text stands in it anywhere.
    pub fn contains(&self, text: &TextSpellings) -> bool {
        let in_bytes = |content: &Option<EntryContent>| {
            let content = content.as_ref();
            content.is_some_and(|content| text.is_in(&content.0))
        };
        let in_path = |path: &MemoryPath| text.is_in_path(path.as_str());
        let reason = self.reason.as_deref();
        reason.is_some_and(|why| text.is_in(why.as_bytes()))
            || self.files.iter().any(|file| {
                in_bytes(&file.old)
                    || in_bytes(&file.new)
                    || in_path(&file.path)
                    || file.renamed_from.as_ref().is_some_and(in_path)
            })
    }
}

fn id_of(time: Timestamp, author: &Author, files: &[File]) -> ProposalId {
    let json = serde_json::to_vec(files).unwrap_or_default();
    let author = serde_json::to_vec(author).unwrap_or_default();
    let stamp = time.as_nanosecond().to_le_bytes();
    ProposalId::derive(&[&stamp, &author, &json])
}

impl File {
    fn from_file(file: &ProposedFile<'_>) -> Self {
        let content = |bytes: Option<&[u8]>| bytes.map(|bytes| EntryContent(bytes.to_vec()));
        Self {
            path: file.path.clone(),
            renamed_from: file.renamed_from.cloned(),
            old: content(file.old),
            new: content(file.new),
        }
    }

    /// Whether it is an index or an archive: a list that merges line by line.
    pub(crate) fn is_list(&self) -> bool {
        notes::is_index(&self.path)
    }
}
