//! What can go wrong with a record.

use mem_core::memory::MemoryError;
use mem_core::memory_path::printable;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;
use mem_core::{Diagnose, ErrorKind};

use crate::category::Category;
use crate::limits::{
    CONTENT_BYTES_MAX, ID_BYTES_MAX, LIMIT_MAX, QUERY_BYTES_MAX, REASON_CHARS_MAX, TAG_CHARS_MAX,
    TAGS_MAX,
};
use crate::record::RecordId;

/// An input that is none. Nothing was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRecord {
    /// None of the six.
    #[error("`{}` is not a category", printable(.0))]
    Category(String),
    /// Not 1 to 5.
    #[error("`{what}` is {number}, not a whole number from 1 to 5")]
    Importance {
        /// Which field.
        what: &'static str,
        /// What was given.
        number: i64,
    },
    /// Nothing to remember.
    #[error("`content` is empty")]
    EmptyContent,
    /// Over [`CONTENT_BYTES_MAX`].
    #[error("`content` is {0} bytes long, the limit is {CONTENT_BYTES_MAX}")]
    ContentTooLarge(usize),
    /// A NUL.
    #[error("`{0}` holds a control character that no text has")]
    Control(&'static str),
    /// An empty tag, a long one, or one with a comma or a line break.
    #[error("`{}` is not a tag", printable(.0))]
    Tag(String),
    /// Over [`TAGS_MAX`].
    #[error("there are {0} tags, the limit is {TAGS_MAX}")]
    TooManyTags(usize),
    /// Neither a day nor an instant.
    #[error("`expires_at` is `{}`, which is neither a date nor a time", printable(.0))]
    Expires(String),
    /// Nothing to look for.
    #[error("`query` is empty")]
    EmptyQuery,
    /// Over [`QUERY_BYTES_MAX`].
    #[error("`query` is {0} bytes long, the limit is {QUERY_BYTES_MAX}")]
    QueryTooLarge(usize),
    /// Not 1 to [`LIMIT_MAX`].
    #[error("`limit` is {0}, not a whole number from 1 to {LIMIT_MAX}")]
    Limit(i64),
    /// No id of any back end.
    #[error("`{}` is not the id of a memory", printable(.0))]
    Id(String),
    /// A deletion without a reason.
    #[error("`reason` is empty")]
    EmptyReason,
    /// Over [`REASON_CHARS_MAX`].
    #[error("`reason` is {0} characters long, the limit is {REASON_CHARS_MAX}")]
    ReasonTooLong(usize),
    /// A field that has to be there.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A field of another kind.
    #[error("`{field}` is not {expected}")]
    Kind {
        /// Which field.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// A field that is none.
    #[error("there is no field `{}`", printable(name))]
    Unknown {
        /// What was given.
        name: String,
        /// The fields that there are.
        known: Vec<&'static str>,
    },
}

impl Diagnose for InvalidRecord {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Category(_) => return Some(format!("use one of {}", Category::category_words())),
            Self::Importance { .. } => "1 is the least, 5 the most important",
            Self::EmptyContent => "say in a sentence or two what is to be remembered",
            Self::ContentTooLarge(_) => "keep the text in a file, and store where it is",
            Self::Control(_) => "leave it out",
            Self::Kind { field, .. } | Self::Missing(field) => {
                return Some(format!("`{field}` is {}", field_range(field)?));
            }
            Self::Unknown { known, .. } => {
                return Some(format!("the fields are `{}`", known.join("`, `")));
            }
            Self::Tag(_) => {
                let words = "a tag is one or a few words without a comma";
                return Some(format!("{words}, of at most {TAG_CHARS_MAX} characters"));
            }
            Self::TooManyTags(_) => "keep those that somebody will look for",
            Self::Expires(_) => "write it like `2026-12-31` or `2026-12-31T18:00:00Z`",
            Self::EmptyQuery => "say in a few words what you look for",
            Self::QueryTooLarge(_) => "ask for one thing, in a few sentences",
            Self::Limit(number) if *number < 1 => "say how many, or leave it out",
            Self::Limit(_) => "ask for fewer, or name categories",
            Self::Id(_) => {
                let words = "take it from a list or a retrieval";
                return Some(format!("{words}; it has at most {ID_BYTES_MAX} characters"));
            }
            Self::EmptyReason => "say in a few words why; it stands in the audit trail",
            Self::ReasonTooLong(_) => "say it in a sentence or two",
        };
        Some(hint.to_owned())
    }
}

