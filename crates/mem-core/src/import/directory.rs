//! A directory of Markdown memories as a source: files with their paths, as they stand.

use std::path::Path;

use super::document::too_large;
use super::{ImportError, ImportItem, ImportRequest, ItemContent, SourceContents};
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::memory::ScopeDir;
use crate::store::{LocalStore, Tiers};
use crate::{MemoryPath, Scope};

/// How many file names a remark lists.
const NAMES_SHOWN_MAX: usize = 5;

/// Reads a directory: what is in `team/` belongs to the team's tier, the rest to the private one,
/// as in every memory directory, unless the request names a tier.
pub(super) fn gather(
    path: &Path,
    request: &ImportRequest<'_>,
) -> Result<SourceContents, ImportError> {
    refuse_own(path, request)?;
    let mut gathered = SourceContents::default();
    let items = read(path, &mut gathered, request)?;
    let (mut team, mut own) = (Vec::new(), Vec::new());
    for mut item in items {
        let ItemContent::File { file, .. } = &mut item.content else {
            continue;
        };
        let inside = file.as_str().strip_prefix(ScopeDir(Scope::Team).prefix());
        match inside.map(MemoryPath::parse) {
            Some(inside) => {
                *file = inside?;
                team.push(item);
            }
            None => own.push(item),
        }
    }
    match request.scope {
        None | Some(Scope::Team) => gathered.push(Scope::Team, true, team),
        Some(_) if !team.is_empty() => {
            let reason = "it is the team's: `--scope team` takes it";
            gathered.leave_out(format!("{}/team", path.display()), reason);
        }
        Some(_) => {}
    }
    gathered.push(request.scope.unwrap_or(Scope::Private), true, own);
    Ok(gathered)
}

/// The Markdown files of a directory; what is passed over is told.
pub(super) fn read(
    path: &Path,
    gathered: &mut SourceContents,
    request: &ImportRequest<'_>,
) -> Result<Vec<ImportItem>, ImportError> {
    let store = LocalStore::new(path, Tiers::Global, request.dirs);
    let snapshot = store.snapshot()?;
    let (mut items, mut others) = (Vec::new(), Vec::new());
    let skipped = snapshot.walk().skipped.iter();
    let mut skipped: Vec<String> = skipped.map(ToString::to_string).collect();
    skipped.sort_unstable();
    gathered.warnings.append(&mut skipped);
    for file in snapshot.walk().files.keys() {
        if !file.as_str().ends_with(".md") {
            others.push(file.as_str());
            continue;
        }
        let read = snapshot.read_at_most(file, HISTORY_FILE_BYTES_MAX);
        let Some(bytes) = read.map_err(|error| too_large(error.into()))? else {
            continue;
        };
        gathered.budget.spend(bytes.len())?;
        items.push(ImportItem {
            origin: snapshot.absolute(file).display().to_string(),
            id: snapshot.catalog().get(file).map(|entry| entry.note),
            content_time: snapshot.content_time(file, &bytes),
            content: ItemContent::File {
                file: file.clone(),
                bytes,
            },
        });
    }
    if !others.is_empty() {
        let shown = others
            .iter()
            .take(NAMES_SHOWN_MAX)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let dots = if others.len() > NAMES_SHOWN_MAX {
            ", ..."
        } else {
            ""
        };
        let reason = format!(
            "{} file(s) that are no Markdown: {shown}{dots}",
            others.len()
        );
        gathered.leave_out(path.display().to_string(), reason);
    }
    Ok(items)
}

/// Refuses a directory that is, or holds, what it would be imported into.
fn refuse_own(path: &Path, request: &ImportRequest<'_>) -> Result<(), ImportError> {
    let real = path.canonicalize().map_err(|source| ImportError::Read {
        path: path.to_owned(),
        source,
    })?;
    let location = &request.place.location;
    let holds_memory = request.memory.stores().into_iter().any(|store| {
        let root = &store.places().root;
        root.starts_with(&real)
    });
    if holds_memory || location.project_root.starts_with(&real) {
        return Err(ImportError::Own(path.to_owned()));
    }
    Ok(())
}
