//! Which identifiers still stand in the code: one pass over all files for all of them.

mod files;
mod lexicon;
mod marks;
mod source;
mod survey;

pub(crate) use lexicon::Lexicon;
pub(crate) use marks::{Marks, SymbolPresence};
pub(crate) use source::{SourceKind, is_text};
pub(crate) use survey::{Hints, survey_symbols};