/// What a field takes.
fn field_range(field: &str) -> Option<String> {
    Some(match field {
        "content" => format!("a text of at most {CONTENT_BYTES_MAX} bytes"),
        "category" => format!("one of {}", Category::category_words()),
        "categories" => format!("a list of some of {}", Category::category_words()),
        "tags" => {
            format!("a list of at most {TAGS_MAX} texts of at most {TAG_CHARS_MAX} characters")
        }
        "importance" | "min_importance" => "a whole number from 1 to 5".to_owned(),
        "expires_at" => "a text like `2026-12-31` or `2026-12-31T18:00:00Z`".to_owned(),
        "query" => format!("a text of at most {QUERY_BYTES_MAX} bytes"),
        "limit" => format!("a whole number from 1 to {LIMIT_MAX}"),
        "memory_id" => "the id of a memory, from a list or a retrieval".to_owned(),
        "reason" => format!("a text of at most {REASON_CHARS_MAX} characters"),
        _ => return None,
    })
}

/// Why a call was not carried out. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The input is none.
    #[error(transparent)]
    Invalid(#[from] InvalidRecord),
    /// There is no such record in this namespace; whether there is one in another is not told.
    #[error("there is no memory `{0}`")]
    NotFound(RecordId),
    /// Another one has taken its place.
    #[error("`{old}` was superseded by `{new}`")]
    Superseded {
        /// What was asked for.
        old: RecordId,
        /// What says it now.
        new: RecordId,
    },
    /// The files said no.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Nobody can take turns.
    #[error(transparent)]
    State(#[from] StateError),
    /// Not an address that a back end elsewhere can be asked at. It is not quoted: it may hold a password.
    #[error("the address of the records cannot be used: {0}")]
    Address(String),
    /// A back end elsewhere did not answer.
    #[error("`{place}` does not answer: {cause}")]
    Unreachable {
        /// Whom.
        place: String,
        /// Why.
        cause: String,
    },
    /// Others wrote again and again while it was decided what to write.
    #[error("`{place}` is being changed by others")]
    Overtaken {
        /// Where.
        place: String,
    },
    /// What a back end keeps cannot be opened, or it cannot seal anything: a key is gone, or something was changed.
    #[error("{what}: {cause}")]
    Damaged {
        /// Of what: never its content.
        what: String,
        /// Why.
        cause: String,
    },
    /// A back end elsewhere said no, or something that is no answer.
    #[error("`{place}` refused: {cause}")]
    Refused {
        /// Who.
        place: String,
        /// Why.
        cause: String,
    },
}

impl From<StoreError> for RecordError {
    fn from(error: StoreError) -> Self {
        Self::Memory(error.into())
    }
}

impl Diagnose for RecordError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(error) => error.kind(),
            Self::NotFound(_) | Self::Superseded { .. } => ErrorKind::NotFound,
            Self::Memory(error) => error.kind(),
            Self::State(error) => error.kind(),
            Self::Address(_) => ErrorKind::Invalid,
            Self::Unreachable { .. } | Self::Overtaken { .. } => ErrorKind::Unreachable,
            Self::Damaged { .. } => ErrorKind::Corrupt,
            Self::Refused { .. } => ErrorKind::Refused,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Invalid(error) => error.hint(),
            Self::NotFound(_) => Some("a list or a retrieval shows what there is".to_owned()),
            Self::Superseded { new, .. } => Some(format!("`{new}` is the one that counts")),
            Self::Memory(error) => error.hint(),
            Self::State(error) => error.hint(),
            Self::Address(_) => {
                let words = "write it as `https://host`, with a port and a path if need be";
                Some(format!("{words}; the key stands apart from it"))
            }
            Self::Unreachable { .. } => Some("see whether it runs, and try again".to_owned()),
            Self::Overtaken { .. } => Some("try again".to_owned()),
            Self::Damaged { .. } => {
                let words = "whoever looks after the server brings it back from a backup";
                Some(words.to_owned())
            }
            Self::Refused { .. } => None,
        }
    }
}
