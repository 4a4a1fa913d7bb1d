//! `CLAUDE.md` as a source: each section a candidate.
//!
//! Claude Code loads these files whole into every session, so whoever imports a section means to
//! take it out of them afterwards: `mem` says so, and never edits them. Files that they import with
//! `@path` are named, and not followed.

use std::path::{Path, PathBuf};

use super::bounded;
use super::sections::{sections, split_imports};
use super::{ImportError, ImportItem, ImportRequest, ItemContent, SourceContents, classification};
use crate::audit::shell_word;
use crate::limits::TOPIC_BYTES_MAX;
use crate::{MemoryType, Scope};

/// Headings up to this level make a section.
const LEVEL_MAX: usize = 2;

/// Reads the files of this checkout, then the user's own.
pub(super) fn gather(request: &ImportRequest<'_>) -> Result<SourceContents, ImportError> {
    let workdir = &request.place.project.workdir;
    let (mut gathered, mut places) = (SourceContents::default(), Vec::new());
    for name in ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"] {
        let path = workdir.join(name);
        if is_inside(&path, workdir) {
            read(&path, Scope::Private, request, &mut gathered)?;
        } else if path.symlink_metadata().is_ok() {
            gathered.leave_out(path.display().to_string(), "it leads out of the repository");
        }
        places.push(path);
    }
    let own = request.dirs.base.join("CLAUDE.md");
    read(&own, Scope::Global, request, &mut gathered)?;
    places.push(own);
    if gathered.batches.is_empty() && gathered.left_out.is_empty() {
        return Err(nothing(&places));
    }
    if !gathered.batches.is_empty() {
        gathered.warnings.push(
            "CLAUDE.md still says all of this: take out of it what you keep as a memory".to_owned(),
        );
    }
    Ok(gathered)
}

/// Adds the sections of one instruction file as a batch.
pub(super) fn read(
    path: &Path,
    home: Scope,
    request: &ImportRequest<'_>,
    gathered: &mut SourceContents,
) -> Result<(), ImportError> {
    read_without(path, None, home, request, gathered)
}

/// The same without the section of this heading, which is read otherwise.
pub(super) fn read_without(
    path: &Path,
    heading: Option<&str>,
    home: Scope,
    request: &ImportRequest<'_>,
    gathered: &mut SourceContents,
) -> Result<(), ImportError> {
    let Some(text) = text_of(path, gathered)? else {
        return Ok(());
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let mut items = Vec::new();
    for section in sections(&text.text, LEVEL_MAX) {
        let name = section.title.unwrap_or(&file);
        if heading.is_some_and(|heading| name.eq_ignore_ascii_case(heading)) {
            continue;
        }
        let origin = format!("{}#{name}", path.display());
        let is_file = |import: &str| {
            let file = imported_file(import, path, request);
            file.is_file() || is_markdown(&file) || import.starts_with(['/', '.', '~'])
        };
        let (body, imported) = split_imports(section.text, is_file);
        for import in imported {
            leave_out_import(&imported_file(import, path, request), path, gathered);
        }
        if body.is_empty() {
            continue;
        }
        let kind = match classification::kind(name, &body) {
            // Across repositories there is no project to speak of.
            MemoryType::Project if home == Scope::Global => MemoryType::User,
            kind => kind,
        };
        push(
            &mut items,
            gathered,
            origin,
            classification::topic(kind, name, &body),
            text.modified,
        );
    }
    gathered.push(request.scope.unwrap_or(home), true, items);
    Ok(())
}

/// The file that `@import` means in an instruction file.
fn imported_file(import: &str, by: &Path, request: &ImportRequest<'_>) -> PathBuf {
    let in_home = import.strip_prefix("~/").zip(request.dirs.home.as_deref());
    match in_home {
        Some((rest, home)) => home.join(rest),
        None => by.with_file_name(import),
    }
}

/// Whether a file has the ending of Markdown.
fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    let mut endings = ["md", "markdown"].iter();
    endings.any(|one| ending.eq_ignore_ascii_case(one))
}

/// Names a file that an instruction file imports, and how to import it.
fn leave_out_import(path: &Path, by: &Path, gathered: &mut SourceContents) {
    let file = by.file_name().unwrap_or_default().to_string_lossy();
    let reason = match () {
        () if !path.is_file() => format!("{file} imports it, and there is no such file"),
        () if !is_markdown(path) => format!("{file} imports it, and it is no Markdown file"),
        () => format!(
            "{file} imports it; `mem import {}` takes it in",
            shell_word(&path.to_string_lossy())
        ),
    };
    gathered.leave_out(path.display().to_string(), reason);
}

/// Adds a memory that could be made of a part of a file, or tells that none could.
pub(super) fn push(
    items: &mut Vec<ImportItem>,
    gathered: &mut SourceContents,
    origin: String,
    topic: Option<crate::topic::NewTopic>,
    content_time: Option<jiff::Timestamp>,
) {
    match topic {
        None => gathered.leave_out(origin, "no name could be made of it"),
        Some(topic) => items.push(ImportItem {
            origin,
            content: ItemContent::Topic(topic),
            id: None,
            content_time,
        }),
    }
}

/// A file that is read as text.
pub(super) struct Words {
    pub(super) text: String,
    pub(super) modified: Option<jiff::Timestamp>,
}

/// Reads a text file; one that is no text is left out.
pub(super) fn text_of(
    path: &Path,
    gathered: &mut SourceContents,
) -> Result<Option<Words>, ImportError> {
    let Some(read) = bounded::read(path, TOPIC_BYTES_MAX as u64)? else {
        return Ok(None);
    };
    gathered.budget.spend(read.bytes.len())?;
    match String::from_utf8(read.bytes) {
        Ok(text) => Ok(Some(Words {
            text,
            modified: read.modified,
        })),
        Err(_) => {
            gathered.leave_out(path.display().to_string(), "it is not UTF-8 text");
            Ok(None)
        }
    }
}

/// Whether a path that a repository controls stays inside of it, links followed.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    path.canonicalize()
        .is_ok_and(|real| real.starts_with(folder))
}

/// The error of a tool of which nothing is there.
pub(super) fn nothing(places: &[PathBuf]) -> ImportError {
    let places = places.iter().map(|path| format!("`{}`", path.display()));
    ImportError::Nothing {
        places: places.collect(),
    }
}
