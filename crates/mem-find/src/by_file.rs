//! Memories that cite a file or a symbol of a part of it, or name it with `when`, for whoever is about to read or change
//! it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use globset::GlobBuilder;
use mem_core::location::ProjectContext;
use mem_core::topic::TopicFile;
use mem_core::{Diagnose, Scope};
use mem_drift::{Citation, CitationTarget};
use mem_recall::{RankFilter, RecallIndex};
use mem_secrets::Scanner;

use crate::documents::{self, SourceDocument};
use crate::region::FileRegion;
use crate::request::{RecallChoice, RecallRequest};
use crate::settings;
use crate::stamp::{self, DocumentStamp};

/// At most so many memories about one file.
pub const MEMORIES_MAX: usize = 3;

/// How near a citation comes to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// It names the folder in which the file stands.
    Folder,
    /// It names a symbol that stands in the part of the file. That is less than the file, because any file may use the
    /// symbol, and more than the folder, which has other files.
    Symbol,
    /// It names a file of that name, wherever that stands.
    Name,
    /// It names the file.
    File,
    /// Its `when` speaks of the file: a person wants it there.
    When,
}

/// Stands before a pattern among the cited paths of a document: no path begins so.
const PATTERN_MARK: char = '\u{1}';
/// Stands before a symbol among them: its words, with a space between them.
const SYMBOL_MARK: char = '\u{2}';

/// A file that no memory of this project can cite.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "name a file of this checkout")]
#[error("`{file}` is not in `{top}`")]
pub struct OutsideCheckout {
    file: String,
    top: String,
}

/// The question for the memories of a project that cite a file of the checkout, then for those that cite a symbol of the
/// region, then for those that cite the folder; of each the newest first.
///
/// # Errors
/// The file is not of the checkout.
pub fn citing_request(
    (file, region): (&Path, &FileRegion),
    limit: usize,
    session: Option<&str>,
    place: &ProjectContext,
    cwd: &Path,
) -> Result<RecallRequest, OutsideCheckout> {
    let path = checkout_path(file, place, cwd).ok_or_else(|| OutsideCheckout {
        file: file.display().to_string(),
        top: place.project.workdir.display().to_string(),
    })?;
    Ok(RecallRequest {
        prompt: String::new(),
        limit,
        min_score: 0.0,
        filter: RankFilter::default(),
        exclude: Vec::new(),
        choice: Some(RecallChoice::CitedFile {
            words: region.words(&place.project.workdir.join(&path)),
            path,
        }),
        tools: Vec::new(),
        session: session.map(str::to_owned),
        weights: settings::rank_weights(&place.config),
    })
}

/// A file below the top of the checkout, with `/` between its parts.
fn checkout_path(file: &Path, place: &ProjectContext, cwd: &Path) -> Option<String> {
    let file = cwd.join(file);
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

/// The paths among the citations of a note.
pub(super) fn cited_paths(citations: &[Citation]) -> impl Iterator<Item = &str> {
    citations
        .iter()
        .filter_map(|citation| match &citation.target {
            CitationTarget::Path { path, .. } => Some(path.as_str()),
            _ => None,
        })
}

/// The symbols among the citations of a note, as they stand among its cited paths; without those that may be no
/// citations, which only the repository could tell.
pub(super) fn cited_symbols(citations: &[Citation]) -> Vec<String> {
    let firm = citations.iter().filter(|citation| !citation.is_tentative);
    let alternatives = firm.filter_map(|citation| match &citation.target {
        CitationTarget::Symbol { alternatives } => Some(alternatives),
        _ => None,
    });
    let marked = |words: &Vec<String>| format!("{SYMBOL_MARK}{}", words.join(" "));
    alternatives.flatten().map(marked).collect()
}

/// The patterns of a note's `when`, without secrets, as they stand among its cited paths.
pub(super) fn when_patterns(source: &SourceDocument<'_>, scanner: &Scanner) -> Vec<String> {
    if TopicFile::parse(source.bytes).when.is_empty() {
        return Vec::new();
    }
    let bytes = documents::without_secrets(source.bytes, source.path, scanner);
    let patterns = TopicFile::parse(&bytes).when.into_iter();
    patterns
        .map(|pattern| format!("{PATTERN_MARK}{pattern}"))
        .collect()
}

/// Whether a pattern of a `when` speaks of a file: one with a slash is matched from the top of the checkout, one without
/// against the name of the file, and a plain word against each part of the path, with the ending of the file or without.
fn is_of_pattern(pattern: &str, file: &str) -> bool {
    let is_glob = pattern.contains(['*', '?', '[', '{']);
    let name = file.rsplit('/').next().unwrap_or(file);
    if !is_glob && !pattern.contains('/') {
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let is_word = |part: &str| part.eq_ignore_ascii_case(pattern);
        return file.split('/').any(is_word) || is_word(stem);
    }
    let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
    let (whole, text) = match pattern.strip_suffix('/') {
        Some(folder) => (format!("{folder}/**"), file),
        None if pattern.contains('/') => (pattern.to_owned(), file),
        None => (pattern.to_owned(), name),
    };
    let glob = GlobBuilder::new(&whole).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(text))
}

