//! Answers about files and folders.

use std::collections::HashMap;

use super::CheckedMemory;
use super::check_context::CheckContext;
use super::content::current_id;
use super::detail_text;
use super::file_change::changed;
use super::resolve::{ResolvedPath, Resolver};
use super::worktree::Worktree;
use crate::checkout::last_segment;
use crate::cite::{Citation, CitationTarget};
use crate::finding::CitationAnswer;
use crate::history::{PathChange, PathTrace, find_path_change, lost_in_merge};
use crate::note::DriftInput;
use crate::report::{CitationStatus, Verdict};

/// Endings of one language: a file goes over from one to another.
const FAMILIES: [&[&str]; 4] = [
    &["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts"],
    &["c", "cc", "cpp", "cxx"],
    &["h", "hh", "hpp", "hxx"],
    &["yml", "yaml"],
];

/// Why a path that git ignores is unknown: it may well lie on some disk.
const IGNORED: &str = "git ignores it now";
/// Parts of a path, at most, by which it may be any file that ends with them.
const TAIL_PARTS_MAX: usize = 2;

/// All cited paths, resolved.
pub(super) struct Paths<'a> {
    resolver: &'a Resolver<'a>,
    found: HashMap<String, ResolvedPath>,
}

impl<'a> Paths<'a> {
    pub(super) fn resolve(resolver: &'a Resolver<'a>, notes: &[&CheckedMemory<'_>]) -> Self {
        let mut found = HashMap::new();
        for citation in notes.iter().flat_map(|one| &one.citations) {
            if let CitationTarget::Path { path, .. } = &citation.target
                && !found.contains_key(path)
            {
                found.insert(path.clone(), resolver.resolve(path));
            }
        }
        Self { resolver, found }
    }

    /// Paths that only the history can explain.
    pub(super) fn missing(&self, worktree: &Worktree<'_>) -> Vec<Vec<u8>> {
        let missing = self
            .found
            .iter()
            .filter(|(_, found)| **found == ResolvedPath::Missing);
        let mut paths: Vec<Vec<u8>> = missing
            .map(|(path, _)| path.as_bytes().to_vec())
            .filter(|path| !worktree.was_committed(path))
            .collect();
        paths.sort_unstable();
        paths
    }

    /// Files whose changes count, each with the oldest second that matters.
    pub(super) fn touched(
        &self,
        notes: &[&CheckedMemory<'_>],
        touched: &mut HashMap<Vec<u8>, i64>,
    ) {
        for CheckedMemory {
            note, citations, ..
        } in notes
        {
            let written = note.written.map(jiff::Timestamp::as_second);
            for citation in citations {
                let CitationTarget::Path { path, .. } = &citation.target else {
                    continue;
                };
                let Some(ResolvedPath::File { at, is_whole }) = self.found.get(path) else {
                    continue;
                };
                let own = self.resolver.path(*at);
                let recorded = super::file_change::recorded(note, own, path);
                if recorded.is_none() && written.is_none() || recorded == self.resolver.id(*at) {
                    continue;
                }
                let since = if recorded.is_some() {
                    0
                } else {
                    written.unwrap_or(0)
                };
                let mut add = |path: &[u8], since: i64| {
                    let oldest = touched.entry(path.to_vec()).or_insert(since);
                    *oldest = since.min(*oldest);
                };
                add(own, since);
                if !is_whole && path.contains('/') {
                    add(path.as_bytes(), written.unwrap_or(0));
                }
            }
        }
    }

    /// The answer for one citation; `None` for a tentative one that means nothing here.
    pub(super) fn answer(
        &self,
        context: &CheckContext<'_>,
        memory: &CheckedMemory<'_>,
        citation: &Citation,
    ) -> Option<CitationAnswer> {
        let CitationTarget::Path {
            path,
            lines,
            is_folder,
        } = &citation.target
        else {
            return None;
        };
        let note = memory.note;
        let answer = match self.found.get(path).unwrap_or(&ResolvedPath::Missing) {
            ResolvedPath::File { at, is_whole } => {
                if let Some(answer) = moved_since(context, note, path, *is_whole) {
                    return Some(answer);
                }
                let answer = changed(context, note, path, *at, *lines);
                let own = context.listing.path_at(*at);
                // It was the whole path when the note was saved: the file went deeper.
                let went_deeper = !is_whole && note.blobs.contains_key(path);
                let answer = match answer.detail {
                    None if !is_whole => CitationAnswer::new(
                        answer.status,
                        format!("as {}", detail_text::printable_path(own)),
                    ),
                    _ => answer,
                };
                match went_deeper {
                    true => answer.with_place(own),
                    false => answer,
                }
            }
            ResolvedPath::Folder => CitationAnswer::from_status(CitationStatus::Present),
            ResolvedPath::Untracked => CitationAnswer::new(CitationStatus::Present, "not tracked"),
            ResolvedPath::Several(count) => CitationAnswer::new(
                CitationStatus::Present,
                format!("one of {count} of that name"),
            ),
            ResolvedPath::Inaccessible => {
                CitationAnswer::new(CitationStatus::Unknown, "inside of a submodule")
            }
            ResolvedPath::Missing => {
                missing(context, memory, citation, (path.as_str(), *is_folder))
            }
        };
        answer.for_citation(citation)
    }
}

impl Resolver<'_> {
    fn path(&self, at: usize) -> &[u8] {
        self.listing().path_at(at)
    }

    fn id(&self, at: usize) -> Option<git2::Oid> {
        current_id(self.checkout(), self.listing(), at)
    }
}

/// A path that fits another file now by its end, but was whole when the note was written.
fn moved_since(
    context: &CheckContext<'_>,
    note: &DriftInput,
    path: &str,
    is_whole: bool,
) -> Option<CitationAnswer> {
    let written = note.written?.as_second();
    let touches = context
        .past
        .touches
        .get(path.as_bytes())
        .filter(|_| !is_whole)?;
    let last = touches
        .first()
        .filter(|touch| touch.new.is_none() && touch.seconds > written)?;
    let seen = PathTrace {
        commit: last.commit,
        file: path.as_bytes().to_vec(),
        length: path.len(),
        is_deletion: true,
    };
    Some(path_change_answer(
        context,
        find_path_change(context.checkout, context.listing, context.past, &seen),
    ))
}

/// What the history says of a path that is not there.
fn missing(
    context: &CheckContext<'_>,
    memory: &CheckedMemory<'_>,
    citation: &Citation,
    (path, is_folder): (&str, bool),
) -> CitationAnswer {
    let path = path.as_bytes();
    if context.worktree.was_committed(path) {
        return match context.worktree.moved_to(path) {
            Some(to) => CitationAnswer::new(
                CitationStatus::Moved,
                format!("to {}, not committed", detail_text::printable_path(&to)),
            ),
            None => CitationAnswer::new(CitationStatus::Gone, "deleted, not committed"),
        };
    }
    let unknown = |why: &str| CitationAnswer::new(CitationStatus::Unknown, why);
    if context.is_ignored(path, is_folder) {
        return unknown(IGNORED);
    }
    let at = context
        .questions
        .paths
        .iter()
        .position(|asked| asked == path);
    let Some(seen) = at.and_then(|at| context.past.paths.get(at)?.as_ref()) else {
        return unseen(context, context.past.is_partial);
    };
    let file = &seen.file[..seen.length];
    // It was taken out of git, and may well lie on some disk; what git had there may be somewhere else by now.
    if context.is_ignored(file, seen.length < seen.file.len()) {
        return unknown(IGNORED);
    }
    let parts = path.split(|&byte| byte == b'/').count();
    let is_recorded =
        std::str::from_utf8(file).is_ok_and(|file| memory.note.blobs.contains_key(file));
    if file != path
        && parts <= TAIL_PARTS_MAX
        && !is_recorded
        && (was_lost_before(context, memory.note, seen) || is_output(context, memory, citation))
    {
        return unknown("it may be another file of that name");
    }
    let mut answer = deleted_path_answer(context, seen);
    let is_bare = !path.contains(&b'/');
    let is_certain = at.is_some_and(|at| is_sole_file_of_root(context, at, seen));
    if is_bare && !is_certain {
        // The note may mean another file or folder of that name.
        answer.moved_to = None;
    }
    if answer.status != CitationStatus::Gone {
        return answer;
    }
    match namesake(context, file, is_bare) {
        Some(other) => {
            let other = detail_text::printable_path(&other);
            unknown(&format!("{other} has its name"))
        }
        // A file of the root has no folder that could be named with it.
        None if is_certain => answer.with_weight(Verdict::Broken),
        None => answer,
    }
}

/// Whether a path was lost before the note was written: then the note means another one that ends like it.
fn was_lost_before(context: &CheckContext<'_>, note: &DriftInput, seen: &PathTrace) -> bool {
    let lost = context.past.commits.get(seen.commit);
    let written = note.written.map(jiff::Timestamp::as_second);
    let is_before = |second: i64| written.is_none_or(|written| second <= written);
    seen.is_deletion && lost.is_some_and(|lost| is_before(lost.seconds))
}

/// Whether the words around a citation place it in a folder that git ignores.
fn is_output(context: &CheckContext<'_>, memory: &CheckedMemory<'_>, citation: &Citation) -> bool {
    memory.citations.iter().any(|other| {
        let CitationTarget::Path {
            path, is_folder, ..
        } = &other.target
        else {
            return false;
        };
        let folder = match *is_folder {
            true => Some(path.as_str()),
            false => path.rsplit_once('/').map(|(folder, _)| folder),
        };
        citation.is_beside(other)
            && folder.is_some_and(|folder| context.is_ignored(folder.as_bytes(), true))
    })
}

/// Whether a name without a folder can mean one file of the root alone, by all of the history.
fn is_sole_file_of_root(context: &CheckContext<'_>, question: usize, seen: &PathTrace) -> bool {
    let past = context.past;
    context.questions.is_name_in_root(question, &seen.file)
        && past.is_partial.is_none()
        && !past.shared_names.contains(&question)
}

/// What became of a path that the history knows.
fn deleted_path_answer(context: &CheckContext<'_>, seen: &PathTrace) -> CitationAnswer {
    if seen.is_deletion {
        let fate = find_path_change(context.checkout, context.listing, context.past, seen);
        return path_change_answer(context, fate);
    }
    let commit = detail_text::describe_commit(context.past, seen.commit);
    match lost_in_merge(context.checkout, context.listing, context.past, seen) {
        Some(to) => CitationAnswer::new(
            CitationStatus::Moved,
            format!("to {} after {commit}", detail_text::printable_path(&to)),
        ),
        None => CitationAnswer::new(CitationStatus::Gone, format!("last seen in {commit}")),
    }
}

/// What has the same name beside a file that went: a folder that it may have been split into, or a source that it may be
/// made of, which may lie elsewhere where the citation is a bare name.
fn namesake(context: &CheckContext<'_>, path: &[u8], is_bare: bool) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(path).ok()?;
    let (stem, ending) = text
        .rsplit_once('.')
        .filter(|(_, ending)| !ending.contains('/'))?;
    if context.listing.folders().contains_folder(stem.as_bytes()) {
        return Some(format!("{stem}/").into_bytes());
    }
    let family = FAMILIES.iter().find(|family| family.contains(&ending))?;
    let mut others = family
        .iter()
        .map(|other| format!("{stem}.{other}").into_bytes());
    others.find_map(|other| {
        let listing = context.listing;
        let is_beside = listing.find_path(&other).is_some();
        match listing.ending_with(last_segment(&other))[..] {
            [at] if !is_beside && is_bare => Some(listing.path_at(at).to_vec()),
            _ => is_beside.then_some(other),
        }
    })
}

fn path_change_answer(context: &CheckContext<'_>, fate: PathChange) -> CitationAnswer {
    match fate {
        PathChange::Moved { to, commit } => {
            let commit = detail_text::describe_commit(context.past, commit);
            let moved = format!("to {} by {commit}", detail_text::printable_path(&to));
            if is_there(context, &to) {
                return CitationAnswer::new(CitationStatus::Moved, moved).with_place(&to);
            }
            // Only `HEAD` has it there: what was committed is not all.
            match context.worktree.moved_to(&to) {
                Some(now) => CitationAnswer::new(
                    CitationStatus::Moved,
                    format!("to {}, not committed", detail_text::printable_path(&now)),
                ),
                None => CitationAnswer::new(
                    CitationStatus::Gone,
                    format!("moved {moved}, then deleted, not committed"),
                ),
            }
        }
        PathChange::Gone { commit } => CitationAnswer::new(
            CitationStatus::Gone,
            format!(
                "deleted by {}",
                detail_text::describe_commit(context.past, commit)
            ),
        ),
    }
}

/// Whether the checkout has what the history knows.
fn is_there(context: &CheckContext<'_>, path: &[u8]) -> bool {
    let Some(at) = context.listing.find_path(path) else {
        return context.listing.folders().contains_folder(path);
    };
    let is_absent = context.listing.entries()[at].is_absent;
    let disk = context.checkout.disk.as_ref().filter(|_| !is_absent);
    disk.is_none_or(|disk| disk.read_state(path).is_some())
}

/// What the history does not know: nobody can tell, unless all of it was seen; else why not.
pub(super) fn unseen(context: &CheckContext<'_>, partial: Option<&str>) -> CitationAnswer {
    if context.checkout.repository.is_none() {
        return CitationAnswer::new(CitationStatus::Unknown, "there is no repository");
    }
    match partial {
        Some(why) => CitationAnswer::new(CitationStatus::Unknown, why),
        None => CitationAnswer::from_status(CitationStatus::Never),
    }
}
