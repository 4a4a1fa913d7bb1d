//! Every error text: [`ToolFailure`].

use mem_core::Diagnose;
use mem_core::memory::MemoryError;
use mem_core::memory_path::printable;
use mem_core::plain::PlainError;
use mem_core::store::StoreError;

use super::ToolDialect;

/// So many lines the page's dialect names where a text occurs too often; the SDKs name all.
const LINES_NAMED_MAX: usize = 1_000;

/// Why a command was not carried out. Paths are as the model sent them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolFailure {
    /// A command that is none.
    UnknownCommand(String),
    /// A path that is not below `/memories`.
    Prefix(String),
    /// A path whose segments lead out.
    Escape(String),
    /// A path that a symbolic link leads out of.
    LinkEscape(String),
    /// A path that is refused for what it looks like.
    NotAllowed(String, &'static str),
    /// Nothing to view.
    Missing(String),
    /// Nothing to edit.
    MissingForEdit(String),
    /// Nothing to delete or to rename.
    Absent(String),
    /// A pipe, a socket, a device.
    Unsupported(String),
    /// More lines than a view may number.
    TooManyLines(String, usize),
    /// A `create` where something stands.
    Exists(String),
    /// A file that vanished after it was found.
    Gone(String),
    /// A link that took a file's place after it was found.
    BecameLink(String),
    /// A folder, pipe or device that took a file's place.
    NotRegular(String),
    /// A text that does not occur: text and path.
    NoMatch(String, String),
    /// A text that occurs more than once: text and lines.
    Many(String, Vec<usize>),
    /// A line that is not there: line and last line.
    BadLine(i64, usize),
    /// A deletion of the root.
    DeleteRoot,
    /// A move of the root.
    RenameRoot,
    /// A destination that is taken.
    DestinationExists(String),
    /// Anything else, in whole sentences.
    Said(String),
}

impl ToolFailure {
    /// The text for the model.
    pub fn message_text(&self, dialect: ToolDialect) -> String {
        let docs = match dialect {
            ToolDialect::Docs => "Error: ",
            ToolDialect::Python | ToolDialect::TypeScript => "",
        };
        match self {
            Self::UnknownCommand(name) => match dialect {
                ToolDialect::Python => format!("Unknown command: {name}"),
                ToolDialect::Docs | ToolDialect::TypeScript => format!("{name} not implemented"),
            },
            Self::Prefix(path) => format!("Path must start with /memories, got: {path}"),
            Self::LinkEscape(_) if dialect != ToolDialect::Python => {
                "Path would escape /memories directory via symlink".to_owned()
            }
            Self::Escape(path) | Self::LinkEscape(path) => {
                format!("Path {path} would escape /memories directory")
            }
            Self::NotAllowed(path, reason) => {
                format!("Path {} is not allowed: {reason}", printable(path))
            }
            Self::Missing(path) => {
                format!("The path {path} does not exist. Please provide a valid path.")
            }
            Self::MissingForEdit(path) => {
                format!("{docs}The path {path} does not exist. Please provide a valid path.")
            }
            Self::Absent(path) => format!("{docs}The path {path} does not exist"),
            Self::Unsupported(path) => format!("Unsupported file type for {path}"),
            Self::TooManyLines(path, lines) => too_many_lines(dialect, path, *lines),
            Self::Exists(path) => format!("{docs}File {path} already exists"),
            Self::Gone(path) => format!(
                "The file {path} no longer exists (may have been deleted or renamed concurrently)."
            ),
            Self::BecameLink(path) => format!("path {} is a symlink", quote_path(dialect, path)),
            Self::NotRegular(path) => {
                format!("path {} is not a regular file", quote_path(dialect, path))
            }
            Self::NoMatch(old, path) => format!(
                "No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            ),
            Self::Many(old, lines) => many_occurrences(dialect, old, lines),
            Self::BadLine(line, last) => bad_line(dialect, *line, *last),
            Self::DeleteRoot => "Cannot delete the /memories directory itself".to_owned(),
            Self::RenameRoot => "Cannot rename the /memories directory itself".to_owned(),
            Self::DestinationExists(path) => {
                format!("{docs}The destination {path} already exists")
            }
            Self::Said(text) => text.clone(),
        }
    }

    /// What an error of the directory means for a path that the model sent.
    pub(super) fn for_path(path: &str) -> impl Fn(PlainError) -> Self {
        move |error| Self::from_path_error(path.to_owned(), &error)
    }

    fn from_path_error(path: String, error: &PlainError) -> Self {
        match error {
            PlainError::Escapes(_) => Self::LinkEscape(path),
            PlainError::Gone(_) => Self::Gone(path),
            PlainError::Link(_) => Self::BecameLink(path),
            PlainError::NotAFile(_) => Self::NotRegular(path),
            PlainError::Exists(_) => Self::Exists(path),
            PlainError::NotAFolder(_) => Self::NotAllowed(path, "a part of it is a file"),
            PlainError::Circle(_) => Self::NotAllowed(path, "symbolic links lead in a circle"),
            PlainError::TooLarge { limit_bytes, .. } => Self::Said(format!(
                "File {path} is over the limit of {limit_bytes} bytes."
            )),
            PlainError::Io { .. } => Self::from_error(error),
        }
    }

    /// An error of the directory in its own words, with its cause.
    pub fn from_error(error: &PlainError) -> Self {
        Self::Said(match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        })
    }
}

