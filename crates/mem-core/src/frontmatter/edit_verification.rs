//! The proof behind every edit: read again, the file says what was asked for and otherwise what
//! it said before.

use super::edit::FieldEdit;
use super::field::FrontmatterField;
use super::read::read;
use crate::topic::TopicFile;

/// Whether only this field changed, and to what was asked for.
pub(super) fn holds(
    before: &[u8],
    after: &[u8],
    edit: &FieldEdit,
    field: FrontmatterField,
) -> bool {
    let (old, new) = (TopicFile::parse(before), TopicFile::parse(after));
    let wanted = match edit {
        FieldEdit::Name(text) => new.name.as_deref() == shown(text),
        FieldEdit::Description(text) => new.description.as_deref() == shown(text),
        FieldEdit::Category(text) => new.category.as_deref() == shown(text),
        FieldEdit::Type(kind) => new.kind == Some(*kind),
        FieldEdit::Tags(tags) => new.tags == *tags,
        FieldEdit::When(files) => new.when == *files,
        FieldEdit::Importance(value) => new.importance == Some(*value),
        FieldEdit::Expires(expires) => new.expires == Some(*expires),
        FieldEdit::Pinned(on) => new.pinned == *on,
        FieldEdit::RestsOn(source) => new.rests_on == Some(*source),
        FieldEdit::Modified(instant) => new.modified == Some(*instant),
        FieldEdit::Remove(field) => read(after).get(*field).is_none(),
        FieldEdit::Body(_) => true,
    };
    let still_valid = read(after).is_valid || !read(before).is_valid;
    let same_body = old.body(before) == new.body(after);
    wanted && still_valid && same_body && same_fields(&old, &new, Some(field))
}

fn shown(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// Whether all fields but one are equal.
pub(super) fn same_fields(old: &TopicFile, new: &TopicFile, but: Option<FrontmatterField>) -> bool {
    FrontmatterField::ALL.into_iter().all(|field| {
        but == Some(field)
            || match field {
                FrontmatterField::Name => old.name == new.name,
                FrontmatterField::Description => old.description == new.description,
                FrontmatterField::Type => old.type_word == new.type_word,
                FrontmatterField::Tags => old.tags == new.tags,
                FrontmatterField::When => old.when == new.when,
                FrontmatterField::Importance => old.importance == new.importance,
                FrontmatterField::Expires => old.expires == new.expires,
                FrontmatterField::Pinned => old.pinned == new.pinned,
                FrontmatterField::Category => old.category == new.category,
                FrontmatterField::RestsOn => old.rests_on == new.rests_on,
                FrontmatterField::Modified => old.modified == new.modified,
                FrontmatterField::OriginSession => old.origin_session == new.origin_session,
            }
    })
}
