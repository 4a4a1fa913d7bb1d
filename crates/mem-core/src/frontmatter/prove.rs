//! The proof behind every edit: read again, the file says what was asked for and otherwise what
//! it said before.

use super::edit::Edit;
use super::field::Field;
use super::read::read;
use crate::topic::TopicFile;

/// Whether only this field changed, and to what was asked for.
pub(super) fn holds(before: &[u8], after: &[u8], edit: &Edit, field: Field) -> bool {
    let (old, new) = (TopicFile::parse(before), TopicFile::parse(after));
    let wanted = match edit {
        Edit::Name(text) => new.name.as_deref() == shown(text),
        Edit::Description(text) => new.description.as_deref() == shown(text),
        Edit::Category(text) => new.category.as_deref() == shown(text),
        Edit::Type(kind) => new.kind == Some(*kind),
        Edit::Tags(tags) => new.tags == *tags,
        Edit::Importance(value) => new.importance == Some(*value),
        Edit::Expires(expires) => new.expires == Some(*expires),
        Edit::Pinned(on) => new.pinned == *on,
        Edit::Modified(instant) => new.modified == Some(*instant),
        Edit::Remove(field) => read(after).get(*field).is_none(),
        Edit::Body(_) => true,
    };
    let still_valid = read(after).is_valid || !read(before).is_valid;
    let same_body = old.body(before) == new.body(after);
    wanted && still_valid && same_body && same_fields(&old, &new, Some(field))
}

fn shown(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// Whether all fields but one are equal.
pub(super) fn same_fields(old: &TopicFile, new: &TopicFile, but: Option<Field>) -> bool {
    Field::ALL.into_iter().all(|field| {
        but == Some(field)
            || match field {
                Field::Name => old.name == new.name,
                Field::Description => old.description == new.description,
                Field::Type => old.type_word == new.type_word,
                Field::Tags => old.tags == new.tags,
                Field::Importance => old.importance == new.importance,
                Field::Expires => old.expires == new.expires,
                Field::Pinned => old.pinned == new.pinned,
                Field::Category => old.category == new.category,
                Field::Modified => old.modified == new.modified,
                Field::OriginSession => old.origin_session == new.origin_session,
            }
    })
}
