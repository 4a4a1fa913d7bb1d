//! Codex as a source: `memories/*.md` and the global `AGENTS.md` of its home.
//!
//! The home is `$CODEX_HOME`, else `~/.codex`. Codex keeps `MEMORY.md` (a handbook over all
//! repositories, a block a group of tasks, with the working directories they are about),
//! `memory_summary.md` (the user, and what is in the handbook) and `raw_memories.md` (what both
//! are made of). All are generated, and their format is not promised.

use std::path::{Path, PathBuf};

use super::claude_md::{self, Words, nothing, push, text_of};
use super::sections::{ImportSection, sections};
use super::{ImportError, ImportItem, ImportRequest, SourceContents, classification};
use crate::limits::FILES_MAX;
use crate::{MemoryType, Scope};

/// What the two others are made of.
const RAW: &str = "raw_memories.md";
/// How a block names the directory that it is about.
const DIRECTORY_MARK: &str = "cwd=";

/// Reads the memories, then the instructions.
pub(super) fn gather(request: &ImportRequest<'_>) -> Result<SourceContents, ImportError> {
    let mut gathered = SourceContents::default();
    let home = request.environment.get("CODEX_HOME").map(PathBuf::from);
    let Some(home) = home.or_else(|| Some(request.dirs.home.as_ref()?.join(".codex"))) else {
        return Err(nothing(&[]));
    };
    let memories = home.join("memories");
    for path in markdown_files(&memories)? {
        if path.file_name().is_some_and(|name| name == RAW) {
            gathered.leave_out(path.display().to_string(), "MEMORY.md is made of it");
        } else if let Some(words) = text_of(&path, &mut gathered)? {
            file(&path, &words, request, &mut gathered);
        }
    }
    let instructions = home.join("AGENTS.md");
    claude_md::read(&instructions, Scope::Global, request, &mut gathered)?;
    if gathered.batches.is_empty() && gathered.left_out.is_empty() {
        return Err(nothing(&[memories, instructions]));
    }
    Ok(gathered)
}

/// The blocks of one file: those about this repository go to it, those about none to the user's
/// own tier, those about others stay out.
fn file(path: &Path, words: &Words, request: &ImportRequest<'_>, gathered: &mut SourceContents) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let whole = ImportSection {
        title: None,
        text: words.text.trim(),
    };
    let blocks = match sections(&words.text, 1) {
        blocks if blocks.len() > 1 => blocks,
        _ => vec![whole],
    };
    let is_summary = stem == "memory_summary";
    for ImportSection { title, text } in blocks {
        let name = title.map_or_else(
            || format!("Codex {}", stem.replace('_', " ")),
            str::to_owned,
        );
        let origin = format!("{}#{name}", path.display());
        let both = format!("{name}\n{text}");
        let home = match about(&both, request) {
            _ if is_summary => Scope::Global,
            BlockSubject::Here => Scope::Private,
            BlockSubject::Nowhere => Scope::Global,
            BlockSubject::Elsewhere if request.scope.is_some() => Scope::Global,
            BlockSubject::Elsewhere => {
                let reason = "it is about other repositories: `--scope global` takes it";
                gathered.leave_out(origin, reason);
                continue;
            }
        };
        let kind = match (is_summary, home) {
            (true, _) => MemoryType::User,
            (false, Scope::Private) => MemoryType::Project,
            (false, _) => MemoryType::Feedback,
        };
        let mut items: Vec<ImportItem> = Vec::new();
        push(
            &mut items,
            gathered,
            origin,
            classification::topic(kind, &name, text),
            words.modified,
        );
        gathered.push(request.scope.unwrap_or(home), true, items);
    }
}

/// Which repository a block is about.
enum BlockSubject {
    Here,
    Elsewhere,
    Nowhere,
}

fn about(text: &str, request: &ImportRequest<'_>) -> BlockSubject {
    let project = &request.place.project;
    let roots = [&project.root, &project.workdir];
    let mut named = text.split(DIRECTORY_MARK).skip(1).peekable();
    if named.peek().is_none() {
        return BlockSubject::Nowhere;
    }
    let is_here = |rest: &str| {
        let end = rest
            .find([',', ';', ')', '`', '"', '\n'])
            .unwrap_or(rest.len());
        let path = Path::new(rest[..end].trim());
        roots.iter().any(|root| path.starts_with(root))
    };
    match named.any(is_here) {
        true => BlockSubject::Here,
        false => BlockSubject::Elsewhere,
    }
}

/// The Markdown files of a folder, in the order of their names; none where it is not there.
fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let fail = |source| ImportError::Read {
        path: folder.to_owned(),
        source,
    };
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if super::bounded::is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(fail(error)),
    };
    let mut files = Vec::new();
    for entry in entries.take(FILES_MAX) {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|ending| ending == "md") && path.is_file() {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}
