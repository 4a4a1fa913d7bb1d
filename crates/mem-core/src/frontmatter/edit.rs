//! Changes single fields of a file and nothing else.
//!
//! A change is made on the lines, then proved: the result is read again, and unless the field
//! has the new value and every other field and the body are what they were, it is refused.
//!
//! Parsing the YAML and writing it again would be simpler, and would lose comments, order, quotes and every key that is
//! not known here. The price is that lines can deceive (a block scalar that looks like a key), and so each edit is proved.
//! **Cost:** a few parses of one file. Tests: `texts::frontmatter_edit::an_edit_changes_one_field_or_nothing`,
//! `texts::frontmatter_edit::ordinary_files_take_every_edit`.

use jiff::Timestamp;

use super::edit_error::EditError;
use super::edit_position;
use super::edit_verification::{holds, same_fields};
use super::field::FrontmatterField;
use super::read::read;
use super::replace::{Splice, YamlScalar, replace};
use super::split::Eol;
use crate::memory_type::MemoryType;
use crate::text_source::TextSource;
use crate::topic::{Expiry, TopicFile};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldEdit {
    /// The title.
    Name(String),
    /// The one line that a selector reads.
    Description(String),
    /// The type.
    Type(MemoryType),
    /// All tags; none removes the key.
    Tags(Vec<String>),
    /// The files that it is about; none removes the key.
    When(Vec<String>),
    /// 1 to 5.
    Importance(u8),
    /// When it ceases to hold.
    Expires(Expiry),
    /// Whether it always counts.
    Pinned(bool),
    /// One free word.
    Category(String),
    /// The least trusted source of what an agent wrote.
    RestsOn(TextSource),
    /// When it was last written.
    Modified(Timestamp),
    /// Takes a field out, at whatever level it stands.
    Remove(FrontmatterField),
    /// Replaces what follows the frontmatter and the blank lines below it.
    Body(Vec<u8>),
}

/// Applies changes to the bytes of a file, one after the other.
///
/// Key order, comments, quoting, line endings, the byte order mark, unknown keys and the body
/// stay as they are. A file without frontmatter gets one only when a field is set.
///
/// # Errors
/// Nothing is returned in part: the first change that cannot be made alone refuses all, and so does a file that is no
/// text, into which no line can be put.
pub fn edit(bytes: &[u8], edits: &[FieldEdit]) -> Result<Vec<u8>, EditError> {
    if !TopicFile::parse(bytes).is_plain_text(bytes) {
        return Err(EditError::NotText);
    }
    let mut current = bytes.to_vec();
    for edit in edits {
        current = apply(&current, edit)?;
    }
    Ok(current)
}

fn apply(bytes: &[u8], edit: &FieldEdit) -> Result<Vec<u8>, EditError> {
    let written = match edit {
        FieldEdit::Body(body) => return replace_body(bytes, body),
        FieldEdit::Remove(field) => return remove(bytes, *field),
        FieldEdit::Tags(tags) if tags.is_empty() => return remove(bytes, FrontmatterField::Tags),
        FieldEdit::When(files) if files.is_empty() => return remove(bytes, FrontmatterField::When),
        FieldEdit::Tags(list) | FieldEdit::When(list) => YamlScalar::List(list.clone()),
        FieldEdit::Name(text) | FieldEdit::Description(text) | FieldEdit::Category(text) => {
            YamlScalar::Text(text.clone())
        }
        FieldEdit::Type(kind) => YamlScalar::Bare(kind.to_string()),
        FieldEdit::Importance(value) => YamlScalar::Bare(value.to_string()),
        FieldEdit::Expires(expires) => YamlScalar::Bare(expires.to_string()),
        FieldEdit::Pinned(on) => YamlScalar::Bare(on.to_string()),
        FieldEdit::RestsOn(source) => YamlScalar::Bare(source.to_string()),
        FieldEdit::Modified(instant) => YamlScalar::Bare(instant.to_string()),
    };
    set(bytes, edit, &written)
}

