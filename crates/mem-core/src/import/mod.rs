//! Bringing memories in: an export, another memory directory, single files, or what another tool
//! keeps for itself.
//!
//! # Layout
//! - [`gather`] reads a [`ImportSource`] into [`SourceContents`]: what to import into which tier, and what is
//!   left out and why. It writes nothing, and everything it reads is bounded.
//! - [`preview`] and [`import`] place what was gathered: what is there already is taken once,
//!   different files of one name are both kept, indexes and logs are united.
//!
//! Nothing that stands in a memory is ever changed by an import but its indexes and logs, and
//! those only grow.

mod batch;
mod bounded;
mod classification;
mod claude_md;
mod codex;
mod directory;
mod document;
mod error;
mod existing_memories;
mod file;
mod gemini;
mod lists;
mod placement;
mod qwen;
mod retarget;
mod run;
mod sections;

use std::path::PathBuf;

use crate::location::ProjectContext;
use crate::memory::ProjectMemory;
use crate::{Dirs, Environment, Scope};

pub use batch::{ImportBatch, ImportItem, ItemContent, SkippedItem, SourceContents};
pub use error::ImportError;
pub use placement::{ImportOutcome, Imported};
pub use run::{Import, import, preview};

/// Another tool whose memories are known to live somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportTool {
    /// The sections of `CLAUDE.md` and `CLAUDE.local.md` here, and of the user's own.
    ClaudeMd,
    /// `memories/*.md` and `AGENTS.md` of Codex's home.
    Codex,
    /// Gemini CLI's private memory of the project, and what it was told to remember in `~/.gemini/GEMINI.md`.
    Gemini,
    /// The memory directories of Qwen Code.
    Qwen,
}

impl ImportTool {
    /// The word used on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeMd => "claude-md",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
        }
    }
}

/// What to import from.
#[derive(Clone, Debug)]
pub enum ImportSource {
    /// An export (directory or JSON), a directory of memories, or a Markdown file.
    Path(PathBuf),
    /// The JSON of an export, read already.
    Json(Vec<u8>),
    /// Another tool's own places.
    Tool(ImportTool),
}

/// Where an import happens, and what of it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'a> {
    /// The project.
    pub place: &'a ProjectContext,
    /// Its memory.
    pub memory: &'a ProjectMemory,
    /// The user's directories.
    pub dirs: &'a Dirs,
    /// For the places of other tools.
    pub environment: &'a Environment,
    /// For what has tiers of its own (an export, Qwen Code) the only one to take; for anything
    /// else where it goes.
    pub scope: Option<Scope>,
    /// Where not empty, only what holds one of these words in its name or file.
    pub only: &'a [String],
}

/// Reads a source.
///
/// # Errors
/// It is not there, is no source, is damaged, or goes over a limit.
pub fn gather(
    source: &ImportSource,
    request: &ImportRequest<'_>,
) -> Result<SourceContents, ImportError> {
    let mut gathered = match source {
        ImportSource::Path(path) => file::gather(path, request)?,
        ImportSource::Json(bytes) => document::gather(bytes, "standard input", request)?,
        ImportSource::Tool(tool) => match tool {
            ImportTool::ClaudeMd => claude_md::gather(request)?,
            ImportTool::Codex => codex::gather(request)?,
            ImportTool::Gemini => gemini::gather(request)?,
            ImportTool::Qwen => qwen::gather(request)?,
        },
    };
    gathered.filter_items(request.only)?;
    Ok(gathered)
}
