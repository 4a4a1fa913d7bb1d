//! What the paths of a command line name: files, and trees walked by several threads.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};
use mem_core::git_ignore::GitIgnore;
use mem_core::limits::IGNORE_FILE_BYTES_MAX;
use mem_core::regular_file;

use super::counters::Counters;
use super::files::{self, reason, unreadable_kind};
use super::rules::Ruleset;
use super::scan_origin::{ContentKind, ScanOrigin};
use super::scan_totals::ScanTotals;
use super::tracked::Tracked;

/// What a scan of a tree leaves out.
#[derive(Clone, Debug)]
pub enum SkippedFiles {
    /// Nothing.
    None,
    /// What git ignores and does not track.
    Ignored {
        /// The file with the person's own ignore rules, for all repositories.
        own: Option<PathBuf>,
    },
}

/// Scans a path and all that is below it.
pub fn scan(
    path: &Path,
    kind: ContentKind,
    skips: &SkippedFiles,
    ruleset: &Ruleset,
    counters: &Counters,
    totals: &mut ScanTotals,
) {
    let shown = shown(path);
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) => {
            totals.problem(format!("cannot scan `{shown}`: {}", reason(&error)));
            return;
        }
    };
    let place = ScanOrigin {
        kind,
        ..ScanOrigin::file(&shown, &ruleset.relative_path(path))
    };
    if metadata.is_dir() {
        walk(path, &place, skips, ruleset, counters, totals);
    } else if let Some(kind) = unreadable_kind(&metadata) {
        totals.problem(format!("cannot scan `{shown}`: {kind}"));
    } else {
        counters.add(files::scan(path, &place, ruleset, &mut Vec::new(), totals));
    }
}

/// The tally of one thread, which adds itself to the whole when the thread is done.
struct ThreadTally<'a> {
    totals: ScanTotals,
    buffer: Vec<u8>,
    whole: &'a Mutex<ScanTotals>,
}

impl Drop for ThreadTally<'_> {
    fn drop(&mut self) {
        let share = std::mem::take(&mut self.totals);
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.merge(share);
    }
}

fn walk(
    top: &Path,
    top_place: &ScanOrigin,
    skips: &SkippedFiles,
    ruleset: &Ruleset,
    counters: &Counters,
    totals: &mut ScanTotals,
) {
    let rules = match skips {
        SkippedFiles::None => None,
        SkippedFiles::Ignored { own } => Some(Arc::new(rules_at(top, own.as_deref()))),
    };
    let tracked = rules.as_ref().map(|_| Tracked::below(top));
    let whole = Mutex::new(ScanTotals::default());
    walker(top, rules.clone()).run(|| {
        let mut share = ThreadTally {
            totals: ScanTotals::default(),
            buffer: Vec::new(),
            whole: &whole,
        };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => visit(&entry, top, top_place, ruleset, counters, &mut share),
                Err(error) => share.totals.problem(format!("cannot walk on: {error}")),
            }
            WalkState::Continue
        })
    });
    totals.merge(whole.into_inner().unwrap_or_else(PoisonError::into_inner));
    for below in tracked.map(Tracked::files).unwrap_or_default() {
        // The walk had the others.
        if rules
            .as_ref()
            .is_none_or(|rules| !rules.is_ignored(&below, false))
        {
            continue;
        }
        let path = top.join(&below);
        // One that was deleted is no part of the tree any more.
        if path.is_file() && !path.is_symlink() {
            let place = place_below(top_place, &slashed(&below));
            counters.add(files::scan(&path, &place, ruleset, &mut Vec::new(), totals));
        }
    }
}

/// The place of a file below the top of a tree.
fn place_below(top: &ScanOrigin, below: &str) -> ScanOrigin {
    let join = |top: &str| match top {
        "" | "." => below.to_owned(),
        top => format!("{}/{below}", top.trim_end_matches('/')),
    };
    let kind = top.kind;
    ScanOrigin {
        kind,
        ..ScanOrigin::file(&join(&top.shown), &join(&top.path))
    }
}

/// The ignore rules at a folder, with the person's own.
fn rules_at(top: &Path, own: Option<&Path>) -> GitIgnore {
    let own = own.and_then(|path| regular_file::read(path, IGNORE_FILE_BYTES_MAX).ok());
    let real = top.canonicalize().unwrap_or_else(|_| top.to_owned());
    GitIgnore::new(&real, &own.unwrap_or_default())
}

fn walker(top: &Path, rules: Option<Arc<GitIgnore>>) -> ignore::WalkParallel {
    let mut builder = WalkBuilder::new(top);
    let start = top.to_owned();
    builder
        // The crate opens ignore files whatever they are.
        .standard_filters(false)
        .threads(super::threads())
        // The objects of a repository are compressed; `--history` reads them.
        .filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let below = entry.path().strip_prefix(&start).unwrap_or(entry.path());
            let is_ignored = |rules: &Arc<GitIgnore>| rules.is_ignored(below, is_folder);
            entry.file_name() != ".git" && !rules.as_ref().is_some_and(is_ignored)
        });
    builder.build_parallel()
}

fn visit(
    entry: &DirEntry,
    top: &Path,
    top_place: &ScanOrigin,
    ruleset: &Ruleset,
    counters: &Counters,
    share: &mut ThreadTally<'_>,
) {
    let Some(kind) = entry.file_type() else {
        return;
    };
    if kind.is_dir() {
        return;
    }
    let path = entry.path();
    let below = slashed(path.strip_prefix(top).unwrap_or(path));
    let place = place_below(top_place, &below);
    if kind.is_symlink() {
        // What it points at is either scanned itself or no part of this tree; git records its text.
        if let Ok(target) = path.read_link() {
            ruleset.scan_bytes(
                target.as_os_str().as_encoded_bytes(),
                &place,
                &mut share.totals,
            );
        }
        if let Err(error) = path.metadata()
            && error.kind() != std::io::ErrorKind::NotFound
        {
            share.totals.problem(format!(
                "cannot follow `{}`: {}",
                place.shown,
                reason(&error)
            ));
        }
    } else if kind.is_file() {
        let ThreadTally { totals, buffer, .. } = share;
        counters.add(files::scan(path, &place, ruleset, buffer, totals));
    } else if let Ok(metadata) = path.symlink_metadata() {
        let kind = unreadable_kind(&metadata).unwrap_or("it has changed meanwhile");
        share
            .totals
            .problem(format!("cannot scan `{}`: {kind}", place.shown));
    }
}

/// A path as it was given, without `./` in front.
fn shown(path: &Path) -> String {
    let text = slashed(path);
    match text.as_str() {
        "." | "./" => ".".to_owned(),
        text => text.strip_prefix("./").unwrap_or(text).to_owned(),
    }
}

/// A path with `/` between its parts; what is no Unicode is replaced.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.into_owned()
    }
}

/// The path of `path` from `root`, both resolved; `path` itself where it is elsewhere.
pub(crate) fn relative(path: &Path, root: &Path) -> String {
    let name = path.file_name();
    let resolved = match (name, path.parent()) {
        // A link is known by its own name, not by its target's.
        (Some(name), Some(parent)) => {
            let parent = if parent.as_os_str().is_empty() {
                Path::new(".")
            } else {
                parent
            };
            parent.canonicalize().map(|parent| parent.join(name))
        }
        _ => path.canonicalize(),
    };
    let resolved = resolved.unwrap_or_else(|_| path.to_owned());
    match resolved.strip_prefix(root) {
        Ok(below) => slashed(below),
        Err(_) => slashed(&plain(path)),
    }
}

/// A path without its root and without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect()
}
