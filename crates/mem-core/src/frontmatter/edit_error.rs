//! Why an edit was refused, and what to do about it.

use super::field::FrontmatterField;
use crate::error::Diagnose;
use crate::limits::FRONTMATTER_BYTES_MAX;
use crate::text_detection::NOT_TEXT;

/// Why a file was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum EditError {
    /// The file is no text that lines can be put into.
    #[error("the file {NOT_TEXT}")]
    #[diagnose(Invalid, hint = "write it in UTF-8 in an editor, then try again")]
    NotText,
    /// There is an opening fence and no closing one within [`FRONTMATTER_BYTES_MAX`].
    #[error("no line `---` closes the frontmatter within {FRONTMATTER_BYTES_MAX} bytes")]
    #[diagnose(Invalid, hint = "add a line `---` below the fields, then try again")]
    Unterminated,
    /// The value stands inside a `{...}` or behind an alias.
    #[error("`{field}` on line {line} does not stand on a line of its own")]
    #[diagnose(
        Invalid,
        hint = "open the file in an editor and give the field a line `key: value` of its own"
    )]
    Inline {
        /// Which field.
        field: FrontmatterField,
        /// The line in the file, from 1.
        line: usize,
    },
    /// The change would have changed something else as well.
    #[error("`{field}` cannot be changed without changing more than it")]
    #[diagnose(
        Invalid,
        hint = "open the file in an editor and give the field a line `key: value` of its own"
    )]
    Entangled {
        /// Which field.
        field: FrontmatterField,
    },
    /// The new body would be read as something else than a body.
    #[error("the new body would be read as frontmatter")]
    #[diagnose(Invalid, hint = "start the body with something other than `---`")]
    Body,
}
