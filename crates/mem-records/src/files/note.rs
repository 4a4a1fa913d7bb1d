//! From a note to the record that it is.

use jiff::Timestamp;
use mem_core::foreign_text::single_spaced;
use mem_core::memory::Note;
use mem_core::topic::TopicFile;

use crate::category::Category;
use crate::limits::CONTENT_BYTES_MAX;
use crate::record::{Record, RecordId};

/// What a note without an importance counts.
const IMPORTANCE_DEFAULT: u8 = 3;
/// A folder whose notes stay: hosts keep what is pinned in one of this name.
const PINNED_FOLDER: &str = "pinned";

/// Whether a note says itself that it stays, or stands where such notes are.
pub(super) fn is_pinned(topic: &TopicFile, file: &str) -> bool {
    let folder = file.split_once('/').map(|(folder, _)| folder);
    topic.pinned || folder == Some(PINNED_FOLDER)
}

/// The record that a note is; `None` where it is no text, or its id is none, which no store makes.
pub fn record_from_note(note: &Note, used_at: Option<Timestamp>) -> Option<Record> {
    let topic = &note.topic;
    note.is_plain_text().then_some(())?;
    Some(Record {
        id: RecordId::parse(note.id.as_str()).ok()?,
        content: record_content(topic, &note.bytes),
        category: Category::from_topic(topic),
        tags: topic.tags.clone(),
        importance: topic.importance.unwrap_or(IMPORTANCE_DEFAULT),
        created_at: note.modified,
        expires_at: topic.expires,
        used_at,
        pinned: is_pinned(topic, &note.file),
        file: Some(note.label()),
    })
}

/// What a topic file says as a record: its body. A note that says no category was written by other
/// means; its description is part of what it says, unless the body says it too.
pub fn record_content(topic: &TopicFile, bytes: &[u8]) -> String {
    let body = topic.text(bytes);
    let body = body.trim();
    let description = topic.description.as_deref().unwrap_or_default().trim();
    let is_record = Category::stated_category(topic).is_some();
    let text = match (is_record, body.is_empty()) {
        (_, true) => description.to_owned(),
        (true, false) => body.to_owned(),
        (false, false) if contains_text(body, description) => body.to_owned(),
        (false, false) if contains_text(description, body) => description.to_owned(),
        (false, false) => format!("{description}\n\n{body}"),
    };
    text[..text.floor_char_boundary(CONTENT_BYTES_MAX)].to_owned()
}

/// Whether a text holds another, however its lines are broken.
fn contains_text(text: &str, other: &str) -> bool {
    single_spaced(text).contains(&single_spaced(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_description_and_a_body_both_say_is_said_once() {
        let of = |description: &str, body: &str| {
            let bytes = format!("---\nname: n\ndescription: {description}\n---\n\n{body}\n");
            record_content(&TopicFile::parse(bytes.as_bytes()), bytes.as_bytes())
        };
        assert_eq!(of("The cat sleeps", "The cat sleeps"), "The cat sleeps");
        assert_eq!(
            of("The cat sleeps", "The cat\nsleeps. Late."),
            "The cat\nsleeps. Late."
        );
        assert_eq!(
            of("The cat sleeps late", "cat sleeps"),
            "The cat sleeps late"
        );
        assert_eq!(of("The cat", "It sleeps"), "The cat\n\nIt sleeps");
        assert_eq!(of("", "It sleeps"), "It sleeps");
    }
}