impl From<MemoryError> for ToolFailure {
    fn from(error: MemoryError) -> Self {
        Self::Said(error_sentence(&error))
    }
}

impl From<StoreError> for ToolFailure {
    fn from(error: StoreError) -> Self {
        Self::Said(error_sentence(&error))
    }
}

/// An error with its remedy.
fn error_sentence<E: std::error::Error + Diagnose>(error: &E) -> String {
    match error.hint() {
        Some(hint) => format!("{error}: {hint}"),
        None => error.to_string(),
    }
}

fn too_many_lines(dialect: ToolDialect, path: &str, lines: usize) -> String {
    match dialect {
        ToolDialect::TypeScript => {
            format!("File {path} has too many lines ({lines}). Maximum is 999,999 lines.")
        }
        ToolDialect::Docs | ToolDialect::Python => {
            format!("File {path} exceeds maximum line limit of 999,999 lines.")
        }
    }
}

fn many_occurrences(dialect: ToolDialect, old: &str, lines: &[usize]) -> String {
    let max = match dialect {
        ToolDialect::Docs => LINES_NAMED_MAX,
        ToolDialect::Python | ToolDialect::TypeScript => usize::MAX,
    };
    let named = lines.iter().take(max).map(usize::to_string);
    let more = match lines.len() > max {
        true => ", ...",
        false => "",
    };
    let lines = named.collect::<Vec<_>>().join(", ");
    format!(
        "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: \
         {lines}{more}. Please ensure it is unique"
    )
}

fn bad_line(dialect: ToolDialect, line: i64, last: usize) -> String {
    let begin = format!("Invalid `insert_line` parameter: {line}. It should be within the range");
    match dialect {
        ToolDialect::Python => format!("{begin} [0, {last}]."),
        ToolDialect::TypeScript => format!("{begin} of lines of the file: [0, {last}]"),
        ToolDialect::Docs => format!("Error: {begin} of lines of the file: [0, {last}]"),
    }
}

/// A path in quotes as the language writes it.
fn quote_path(dialect: ToolDialect, path: &str) -> String {
    match dialect {
        ToolDialect::Python if path.contains('\'') && !path.contains('"') => format!("\"{path}\""),
        ToolDialect::Python => format!("'{}'", path.replace('\\', "\\\\").replace('\'', "\\'")),
        ToolDialect::Docs | ToolDialect::TypeScript => {
            serde_json::to_string(path).unwrap_or_else(|_| path.to_owned())
        }
    }
}
