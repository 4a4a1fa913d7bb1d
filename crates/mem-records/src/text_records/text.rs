//! A record as a text: that of its topic file.

use jiff::Timestamp;
use mem_core::Now;
use mem_core::frontmatter::{self, FieldEdit};
use mem_core::memory::MemoryError;
use mem_core::topic::{Eol, FrontmatterForm, NewTopic, TopicFile, render};
use mem_recall::{Document, Facets};

use crate::category::Category;
use crate::error::RecordError;
use crate::files::record_content;
use crate::record::{NewRecord, Record, RecordId};
use crate::topic::topic_of;

/// What a note without an importance counts.
const IMPORTANCE_DEFAULT: u8 = 3;

/// A text as a storage keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredText {
    /// The record's id.
    pub id: RecordId,
    /// What the place itself calls it.
    pub handle: String,
    /// The topic file.
    pub text: String,
    /// When the place says that it came to be; the text's own word counts.
    pub time: Timestamp,
}

/// The text of a new record.
pub(super) fn of(new: &NewRecord, now: Now) -> String {
    let topic = NewTopic {
        modified: Some(now.0),
        ..topic_of(new, new.content())
    };
    String::from_utf8_lossy(&render(&topic, FrontmatterForm::Flat, Eol::Lf)).into_owned()
}

impl StoredText {
    /// The record that it is.
    pub(super) fn record(&self, used_at: Option<Timestamp>) -> Record {
        let topic = self.topic();
        Record {
            id: self.id.clone(),
            content: record_content(&topic, self.text.as_bytes()),
            category: Category::from_topic(&topic),
            importance: topic.importance.unwrap_or(IMPORTANCE_DEFAULT),
            created_at: topic.modified.unwrap_or(self.time),
            expires_at: topic.expires,
            pinned: topic.pinned,
            tags: topic.tags,
            used_at,
            file: None,
        }
    }

    /// Whether it says a category, and no other way of writing made it.
    pub(super) fn says_category(&self) -> bool {
        Category::stated_category(&self.topic()).is_some()
    }

    /// The same with what is new about a record of the same content; other keys stay.
    pub(super) fn with(&self, new: &NewRecord) -> Result<String, RecordError> {
        let importance = new.renewed_importance(self.topic().importance);
        let mut edits = vec![FieldEdit::Importance(importance)];
        if !new.tags().is_empty() {
            edits.push(FieldEdit::Tags(new.tags().to_vec()));
        }
        edits.extend(new.expires_at().map(FieldEdit::Expires));
        let edited = frontmatter::edit(self.text.as_bytes(), &edits);
        let edited = edited.map_err(MemoryError::from)?;
        Ok(String::from_utf8_lossy(&edited).into_owned())
    }

    /// The document that is ranked.
    pub(super) fn document(&self, record: &Record) -> Document {
        let topic = self.topic();
        Document {
            key: self.id.to_string(),
            name: topic.name.clone().unwrap_or_default(),
            description: topic.description.clone().unwrap_or_default(),
            body: record.content.clone(),
            facets: Facets {
                category: record.category.as_str().to_owned(),
                tags: record.tags.clone(),
                importance: Some(f32::from(record.importance.saturating_sub(1)) / 4.0),
                expires: record.expires_at.map(|end| end.end().as_second()),
                time: Some(record.created_at.as_second()),
                pinned: record.pinned,
                ..Facets::default()
            },
            stamp: Vec::new(),
        }
    }

    fn topic(&self) -> TopicFile {
        TopicFile::parse(self.text.as_bytes())
    }
}
