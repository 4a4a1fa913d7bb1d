//! What can go wrong with a record.

use mem_core::Diagnose;
use mem_core::memory::MemoryError;
use mem_core::memory_path::printable;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;

use crate::category::Category;
use crate::limits::{
    CONTENT_BYTES_MAX, ID_BYTES_MAX, LIMIT_MAX, QUERY_BYTES_MAX, REASON_CHARS_MAX, TAG_CHARS_MAX,
    TAGS_MAX,
};
use crate::record::RecordId;

/// An input that is none. Nothing was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum InvalidRecord {
    /// None of the six.
    #[error("`{}` is not a category", printable(.0))]
    #[diagnose(Invalid, hint = format!("use one of {}", Category::category_words()))]
    Category(String),
    /// Not 1 to 5.
    #[error("`{what}` is {number}, not a whole number from 1 to 5")]
    #[diagnose(Invalid, hint = "1 is the least, 5 the most important")]
    Importance {
        /// Which field.
        what: &'static str,
        /// What was given.
        number: i64,
    },
    /// Nothing to remember.
    #[error("`content` is empty")]
    #[diagnose(Invalid, hint = "say in a sentence or two what is to be remembered")]
    EmptyContent,
    /// Over [`CONTENT_BYTES_MAX`].
    #[error("`content` is {0} bytes long, the limit is {CONTENT_BYTES_MAX}")]
    #[diagnose(Invalid, hint = "keep the text in a file, and store where it is")]
    ContentTooLarge(usize),
    /// A NUL.
    #[error("`{0}` holds a control character that no text has")]
    #[diagnose(Invalid, hint = "leave it out")]
    Control(&'static str),
    /// An empty tag, a long one, or one with a comma or a line break.
    #[error("`{}` is not a tag", printable(.0))]
    #[diagnose(
        Invalid,
        hint = "a tag is one or a few words without a comma, of at most {TAG_CHARS_MAX} characters"
    )]
    Tag(String),
    /// Over [`TAGS_MAX`].
    #[error("there are {0} tags, the limit is {TAGS_MAX}")]
    #[diagnose(Invalid, hint = "keep those that somebody will look for")]
    TooManyTags(usize),
    /// Neither a day nor an instant.
    #[error("`expires_at` is `{}`, which is neither a date nor a time", printable(.0))]
    #[diagnose(Invalid, hint = "write it like `2026-12-31` or `2026-12-31T18:00:00Z`")]
    Expires(String),
    /// Nothing to look for.
    #[error("`query` is empty")]
    #[diagnose(Invalid, hint = "say in a few words what you look for")]
    EmptyQuery,
    /// Over [`QUERY_BYTES_MAX`].
    #[error("`query` is {0} bytes long, the limit is {QUERY_BYTES_MAX}")]
    #[diagnose(Invalid, hint = "ask for one thing, in a few sentences")]
    QueryTooLarge(usize),
    /// Not 1 to [`LIMIT_MAX`].
    #[error("`limit` is {0}, not a whole number from 1 to {LIMIT_MAX}")]
    #[diagnose(
        Invalid,
        hint = if *_0 < 1 { "say how many, or leave it out" } else { "ask for fewer, or name categories" }
    )]
    Limit(i64),
    /// No id of any back end.
    #[error("`{}` is not the id of a memory", printable(.0))]
    #[diagnose(
        Invalid,
        hint = "take it from a list or a retrieval; it has at most {ID_BYTES_MAX} characters"
    )]
    Id(String),
    /// A deletion without a reason.
    #[error("`reason` is empty")]
    #[diagnose(Invalid, hint = "say in a few words why; it stands in the audit trail")]
    EmptyReason,
    /// Over [`REASON_CHARS_MAX`].
    #[error("`reason` is {0} characters long, the limit is {REASON_CHARS_MAX}")]
    #[diagnose(Invalid, hint = "say it in a sentence or two")]
    ReasonTooLong(usize),
    /// A field that has to be there.
    #[error("`{0}` is missing")]
    #[diagnose(Invalid, hint = range_hint(_0))]
    Missing(&'static str),
    /// A field of another kind.
    #[error("`{field}` is not {expected}")]
    #[diagnose(Invalid, hint = range_hint(field))]
    Kind {
        /// Which field.
        field: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// A field that is none.
    #[error("there is no field `{}`", printable(name))]
    #[diagnose(Invalid, hint = format!("the fields are `{}`", known.join("`, `")))]
    Unknown {
        /// What was given.
        name: String,
        /// The fields that there are.
        known: Vec<&'static str>,
    },
}

/// What a field takes.
fn range_hint(field: &str) -> Option<String> {
    Some(format!("`{field}` is {}", field_range(field)?))
}

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
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RecordError {
    /// The input is none.
    #[error(transparent)]
    Invalid(#[from] InvalidRecord),
    /// There is no such record in this namespace; whether there is one in another is not told.
    #[error("there is no memory `{0}`")]
    #[diagnose(NotFound, hint = "a list or a retrieval shows what there is")]
    NotFound(RecordId),
    /// Another one has taken its place.
    #[error("`{old}` was superseded by `{new}`")]
    #[diagnose(NotFound, hint = "`{new}` is the one that counts")]
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
    #[diagnose(
        Invalid,
        hint = "write it as `https://host`, with a port and a path if need be; the key stands \
                apart from it"
    )]
    Address(String),
    /// A back end elsewhere did not answer.
    #[error("`{place}` does not answer: {cause}")]
    #[diagnose(Unreachable, hint = "see whether it runs, and try again")]
    Unreachable {
        /// Whom.
        place: String,
        /// Why.
        cause: String,
    },
    /// Others wrote again and again while it was decided what to write.
    #[error("`{place}` is being changed by others")]
    #[diagnose(Unreachable, hint = "try again")]
    Overtaken {
        /// Where.
        place: String,
    },
    /// What a back end keeps cannot be opened, or it cannot seal anything: a key is gone, or something was changed.
    #[error("{what}: {cause}")]
    #[diagnose(
        Corrupt,
        hint = "whoever looks after the server brings it back from a backup"
    )]
    Damaged {
        /// Of what: never its content.
        what: String,
        /// Why.
        cause: String,
    },
    /// A back end elsewhere said no, or something that is no answer.
    #[error("`{place}` refused: {cause}")]
    #[diagnose(Refused)]
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
