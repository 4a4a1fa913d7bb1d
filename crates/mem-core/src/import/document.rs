//! An export as a source: every byte, id and time as it was.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::bounded;
use super::{ImportError, ImportItem, ImportRequest, ItemContent, SourceContents};
use crate::export::{ExportManifest, MANIFEST_FILE, ManifestFile};
use crate::history::{NoteId, Sha256};
use crate::limits::{HISTORY_FILE_BYTES_MAX, IMPORT_BYTES_MAX};
use crate::memory::ScopeDir;
use crate::store::{LocalStore, StoreError, Tiers};
use crate::{MemoryPath, Scope};

/// Reads a JSON document; `origin` is what messages call it.
pub(super) fn gather(
    bytes: &[u8],
    origin: &str,
    request: &ImportRequest<'_>,
) -> Result<SourceContents, ImportError> {
    let altered = |file: &MemoryPath, fault| ImportError::Altered {
        origin: origin.to_owned(),
        file: file.to_string(),
        fault,
    };
    restore(bytes, origin, request, |entry, _, file| {
        match (entry.text.take(), entry.base64.take()) {
            (Some(text), None) => Ok(text.into_bytes()),
            (None, Some(text)) => {
                let bytes = STANDARD.decode(text);
                bytes.map_err(|_| altered(file, "is no base64"))
            }
            _ => Err(altered(file, "has no content, or two")),
        }
    })
}

/// Reads the directory of an export; `None` where it has no manifest.
pub(super) fn gather_directory(
    path: &Path,
    request: &ImportRequest<'_>,
) -> Result<Option<SourceContents>, ImportError> {
    let Some(manifest) = bounded::read(&path.join(MANIFEST_FILE), IMPORT_BYTES_MAX)? else {
        return Ok(None);
    };
    let origin = path.display().to_string();
    let altered = |file: &MemoryPath, fault| ImportError::Altered {
        origin: origin.clone(),
        file: file.to_string(),
        fault,
    };
    let store = |scope: Scope| {
        let folder = path.join(scope.as_str());
        let is_real = folder.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        (
            scope,
            is_real.then(|| LocalStore::new(&folder, Tiers::Global, request.dirs)),
        )
    };
    let stores = Scope::ALL.map(store);
    let mut snapshots = Vec::new();
    for (scope, store) in &stores {
        if let Some(store) = store {
            snapshots.push((*scope, store.snapshot()?));
        }
    }
    let gathered = restore(&manifest.bytes, &origin, request, |_, scope, file| {
        let snapshot = snapshots.iter().find(|(of, _)| *of == scope);
        let read = match snapshot {
            Some((_, snapshot)) => snapshot.read_at_most(file, HISTORY_FILE_BYTES_MAX)?,
            None => None,
        };
        read.ok_or_else(|| altered(file, "is missing"))
    })?;
    Ok(Some(gathered))
}

/// Checks every entry of a manifest against its content, and keeps those of the wanted tier.
fn restore(
    bytes: &[u8],
    origin: &str,
    request: &ImportRequest<'_>,
    mut content: impl FnMut(&mut ManifestFile, Scope, &MemoryPath) -> Result<Vec<u8>, ImportError>,
) -> Result<SourceContents, ImportError> {
    let damaged = |reason: String| ImportError::Damaged {
        origin: origin.to_owned(),
        reason,
    };
    let manifest = ExportManifest::parse(bytes).map_err(|reason| damaged(reason.to_string()))?;
    let mut gathered = SourceContents::default();
    let mut seen = BTreeSet::new();
    let mut items: Vec<(Scope, ImportItem)> = Vec::new();
    for mut entry in manifest.files {
        let (scope, file) = place_of(&entry).map_err(damaged)?;
        if !seen.insert((scope, file.clone())) {
            return Err(damaged(format!("it lists `{file}` twice")));
        }
        if request.scope.is_some_and(|wanted| wanted != scope) {
            continue;
        }
        let bytes = content(&mut entry, scope, &file).map_err(too_large)?;
        gathered.budget.spend(bytes.len())?;
        check(&entry, &bytes).map_err(|fault| ImportError::Altered {
            origin: origin.to_owned(),
            file: file.to_string(),
            fault,
        })?;
        items.push((
            scope,
            ImportItem {
                origin: format!("{scope}/{file}"),
                content: ItemContent::File { file, bytes },
                id: entry.id.as_deref().and_then(NoteId::parse),
                content_time: entry.content_time,
            },
        ));
    }
    for scope in Scope::ALL {
        let (of_scope, rest) = items.into_iter().partition(|(of, _)| *of == scope);
        items = rest;
        let of_scope: Vec<(Scope, ImportItem)> = of_scope;
        gathered.push(
            scope,
            false,
            of_scope.into_iter().map(|(_, item)| item).collect(),
        );
    }
    Ok(gathered)
}

/// The tier and the path that an entry names; a path of one tier may not stand for another's.
fn place_of(entry: &ManifestFile) -> Result<(Scope, MemoryPath), String> {
    let scope: Scope = entry
        .scope
        .parse()
        .map_err(|_| "it names an unknown tier".to_owned())?;
    let file = MemoryPath::parse(&entry.file).map_err(|error| error.to_string())?;
    let is_own = file.as_str().split('/').all(|part| !part.starts_with('.'))
        && ScopeDir(scope).path(file.as_str()).is_ok()
        && (scope == Scope::Team || ScopeDir(scope).file(&file).is_some());
    match is_own {
        true => Ok((scope, file)),
        false => Err(format!("`{file}` is no file of the {scope} tier")),
    }
}

fn check(entry: &ManifestFile, bytes: &[u8]) -> Result<(), &'static str> {
    if Sha256::digest(bytes) != entry.sha256 {
        return Err("has other bytes than the manifest says");
    }
    match bytes.len() as u64 > HISTORY_FILE_BYTES_MAX {
        true => Err("is larger than the history keeps"),
        false => Ok(()),
    }
}

/// Says of a file that is read what the store says of one that is written.
pub(super) fn too_large(error: ImportError) -> ImportError {
    match error {
        ImportError::Store(StoreError::TooLarge {
            path, limit_bytes, ..
        }) => ImportError::TooLarge {
            origin: path.to_string(),
            limit_bytes,
        },
        other => other,
    }
}
