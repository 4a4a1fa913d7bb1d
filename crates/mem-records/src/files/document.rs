//! The names of notes in an index, and the document of a note for an index of one's own. A program
//! that keeps an index makes its documents itself, without the secrets.

use mem_core::memory::Note;
use mem_core::{MemoryType, Scope};
use mem_recall::{Document, Facets};

use crate::category::Category;

/// The key of a note in an index: its tier and its file within the tier.
pub fn note_key(scope: Scope, file: &str) -> String {
    format!("{scope}:{file}")
}

/// The tier and the file of a key.
pub fn of_key(key: &str) -> Option<(Scope, &str)> {
    let (scope, file) = key.split_once(':')?;
    Some((scope.parse().ok()?, file))
}

/// The document of a note.
pub fn note_document(note: &Note) -> Document {
    let topic = &note.topic;
    let kind = topic.kind.map(MemoryType::as_str).unwrap_or_default();
    Document {
        key: note_key(note.scope, &note.file),
        name: note.title().to_owned(),
        description: topic.description.clone().unwrap_or_default(),
        body: topic.text(&note.bytes).into_owned(),
        facets: Facets {
            kind: kind.to_owned(),
            scope: note.scope.as_str().to_owned(),
            category: Category::from_topic(topic).as_str().to_owned(),
            tags: topic.tags.clone(),
            importance: topic.importance.map(|level| f32::from(level - 1) / 4.0),
            expires: topic.expires.map(|expires| expires.end().as_second()),
            time: Some(note.modified.as_second()),
            pinned: topic.pinned,
            used: 0,
        },
        stamp: Vec::new(),
    }
}
