//! From a question to its answer.

use mem_core::memory::{Memory, Note, Tier};
use mem_core::store::StoreError;
use mem_core::{Dirs, Now, Scope};
use mem_recall::{Beside, Filtered, Hit, Index, Options, Query, rank};

use super::chosen::{Answer, Left, Recalled};
use super::documents;
use super::drift;
use super::kept::{Kept, Storing, kept};
use super::request::Request;

/// So many hits are looked at, of which some are left out.
const HITS_MAX: usize = 64;
/// So many of those that were not sure enough are told.
const BELOW_MAX: usize = 5;

/// Who asks, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// Where caches and state are.
    pub dirs: &'a Dirs,
    /// The present.
    pub now: Now,
    /// Whether what was learnt on the way is stored.
    pub storing: Storing,
}

/// Answers. Only notes that changed since the last time are read, and those that are chosen.
///
/// # Errors
/// A memory directory cannot be listed.
pub(crate) fn answer(request: &Request, asked: &Asked<'_>) -> Result<Answer, StoreError> {
    // The prompt is encoded while the files are looked at.
    let (query, kept) = std::thread::scope(|scope| {
        let query = scope.spawn(|| Query::new(&request.prompt).encoded());
        let kept = kept(asked.memory, asked.dirs, asked.storing);
        let query = query
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (query, kept)
    });
    let kept = kept?;
    let mut options = options(request, &kept.index, asked.now);
    let ranking = rank(&kept.index, &query, &options);
    let mut answer = Answer {
        notes: kept.index.len(),
        is_behind: kept.is_behind || kept.index.pending().next().is_some(),
        left: ranking.filtered.iter().filter_map(filtered).collect(),
        ..Answer::default()
    };
    let mut hits = ranking.hits;
    let drifts = weigh_drift(&hits, request, &kept, &mut options);
    if drifts {
        hits = rank(&kept.index, &query, &options).hits;
    }
    choose(hits, request, &kept, asked.now, &mut answer);
    answer.abstained = answer.memories.is_empty()
        && !answer
            .left
            .iter()
            .any(|left| left.by == "shown" || left.by == "tool-in-use")
        && kept.index.len() > ranking.filtered.len();
    answer.warnings = kept.warnings;
    Ok(answer)
}

fn options(request: &Request, index: &Index, now: Now) -> Options {
    let mut filter = request.filter.clone();
    filter.exclude.extend(excluded(&request.exclude, index));
    Options {
        limit: HITS_MAX.max(4 * request.limit),
        // Told apart below: those that are not sure enough are told as well.
        min_score: 0.0,
        now: now.0.as_second(),
        weights: request.weights,
        filter,
        ..Options::default()
    }
}

/// The keys of files that somebody named: within a tier, with it, or by their path.
fn excluded(names: &[String], index: &Index) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let is_named = |key: &&str| {
        documents::of_key(key).is_some_and(|(scope, file)| {
            names.iter().any(|name| {
                let (named, rest) = mem_core::memory::split_scope(name, None);
                let is_file =
                    rest == file || rest.strip_suffix(file).is_some_and(|p| p.ends_with('/'));
                is_file && named.is_none_or(|named| named == scope)
            })
        })
    };
    index.keys().filter(is_named).map(str::to_owned).collect()
}

fn filtered(filtered: &Filtered) -> Option<Left> {
    let (scope, file) = documents::of_key(&filtered.key)?;
    Some(Left {
        scope,
        file: file.to_owned(),
        by: filtered.by.name(),
        score: None,
    })
}

/// Looks at the best notes' verdicts; says whether one of them changes the order.
fn weigh_drift(hits: &[Hit], request: &Request, kept: &Kept<'_>, options: &mut Options) -> bool {
    let sure = hits
        .iter()
        .filter(|hit| hit.confidence >= request.min_score);
    let best: Vec<(&Hit, Note)> = sure
        .take(2 * request.limit)
        .filter_map(|hit| Some((hit, read(&hit.key, kept)?)))
        .collect();
    let notes: Vec<&Note> = best.iter().map(|(_, note)| note).collect();
    let mut is_any = false;
    for ((hit, _), verdict) in best.iter().zip(drift::verdicts(&notes)) {
        let level = drift::level(verdict.as_ref());
        if level > 0.0 {
            is_any = true;
            let beside = Beside {
                drift: level,
                ..options.beside.get(&hit.key).copied().unwrap_or_default()
            };
            options.beside.insert(hit.key.clone(), beside);
        }
    }
    is_any
}

/// Takes the best that nothing speaks against.
fn choose(hits: Vec<Hit>, request: &Request, kept: &Kept<'_>, now: Now, answer: &mut Answer) {
    let mut below = 0;
    for hit in hits {
        let Some((scope, file)) = documents::of_key(&hit.key) else {
            continue;
        };
        let left = |by| Left {
            scope,
            file: file.to_owned(),
            by,
            score: Some(hit.confidence),
        };
        if hit.confidence < request.min_score {
            below += 1;
            if below <= BELOW_MAX {
                answer.left.push(left("score"));
            }
        } else if answer.memories.len() >= request.limit {
            answer.left.push(left("limit"));
        } else if let Some(note) = read(&hit.key, kept) {
            answer.memories.push(Recalled {
                age_days: now.days_since(note.modified),
                drift: None,
                author: None,
                note,
                hit,
            });
        }
    }
}

/// Reads the note of a key; `None` where it is gone by now.
fn read(key: &str, kept: &Kept<'_>) -> Option<Note> {
    let (scope, file) = documents::of_key(key)?;
    let part = kept
        .parts
        .iter()
        .find(|part| part.scopes.contains(&scope))?;
    let path = Tier(scope).path(file).ok()?;
    Note::read(&part.snapshot, scope, &path).ok().flatten()
}

/// The words that a scope filter uses.
pub(crate) fn scope_words(scope: Option<Scope>) -> Vec<String> {
    scope
        .into_iter()
        .map(|scope| scope.as_str().to_owned())
        .collect()
}