fn field_of(edit: &FieldEdit) -> Option<FrontmatterField> {
    Some(match edit {
        FieldEdit::Name(_) => FrontmatterField::Name,
        FieldEdit::Description(_) => FrontmatterField::Description,
        FieldEdit::Type(_) => FrontmatterField::Type,
        FieldEdit::Tags(_) => FrontmatterField::Tags,
        FieldEdit::When(_) => FrontmatterField::When,
        FieldEdit::Importance(_) => FrontmatterField::Importance,
        FieldEdit::Expires(_) => FrontmatterField::Expires,
        FieldEdit::Pinned(_) => FrontmatterField::Pinned,
        FieldEdit::Category(_) => FrontmatterField::Category,
        FieldEdit::RestsOn(_) => FrontmatterField::RestsOn,
        FieldEdit::Modified(_) => FrontmatterField::Modified,
        FieldEdit::Remove(field) => *field,
        FieldEdit::Body(_) => return None,
    })
}

fn set(bytes: &[u8], edit: &FieldEdit, value: &YamlScalar) -> Result<Vec<u8>, EditError> {
    let Some(field) = field_of(edit) else {
        return Ok(bytes.to_vec());
    };
    let reading = read(bytes);
    if reading.split.unterminated {
        return Err(EditError::Unterminated);
    }
    // What says so already stays as it is written, where every reader can read it.
    let is_clean = reading.is_valid && TopicFile::parse(bytes).warnings.is_empty();
    if is_clean && holds(bytes, bytes, edit, field) {
        return Ok(bytes.to_vec());
    }
    if edit_position::holds_keys(bytes, &reading, field) {
        return Err(EditError::Entangled { field });
    }
    let eol = Eol::from_bytes(bytes);
    let target =
        edit_position::target(&reading, field).map_err(|line| EditError::Inline { field, line })?;
    let splice = match (target, &reading.scan) {
        (Some(entry), Some(scan)) => replace(bytes, scan, entry, field, value, eol),
        _ => edit_position::insert(bytes, &reading, field, value, eol),
    };
    let after = spliced(bytes, &[splice]);
    proved(bytes, after, edit, field)
}

fn remove(bytes: &[u8], field: FrontmatterField) -> Result<Vec<u8>, EditError> {
    let reading = read(bytes);
    if reading.split.unterminated {
        return Err(EditError::Unterminated);
    }
    let Some(scan) = &reading.scan else {
        return Ok(bytes.to_vec());
    };
    edit_position::target(&reading, field).map_err(|line| EditError::Inline { field, line })?;
    if edit_position::holds_keys(bytes, &reading, field) {
        return Err(EditError::Entangled { field });
    }
    let after = spliced(bytes, &edit_position::remove(scan, field));
    proved(bytes, after, &FieldEdit::Remove(field), field)
}

fn replace_body(bytes: &[u8], body: &[u8]) -> Result<Vec<u8>, EditError> {
    let reading = read(bytes);
    if reading.split.unterminated {
        return Err(EditError::Unterminated);
    }
    let start = edit_position::body_start(bytes, &reading.split.body);
    let mut after = bytes[..start].to_vec();
    if edit_position::needs_ending(bytes, &reading) && !body.is_empty() {
        after.extend_from_slice(Eol::from_bytes(bytes).as_str().as_bytes());
    }
    after.extend_from_slice(body);
    let (old, new) = (TopicFile::parse(bytes), TopicFile::parse(&after));
    let same = new.body(&after).ends_with(body) && same_fields(&old, &new, None);
    let starts = new.body.start <= after.len() - body.len();
    if same && starts && new.form == old.form {
        Ok(after)
    } else {
        Err(EditError::Body)
    }
}

/// Puts changes in; they come from the last to the first.
fn spliced(bytes: &[u8], splices: &[Splice]) -> Vec<u8> {
    let mut after = bytes.to_vec();
    for splice in splices {
        after.splice(splice.range.clone(), splice.text.bytes());
    }
    after
}

fn proved(
    before: &[u8],
    after: Vec<u8>,
    edit: &FieldEdit,
    field: FrontmatterField,
) -> Result<Vec<u8>, EditError> {
    if holds(before, &after, edit, field) {
        Ok(after)
    } else {
        Err(EditError::Entangled { field })
    }
}
