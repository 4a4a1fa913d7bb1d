//! A memory to be written, and what makes one acceptable.

use jiff::Timestamp;

use super::Expiry;
use crate::error::Diagnose;
use crate::limits::{DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX, TOPIC_BYTES_MAX};
use crate::memory_type::MemoryType;
use crate::text_detection::{NOT_TEXT, is_plain_text};

/// Everything that `mem` writes into a new file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTopic {
    /// The title, on one line.
    pub name: String,
    /// The one line that a selector reads.
    pub description: String,
    /// The type.
    pub kind: MemoryType,
    /// Free words.
    pub tags: Vec<String>,
    /// The files that it is about.
    pub when: Vec<String>,
    /// 1 (least) to 5.
    pub importance: Option<u8>,
    /// When it ceases to hold.
    pub expires: Option<Expiry>,
    /// Whether it always counts.
    pub pinned: bool,
    /// One free word.
    pub category: Option<String>,
    /// When it was last written, where the directory's files carry that.
    pub modified: Option<Timestamp>,
    /// The Markdown below the frontmatter.
    pub body: String,
    /// The whole file, where somebody wrote it: it is stored as it is, with keys and comments that are not known here.
    pub written: Option<Vec<u8>>,
}

/// Why a memory is not acceptable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum InvalidTopic {
    /// No name.
    #[error("the name is empty")]
    #[diagnose(Invalid, hint = "give it a short title")]
    EmptyName,
    /// No description.
    #[error("the description is empty")]
    #[diagnose(
        Invalid,
        hint = "say in one line when this memory matters: it is all that a selector sees"
    )]
    EmptyDescription,
    /// A line break or another control character.
    #[error("the {0} holds a line break or another control character")]
    #[diagnose(Invalid, hint = "put it on one line")]
    Control(&'static str),
    /// Over its limit.
    #[error("the {what} is {chars} characters long, the limit is {max}")]
    #[diagnose(Invalid, hint = "say it in one line and move the detail into the body")]
    TooLong {
        /// Which field.
        what: &'static str,
        /// Its length in characters.
        chars: usize,
        /// The limit in characters.
        max: usize,
    },
    /// Not 1 to 5.
    #[error("the importance is {0}, not a number from 1 to 5")]
    #[diagnose(Invalid, hint = "1 is the least, 5 the most important")]
    Importance(u8),
    /// An empty tag, or one with a comma.
    #[error("`{}` is not a tag", crate::memory_path::printable(.0))]
    #[diagnose(Invalid, hint = "a tag is one or a few words without a comma")]
    Tag(String),
    /// An empty pattern of files, or one with a comma.
    #[error("`{}` names no files", crate::memory_path::printable(.0))]
    #[diagnose(
        Invalid,
        hint = "it is a glob such as `*.sql`, or the name of a folder or file, without a comma"
    )]
    When(String),
    /// NUL, or many control characters.
    #[error("the body {NOT_TEXT}")]
    #[diagnose(
        Invalid,
        hint = "memories are Markdown; keep other files in the repository"
    )]
    NotText,
    /// Over [`TOPIC_BYTES_MAX`].
    #[error("the body is {0} bytes long, the limit is {TOPIC_BYTES_MAX}")]
    #[diagnose(
        Invalid,
        hint = "keep the file elsewhere and save where it is to be found"
    )]
    BodyTooLarge(usize),
}

impl NewTopic {
    /// A memory with nothing but what every memory has.
    pub fn new(kind: MemoryType, name: &str, description: &str, body: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            kind,
            tags: Vec::new(),
            when: Vec::new(),
            importance: None,
            expires: None,
            pinned: false,
            category: None,
            modified: None,
            body: body.to_owned(),
            written: None,
        }
    }

    /// Checks every field against its rules.
    ///
    /// # Errors
    /// The first field that breaks one.
    pub fn validate(&self) -> Result<(), InvalidTopic> {
        if self.name.trim().is_empty() {
            return Err(InvalidTopic::EmptyName);
        }
        if self.description.trim().is_empty() {
            return Err(InvalidTopic::EmptyDescription);
        }
        one_line("name", &self.name, NAME_CHARS_MAX)?;
        one_line("description", &self.description, DESCRIPTION_CHARS_MAX)?;
        if let Some(category) = &self.category {
            one_line("category", category, NAME_CHARS_MAX)?;
        }
        for tag in &self.tags {
            one_line("tag", tag, NAME_CHARS_MAX)?;
            if tag.trim().is_empty() || tag.contains(',') || tag.trim() != tag {
                return Err(InvalidTopic::Tag(tag.clone()));
            }
        }
        for file in &self.when {
            one_line("when", file, NAME_CHARS_MAX)?;
            if file.trim().is_empty() || file.contains(',') || file.trim() != file {
                return Err(InvalidTopic::When(file.clone()));
            }
        }
        if let Some(value) = self.importance.filter(|value| !(1..=5).contains(value)) {
            return Err(InvalidTopic::Importance(value));
        }
        if self.body.len() > TOPIC_BYTES_MAX {
            return Err(InvalidTopic::BodyTooLarge(self.body.len()));
        }
        let written = self.written.as_deref().unwrap_or_default();
        if !is_plain_text(self.body.as_bytes()) || !is_plain_text(written) {
            return Err(InvalidTopic::NotText);
        }
        Ok(())
    }
}

/// Line separators count as line breaks too: some readers split at them.
fn one_line(what: &'static str, text: &str, max: usize) -> Result<(), InvalidTopic> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.chars().any(breaks) {
        return Err(InvalidTopic::Control(what));
    }
    let chars = text.chars().count();
    if chars > max {
        return Err(InvalidTopic::TooLong { what, chars, max });
    }
    Ok(())
}
