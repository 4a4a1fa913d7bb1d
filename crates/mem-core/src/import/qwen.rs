//! Qwen Code as a source: its memory directories have the layout of ours, and the same types.
//!
//! Private: `~/.qwen/projects/<project>/memory`, `<project>` made as Claude Code makes it, of the
//! checkout and not of the repository. Its own notes across repositories: `~/.qwen/memories`. The
//! team's: `.qwen/team-memory` in the repository. `pinned/` in one of them holds what is always
//! kept. `QWEN_RUNTIME_DIR` moves the first two; facts of older versions stand in
//! `~/.qwen/QWEN.md`.

use std::path::{Path, PathBuf};

use super::claude_md::{is_inside, nothing};
use super::{
    ImportError, ImportItem, ImportRequest, ItemContent, SourceContents, directory, gemini,
};
use crate::frontmatter::{self, FieldEdit};
use crate::topic::TopicFile;
use crate::{Scope, slug};

/// Reads the tiers that the request wants; the team's only when it is asked for.
pub(super) fn gather(request: &ImportRequest<'_>) -> Result<SourceContents, ImportError> {
    let mut gathered = SourceContents::default();
    let Some(home) = request.dirs.home.as_ref().map(|home| home.join(".qwen")) else {
        return Err(nothing(&[]));
    };
    let runtime = request
        .environment
        .get("QWEN_RUNTIME_DIR")
        .map(PathBuf::from);
    let base = runtime.unwrap_or_else(|| home.clone());
    let project = &request.place.project;
    let mut places = vec![(Scope::Global, base.join("memories"))];
    for root in [&project.workdir, &project.root] {
        let path = base.join("projects").join(slug::slug(root)).join("memory");
        if places.iter().all(|(_, known)| *known != path) {
            places.insert(0, (Scope::Private, path));
        }
    }
    for (scope, path) in &places {
        if path.is_dir() && request.scope.is_none_or(|wanted| wanted == *scope) {
            let items = directory::read(path, &mut gathered, request)?;
            gathered.push(*scope, true, items.into_iter().map(pinned).collect());
        }
    }
    if request.scope.is_none_or(|wanted| wanted == Scope::Global) {
        let older = home.join("QWEN.md");
        gemini::facts(&older, "Qwen Added Memories", request, &mut gathered)?;
    }
    let team = project.workdir.join(".qwen/team-memory");
    read_team(&team, request, &mut gathered)?;
    if gathered.batches.is_empty() && gathered.left_out.is_empty() {
        let mut looked: Vec<PathBuf> = places.into_iter().map(|(_, path)| path).collect();
        looked.push(team);
        return Err(nothing(&looked));
    }
    Ok(gathered)
}

fn read_team(
    path: &Path,
    request: &ImportRequest<'_>,
    gathered: &mut SourceContents,
) -> Result<(), ImportError> {
    if !path.is_dir() {
        return Ok(());
    }
    let origin = path.display().to_string();
    if !is_inside(path, &request.place.project.workdir) {
        gathered.leave_out(origin, "it leads out of the repository");
    } else if request.scope == Some(Scope::Team) {
        let items = directory::read(path, gathered, request)?;
        gathered.push(Scope::Team, true, items.into_iter().map(pinned).collect());
    } else {
        gathered.leave_out(origin, "it is the team's: `--scope team` takes it");
    }
    Ok(())
}

/// What stands in `pinned/` says so itself from now on; a file that cannot say it stays as it is.
fn pinned(mut item: ImportItem) -> ImportItem {
    if let ItemContent::File { file, bytes } = &mut item.content
        && file.as_str().to_ascii_lowercase().starts_with("pinned/")
        && !TopicFile::parse(bytes).pinned
        && let Ok(edited) = frontmatter::edit(bytes, &[FieldEdit::Pinned(true)])
    {
        *bytes = edited;
    }
    item
}