/// The keys of the documents that speak of a file, or of a part of it with these identifiers, the nearest first. Global
/// notes cite no repository, but their `when` holds in every one.
pub(super) fn citing_keys(
    file: &str,
    words: &[String],
    index: &RecallIndex,
    git_dir: Option<&Path>,
) -> Vec<String> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let words: HashSet<&str> = words.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for (key, stamp) in index.document_stamps() {
        let mut near: Vec<Nearness> = stamp::cited_paths(stamp)
            .filter_map(|cited| nearness(cited, file, folder, &words))
            .collect();
        near.sort_unstable_by_key(|one| Reverse(*one));
        let Some(&nearness) = near.first() else {
            continue;
        };
        let is_global = documents::of_key(key).is_none_or(|(scope, _)| scope == Scope::Global);
        if !is_global || nearness == Nearness::When {
            let changed_ns = DocumentStamp::from_bytes(stamp).map(|stamp| stamp.mtime_ns());
            // Of two that cite the file, the one that speaks of this part of it is nearer.
            found.push((nearness, near.contains(&Nearness::Symbol), changed_ns, key));
        }
    }
    let is_named = found.iter().any(|one| one.0 == Nearness::Name);
    if is_named && !is_only(name, git_dir) {
        found.retain(|one| one.0 != Nearness::Name);
    }
    found.sort_unstable_by_key(|one| Reverse(*one));
    found.iter().map(|(.., key)| (*key).to_owned()).collect()
}

/// How near a cited path or symbol comes to a file in a folder, and to the identifiers of a part of it; nothing where it
/// is another one.
fn nearness(cited: &str, file: &str, folder: &str, words: &HashSet<&str>) -> Option<Nearness> {
    if let Some(symbol) = cited.strip_prefix(SYMBOL_MARK) {
        let stands = symbol.split(' ').all(|word| words.contains(word));
        return stands.then_some(Nearness::Symbol);
    }
    if let Some(pattern) = cited.strip_prefix(PATTERN_MARK) {
        return is_of_pattern(pattern, file).then_some(Nearness::When);
    }
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
fn is_only(name: &str, git_dir: Option<&Path>) -> bool {
    let Some(git_dir) = git_dir else {
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
        let words = HashSet::from(["Pool", "acquire"]);
        let near = |cited: &str, file: &str, folder: &str| nearness(cited, file, folder, &words);
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
            ("\u{2}acquire", Some(Nearness::Symbol)),
            ("\u{2}Pool acquire", Some(Nearness::Symbol)),
            ("\u{2}Pool release", None),
        ] {
            assert_eq!(near(cited, file, folder), want, "{cited}");
        }
        assert_eq!(near("Makefile", "Makefile", ""), Some(Nearness::File));
        assert_eq!(near("", "Makefile", ""), None);
    }

    #[test]
    fn a_pattern_is_a_glob_or_a_part_of_the_path() {
        let file = "db/migrations/0001_init.up.sql";
        for pattern in [
            "*.sql",
            "db/**",
            "/db/migrations/",
            "./db/migrations/*.sql",
            "**/*.{sql,ddl}",
            "migrations",
            "Migrations",
            "0001_init",
            "0001_init.up.sql",
        ] {
            assert!(is_of_pattern(pattern, file), "{pattern}");
        }
        for pattern in [
            "*.rs",
            "db/*.sql",
            "migration",
            "sql",
            "[",
            "init",
            "migrations/",
        ] {
            assert!(!is_of_pattern(pattern, file), "{pattern}");
        }
    }
}
