//! What was read from a source, and what of it stays out.

use jiff::Timestamp;

use super::ImportError;
use super::bounded::ReadBudget;
use crate::history::NoteId;
use crate::limits::IMPORTED_TOPICS_MAX;
use crate::topic::{NewTopic, TopicFile};
use crate::{MemoryPath, MemoryType, Scope};

/// What an item is made of.
#[derive(Clone, Debug)]
pub enum ItemContent {
    /// A file as it stands, with its path within the tier.
    File {
        /// The path.
        file: MemoryPath,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A memory made from a part of another file.
    Topic(NewTopic),
}

/// One thing to import.
#[derive(Clone, Debug)]
pub struct ImportItem {
    /// Where it comes from, for people.
    pub origin: String,
    /// What it is made of.
    pub content: ItemContent,
    /// The id that it had.
    pub id: Option<NoteId>,
    /// When its content came to be.
    pub content_time: Option<Timestamp>,
}

/// What goes into one tier together: an index among the items speaks of the others.
#[derive(Clone, Debug)]
pub struct ImportBatch {
    /// The tier.
    pub scope: Scope,
    /// Whether notes that no index names get a pointer. Not for an export: it is restored as it was.
    pub add_pointers: bool,
    /// The items.
    pub items: Vec<ImportItem>,
}

/// Something that is not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedItem {
    /// What, for people.
    pub origin: String,
    /// Why, and what to do to have it all the same.
    pub reason: String,
}

/// What a source holds.
#[derive(Clone, Debug, Default)]
pub struct SourceContents {
    /// What to import.
    pub batches: Vec<ImportBatch>,
    /// What not.
    pub left_out: Vec<SkippedItem>,
    /// What a person ought to know.
    pub warnings: Vec<String>,
    /// How much was read for it.
    pub(super) budget: ReadBudget,
}

impl ImportItem {
    fn kind(&self) -> Option<MemoryType> {
        match &self.content {
            ItemContent::File { bytes, .. } => TopicFile::parse(bytes).kind,
            ItemContent::Topic(topic) => Some(topic.kind),
        }
    }

    fn is_in_team_folder(&self) -> bool {
        match &self.content {
            ItemContent::File { file, .. } => file.as_str().starts_with("team/"),
            ItemContent::Topic(_) => false,
        }
    }

    fn is_called(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let (name, file) = match &self.content {
            ItemContent::File { file, bytes } => (TopicFile::parse(bytes).name, file.as_str()),
            ItemContent::Topic(topic) => (Some(topic.name.clone()), ""),
        };
        let has = |text: &str| text.to_lowercase().contains(&word);
        has(file) || name.as_deref().is_some_and(has)
    }
}

impl SourceContents {
    /// Adds a batch that has something in it.
    pub(super) fn push(&mut self, scope: Scope, add_pointers: bool, items: Vec<ImportItem>) {
        if !items.is_empty() {
            self.batches.push(ImportBatch {
                scope,
                add_pointers,
                items,
            });
        }
    }

    /// Notes that something stays out.
    pub(super) fn leave_out(&mut self, origin: impl Into<String>, reason: impl Into<String>) {
        self.left_out.push(SkippedItem {
            origin: origin.into(),
            reason: reason.into(),
        });
    }

    /// Takes out what was not asked for and what does not belong where it would go.
    pub(super) fn filter_items(&mut self, only: &[String]) -> Result<(), ImportError> {
        let mut topics = 0;
        for batch in &mut self.batches {
            let is_team = batch.scope == Scope::Team;
            let is_private = batch.scope == Scope::Private;
            let left_out = &mut self.left_out;
            batch.items.retain(|item| {
                if !only.is_empty() && !only.iter().any(|word| item.is_called(word)) {
                    return false;
                }
                if is_private && item.is_in_team_folder() {
                    left_out.push(SkippedItem {
                        origin: item.origin.clone(),
                        reason: "a folder `team` holds the team's notes alone".to_owned(),
                    });
                    return false;
                }
                let is_personal = is_team && item.kind() == Some(MemoryType::User);
                if is_personal {
                    left_out.push(SkippedItem {
                        origin: item.origin.clone(),
                        reason: "it is about a person: never for the team".to_owned(),
                    });
                }
                !is_personal
            });
            let is_topic = |item: &&ImportItem| matches!(item.content, ItemContent::Topic(_));
            topics += batch.items.iter().filter(is_topic).count();
        }
        self.batches.retain(|batch| !batch.items.is_empty());
        if topics > IMPORTED_TOPICS_MAX {
            return Err(ImportError::TooManyTopics(topics));
        }
        Ok(())
    }
}
