//! The memory tool `memory_20250818`: what a model asks of it, and what it is told.
//!
//! # Layout
//! - `command` reads a tool input; `path` turns what the model calls a path into names; `dialect`
//!   says whose texts are spoken; `failure` holds every error text.
//! - [`MemoryTool::answer_input`] carries a command out: `view` reads, `edit` computes new contents, `write`
//!   has files changed through a [`ToolWriter`]: [`DirWriter`] for a directory of its own, [`StoreWriter`] for a
//!   memory directory with its index and history.
//! - [`requests`] is the loop over lines of JSON. [`Views`] remembers when files were last viewed,
//!   for those that expire.
//!
//! Texts are those of the published tool page and of the Python and TypeScript SDKs, byte for byte.
//! What is refused beyond them (see `path`) is told in words of our own.

mod command;
mod dialect;
mod dir_writer;
mod edit;
mod expiry;
mod failure;
mod path;
pub mod requests;
mod store_writer;
mod view;
mod write;

use std::path::PathBuf;

use mem_core::plain::PlainRoot;
use serde_json::Value;

use command::InputFields;
pub use dialect::ToolDialect;
pub use dir_writer::DirWriter;
pub use expiry::{Expired, Views};
pub use failure::ToolFailure;
pub use path::first_name;
pub use store_writer::StoreWriter;
use write::Done;
pub use write::{Change, ToolWriter};

/// Says why a content must not be written, if so: path, new bytes, old bytes.
pub type Objection<'t> = &'t dyn Fn(&str, &[u8], Option<&[u8]>) -> Option<String>;

/// What a host allows.
#[derive(Clone, Debug, Default)]
pub struct ToolLimits {
    /// Nothing is written.
    pub is_read_only: bool,
    /// A `create` may replace a file.
    pub replaces: bool,
    /// The largest file that is written.
    pub file_bytes_max: Option<u64>,
    /// All files together after a write.
    pub total_bytes_max: Option<u64>,
    /// The characters of one view.
    pub view_chars_max: Option<usize>,
}

/// A memory that a model works on.
pub struct MemoryTool<'t> {
    /// Whose texts it speaks.
    pub dialect: ToolDialect,
    /// What the host allows.
    pub limits: ToolLimits,
    /// The directory that the model knows as `/memories`.
    pub root: PathBuf,
    /// What changes files.
    pub writer: &'t dyn ToolWriter,
    /// What keeps contents out, such as a scanner for secrets.
    pub objection: Objection<'t>,
}

/// What the model is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The text.
    pub content: String,
    /// Whether it did not happen.
    pub is_error: bool,
    /// The file that was looked at or changed, from the root.
    pub seen: Option<String>,
}

impl ToolAnswer {
    /// An error.
    pub fn from_error_text(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: true,
            seen: None,
        }
    }
}

impl MemoryTool<'_> {
    /// Carries a tool input out.
    pub fn answer_input(&self, input: &Value) -> ToolAnswer {
        match self.carry_out(input) {
            Ok((content, seen)) => ToolAnswer {
                content,
                is_error: false,
                seen,
            },
            Err(failure) => ToolAnswer::from_error_text(failure.message_text(self.dialect)),
        }
    }

    fn carry_out(&self, input: &Value) -> Done {
        let fields = InputFields::from_input(input)?;
        let text = |name: &str| fields.text(name);
        match text("command")? {
            "view" => {
                let (path, range) = (text("path")?, fields.view_range()?);
                self.view_path(&self.open_root()?, path, range)
            }
            "create" => {
                let (path, content) = (text("path")?, text("file_text")?);
                self.change(|root| self.create_file(root, path, content))
            }
            "str_replace" => {
                let (path, old, new) = (text("path")?, text("old_str")?, text("new_str")?);
                self.change(|root| self.replace_text(root, path, old, new))
            }
            "insert" => {
                let (path, line) = (text("path")?, fields.insert_line()?);
                let new = text("insert_text")?;
                self.change(|root| self.insert_text(root, path, line, new))
            }
            "delete" => {
                let path = text("path")?;
                self.change(|root| self.delete_path(root, path))
            }
            "rename" => {
                let (old, new) = (text("old_path")?, text("new_path")?);
                self.change(|root| self.move_path(root, old, new))
            }
            other => Err(ToolFailure::UnknownCommand(other.to_owned())),
        }
    }

    fn open_root(&self) -> Result<PlainRoot, ToolFailure> {
        PlainRoot::make(&self.root).map_err(|error| ToolFailure::from_error(&error))
    }

    /// Carries out what may write, while nobody else does.
    fn change(&self, change: impl FnOnce(&PlainRoot) -> Done) -> Done {
        if self.limits.is_read_only {
            return Err(ToolFailure::Said("Memory is read-only here.".to_owned()));
        }
        let root = self.open_root()?;
        let _lock = self.writer.lock_root(&root);
        change(&root)
    }
}
