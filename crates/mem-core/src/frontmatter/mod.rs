//! The block between two `---` lines at the top of a topic file: found, read in every form seen
//! in the wild, and edited without touching a byte that need not change.
//!
//! # Layout
//! - [`split`](split()) finds the fences; `scan` lays the lines of the block out as entries.
//! - `read` turns entries into values: at once when every line is trivially plain, else through
//!   the strict YAML parser, else line by line with a [`Warning`] for what is odd.
//! - [`edit()`] changes single fields, and proves on the result that nothing else changed.
//! - [`encode`] writes scalars that every YAML reader understands alike.
//!
//! A file is never rejected for its frontmatter: hosts write blocks that no YAML parser takes, such as an unquoted colon in
//! a description, and a memory that cannot be read is lost to its user. What the three ways of reading have in common is
//! held by `texts::frontmatter_property::reading_agrees_with_the_parser`.

mod decode;
mod edit;
mod edit_error;
mod edit_position;
mod edit_verification;
pub mod encode;
mod entry;
mod field;
mod lenient;
mod parsed;
mod raw_value;
mod read;
mod replace;
mod scalar;
mod scan;
mod simple_yaml;
mod split;
mod strict;
mod value_range;
mod warning;

pub use edit::{FieldEdit, edit};
pub use edit_error::EditError;
pub use field::FrontmatterField;
pub use split::{Eol, Split, split};
pub use warning::{Warning, WarningKind};

pub(crate) use raw_value::RawValue;
pub(crate) use read::{FieldMatch, ReadFrontmatter, read};

/// How a file carries its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrontmatterForm {
    /// There is no frontmatter.
    None,
    /// Every field at the top level.
    Flat,
    /// `name` and `description` at the top level, the rest under `metadata`.
    Nested,
}

impl FrontmatterForm {
    /// The form that most files of a directory use; flat when it cannot be told.
    pub fn of_most(forms: impl IntoIterator<Item = Self>) -> Self {
        let (mut flat, mut nested) = (0_usize, 0_usize);
        for form in forms {
            match form {
                Self::Flat => flat += 1,
                Self::Nested => nested += 1,
                Self::None => {}
            }
        }
        if nested > flat {
            Self::Nested
        } else {
            Self::Flat
        }
    }
}
