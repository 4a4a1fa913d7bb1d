//! Memories that cite a file, for whoever is about to read or change it.

use std::cmp::Reverse;
use std::path::Path;

use anyhow::Result;
use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_drift::{CitationTarget, extract_citations};
use mem_recall::RankFilter;

use super::chosen::{RecallAnswer, RecallBasis};
use super::request::RecallRequest;
use super::settings;
use crate::context::Context;
use crate::question;

/// At most so many memories about one file.
pub(crate) const MEMORIES_MAX: usize = 3;

/// How near a citation comes to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// It names the folder in which the file stands.
    Folder,
    /// It names a file of that name, wherever that stands.
    Name,
    /// It names the file.
    File,
}

/// The memories of a project that cite a file of the checkout, then those that cite its folder; of both the newest
/// first. Nothing where the file is not of the checkout, or the session has seen them.
///
/// # Errors
/// A memory directory cannot be listed.
pub(crate) fn memories_citing(
    file: &Path,
    limit: usize,
    session: Option<&str>,
    place: &ProjectContext,
    context: &Context,
) -> Result<RecallAnswer> {
    let Some(file) = checkout_path(file, place, context) else {
        return Ok(RecallAnswer::default());
    };
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let labels = citing_labels(&file, &memory, place)?;
    if labels.is_empty() {
        return Ok(RecallAnswer::default());
    }
    let request = RecallRequest {
        prompt: String::new(),
        limit,
        min_score: 0.0,
        filter: RankFilter::default(),
        exclude: Vec::new(),
        chosen: Some(labels),
        tools: Vec::new(),
        session: session.map(str::to_owned),
        weights: settings::rank_weights(&place.config),
    };
    let mut answer = question::looked_up(&request, place, context)?;
    for recalled in &mut answer.memories {
        recalled.basis = RecallBasis::Citation;
    }
    Ok(answer)
}

/// A file below the top of the checkout, with `/` between its parts.
fn checkout_path(file: &Path, place: &ProjectContext, context: &Context) -> Option<String> {
    let file = context.cwd.join(file);
    // A file that is yet to be written stands in a folder that is there, or will be.
    let found = file.canonicalize().ok().or_else(|| {
        let folder = file.parent()?.canonicalize().ok()?;
        Some(folder.join(file.file_name()?))
    });
    let file = found.unwrap_or(file);
    let top = place.project.workdir.canonicalize().ok()?;
    let parts = file.strip_prefix(top).ok()?.components();
    let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// The labels of the memories that cite a file, the nearest first. Global notes speak of no repository.
fn citing_labels(
    file: &str,
    memory: &ProjectMemory,
    place: &ProjectContext,
) -> Result<Vec<String>> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let folder_name = folder.rsplit('/').next().filter(|name| !name.is_empty());
    let notes = memory.list(&[Scope::Private, Scope::Team])?.notes;
    let mut found = Vec::new();
    for note in &notes {
        let text = String::from_utf8_lossy(&note.bytes);
        // Taking a note apart takes longer than looking whether it can name the file at all.
        let may_cite = text.contains(name) || folder_name.is_some_and(|name| text.contains(name));
        if !may_cite {
            continue;
        }
        let citations = extract_citations(&text, &[]);
        let nearness = citations
            .iter()
            .filter_map(|citation| match &citation.target {
                CitationTarget::Path { path, .. } => nearness(path, file, folder),
                _ => None,
            });
        if let Some(nearness) = nearness.max() {
            found.push((nearness, note));
        }
    }
    if found
        .iter()
        .any(|(nearness, _)| *nearness == Nearness::Name)
        && !is_only(name, place)
    {
        found.retain(|(nearness, _)| *nearness != Nearness::Name);
    }
    found.sort_by_key(|(nearness, note)| Reverse((*nearness, note.modified)));
    Ok(found.iter().map(|(_, note)| note.label()).collect())
}

/// How near a cited path comes to a file in a folder; nothing where it is another one.
fn nearness(cited: &str, file: &str, folder: &str) -> Option<Nearness> {
    let ends_with = |whole: &str| {
        let above = whole.strip_suffix(cited);
        above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
    };
    // A path may begin at a folder further down; a word without a slash is the name of many files.
    let is_partial = cited.contains('/');
    match () {
        () if cited == file || (is_partial && ends_with(file)) => Some(Nearness::File),
        () if !is_partial && ends_with(file) => Some(Nearness::Name),
        () if folder.is_empty() => None,
        () if cited == folder || (is_partial && ends_with(folder)) => Some(Nearness::Folder),
        () => None,
    }
}

/// Whether at most one file of that name is tracked.
fn is_only(name: &str, place: &ProjectContext) -> bool {
    let Some(git_dir) = &place.project.git_dir else {
        return true;
    };
    let path = git_dir.join("index");
    // A pipe in its place would be waited for.
    let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let Some(index) = is_file.then(|| git2::Index::open(&path).ok()).flatten() else {
        return true;
    };
    let of_name = |path: &[u8]| path.rsplit(|byte| *byte == b'/').next() == Some(name.as_bytes());
    index
        .iter()
        .filter(|entry| of_name(&entry.path))
        .take(2)
        .count()
        <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_is_near_to_its_file_and_its_folder() {
        let (file, folder) = ("crates/web/src/auth/login.rs", "crates/web/src/auth");
        for (cited, want) in [
            ("crates/web/src/auth/login.rs", Some(Nearness::File)),
            ("src/auth/login.rs", Some(Nearness::File)),
            ("login.rs", Some(Nearness::Name)),
            ("crates/web/src/auth", Some(Nearness::Folder)),
            ("src/auth", Some(Nearness::Folder)),
            ("auth", None),
            ("crates/web", None),
            ("in.rs", None),
            ("auth/logout.rs", None),
        ] {
            assert_eq!(nearness(cited, file, folder), want, "{cited}");
        }
        assert_eq!(nearness("Makefile", "Makefile", ""), Some(Nearness::File));
        assert_eq!(nearness("", "Makefile", ""), None);
    }
}
