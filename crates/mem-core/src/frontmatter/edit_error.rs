//! Why an edit was refused, and what to do about it.

use super::field::FrontmatterField;
use crate::error::Diagnose;

/// Why a file was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum EditError {
    /// There is an opening fence and no closing one.
    #[error("the frontmatter is never closed with `---`")]
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
