//! Bringing a memory directory of before (moved, renamed, cloned elsewhere) into today's.
//!
//! Nothing is lost: identical files are taken once, different files of one name are both kept,
//! indexes and logs are united, ids and ages of notes and the whole history come along. The
//! source stays as it is.

mod error;
mod plan;
mod unite;

use crate::frontmatter;
use crate::history::Change;
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::store::{OpenGate, Order, Store};

pub use error::AdoptError;
pub use plan::{Adopted, Fate};

/// What an adoption did, or would do.
#[derive(Debug)]
pub struct Adoption {
    /// Every file of the source and what became of it, in path order.
    pub files: Vec<Adopted>,
    /// The change; `None` where everything was there already, and for a dry run.
    pub change: Option<Change>,
}

/// Tells what [`adopt`] would do.
///
/// # Errors
/// A directory cannot be read.
pub fn preview(target: &Store, source: &Store) -> Result<Adoption, AdoptError> {
    let taken = plan::read_source(source)?;
    let snapshot = target.snapshot()?;
    let mut files = Vec::new();
    let mut names = plan::Names::of(snapshot.walk().files.keys());
    for file in &taken {
        let there = snapshot.read(&file.path)?.map(|(bytes, _)| bytes);
        files.push(plan::decide(file, there.as_deref(), &mut names)?);
    }
    Ok(Adoption {
        files,
        change: None,
    })
}

/// Merges the memories of `source` into `target`, as one change.
///
/// # Errors
/// A file cannot be read or written; nothing is written then.
pub fn adopt(target: &Store, source: &Store, order: &Order) -> Result<Adoption, AdoptError> {
    source.observe(order.now)?;
    let taken = plan::read_source(source)?;
    let origin = source.open_history()?;
    let written = target.write(order, &OpenGate, |draft| {
        let mut names = plan::Names::of(&draft.files());
        let mut files = Vec::new();
        for file in &taken {
            let there = draft.read(&file.path)?;
            files.push(plan::decide(file, there.as_deref(), &mut names)?);
        }
        for (file, adopted) in taken.iter().zip(&files) {
            plan::carry_out(draft, file, adopted, &files)?;
        }
        if let Some(origin) = &origin {
            draft.brings_history(origin)?;
        }
        Ok::<_, AdoptError>(files)
    })?;
    Ok(Adoption {
        files: written.value,
        change: written.change,
    })
}

/// Whether a file is one of the indexes that are united line by line.
fn is_index(name: &str) -> bool {
    name == INDEX_FILE || name == ARCHIVE_FILE
}

/// The line ending of a file, for what is added to it.
fn ending(bytes: &[u8]) -> &'static str {
    frontmatter::Eol::of(bytes).as_str()
}
