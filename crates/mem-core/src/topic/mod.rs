//! One memory: a Markdown file with a few fields on top. Reading never fails.

mod expires;
mod fields;
mod file_name;
mod new;
mod render;

use std::borrow::Cow;
use std::ops::Range;

use jiff::Timestamp;

pub use crate::frontmatter::{Eol, FrontmatterForm, Warning, WarningKind};
use crate::memory_type::MemoryType;
use crate::text_detection::is_plain_text;
use crate::text_source::TextSource;
pub use expires::{Expiry, InvalidExpires, instant};
pub(crate) use file_name::slug_of;
pub use file_name::{file_name_for, numbered};
pub use new::{InvalidTopic, NewTopic};
pub use render::render;

/// A topic file, read. What could not be read is in `warnings`; the file is loaded all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicFile {
    /// The title; `None` when there is none or it is empty.
    pub name: Option<String>,
    /// The one line that a selector reads; `None` when there is none or it is empty.
    pub description: Option<String>,
    /// The type; `None` when it is absent or a word outside the taxonomy.
    pub kind: Option<MemoryType>,
    /// The word that stands for the type in the file, known or not.
    pub type_word: Option<String>,
    /// Free words, in the order of the file, none of them empty.
    pub tags: Vec<String>,
    /// The files that it is about, beside those that its text cites: globs (`*.sql`, `src/db/**`), or names of folders
    /// and files (`migrations`).
    pub when: Vec<String>,
    /// 1 (least) to 5.
    pub importance: Option<u8>,
    /// When it ceases to hold.
    pub expires: Option<Expiry>,
    /// Whether it always counts, however old.
    pub pinned: bool,
    /// One free word.
    pub category: Option<String>,
    /// The least trusted source of what an agent wrote; `None` for any other word too.
    pub rests_on: Option<TextSource>,
    /// When a host says it last wrote it.
    pub modified: Option<Timestamp>,
    /// The host session that first wrote it.
    pub origin_session: Option<String>,
    /// How the fields are laid out.
    pub form: FrontmatterForm,
    /// Where the body stands in the bytes that were parsed.
    pub body: Range<usize>,
    /// What was odd, in the order of the file.
    pub warnings: Vec<Warning>,
}

impl TopicFile {
    /// Reads a file, in every form seen in the wild.
    ///
    /// Looks at nothing behind the closing fence: the fields of a file's first
    /// [`FRONTMATTER_BYTES_MAX`](crate::limits::FRONTMATTER_BYTES_MAX) bytes and a little are the
    /// fields of the file, and only `body` needs the whole.
    pub fn parse(bytes: &[u8]) -> Self {
        fields::topic_of(bytes)
    }

    /// The body as it stands in `bytes`, which must be the bytes that were parsed.
    pub fn body<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.body.clone()).unwrap_or_default()
    }

    /// The body as text, without the blank lines in front. Bytes that are not UTF-8 are replaced.
    pub fn text<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        let body = self.body(bytes);
        String::from_utf8_lossy(&body[blank_lines(body)..])
    }

    /// Whether the file and its body are texts.
    pub fn is_plain_text(&self, bytes: &[u8]) -> bool {
        is_plain_text(self.body(bytes)) && is_plain_text(bytes)
    }

    /// Whether there is nothing but white space in the body.
    pub fn is_empty(&self, bytes: &[u8]) -> bool {
        self.body(bytes).trim_ascii().is_empty()
    }

    /// The name to show: the file's own, else the stem of its file name.
    pub fn title<'a>(&'a self, stem: &'a str) -> &'a str {
        self.name.as_deref().unwrap_or(stem)
    }
}

/// The length of the blank lines at the start of a body.
pub(crate) fn blank_lines(body: &[u8]) -> usize {
    let blank = body.iter().take_while(|byte| byte.is_ascii_whitespace());
    let end = blank.count();
    body[..end]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1)
}
