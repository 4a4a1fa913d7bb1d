//! Search for a person: every note that has to do with a query, the best first, with the lines that
//! say why.

use std::collections::HashSet;
use std::ops::Range;

use jiff::Timestamp;
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::StoreError;
use mem_core::{Now, search};
use mem_recall::encoder::Encoder;
use mem_recall::snippets::{TextSnippet, find_snippets, find_words};
use mem_recall::text::Stems;
use mem_recall::{
    DEFAULT_MIN_SCORE, Hit, RankFilter, RankOptions, RankWeights, RecallQuery, rank_documents,
};

use crate::candidates::read_note;
use crate::current_index::{CurrentIndex, Storing, refreshed_index};

/// So many hits are looked at.
const HITS_MAX: usize = 500;

/// What to search for.
#[derive(Clone, Debug)]
pub struct MemorySearch {
    /// The words.
    pub text: String,
    /// Tiers and types.
    pub filter: RankFilter,
    /// Only notes whose content is not older.
    pub since: Option<Timestamp>,
    /// Whether somebody admits only some notes beside those: then none is too far down.
    pub is_sifted: bool,
    /// At most so many.
    pub limit: usize,
    /// Whose vectors are compared.
    pub encoder: Option<&'static Encoder>,
    /// What counts how much.
    pub weights: RankWeights,
}

/// What a search found.
#[derive(Debug)]
pub struct SearchAnswer {
    /// The best first.
    pub hits: Vec<SearchHit>,
    /// Files and folders that could not be read, and why.
    pub warnings: Vec<String>,
}

/// A note that was found.
#[derive(Debug)]
pub struct SearchHit {
    /// The note.
    pub note: Note,
    /// How well it fits, from 0 to 1; nothing where only its letters were compared.
    pub score: Option<f32>,
    /// The lines of the body that say why.
    pub snippets: Vec<TextSnippet>,
}

/// Finds notes that share a word with the query, or clearly its meaning. Where there is none, notes
/// that hold every one of its words as letters somewhere, inside of other words too.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn find_memories(
    search: &MemorySearch,
    memory: &ProjectMemory,
    now: Now,
    storing: Storing,
    admits: &dyn Fn(&Note) -> bool,
) -> Result<SearchAnswer, StoreError> {
    let mut kept = refreshed_index(memory, storing)?;
    kept.encode_new_notes(search.encoder);
    let warnings = std::mem::take(&mut kept.warnings);
    let hits = find_hits(search, &kept, now, admits);
    Ok(SearchAnswer { hits, warnings })
}

fn find_hits(
    search: &MemorySearch,
    kept: &CurrentIndex<'_>,
    now: Now,
    admits: &dyn Fn(&Note) -> bool,
) -> Vec<SearchHit> {
    let options = RankOptions {
        limit: match search.is_sifted {
            true => kept.index.len(),
            false => HITS_MAX.max(search.limit),
        },
        min_score: 0.0,
        now: now.0.as_second(),
        weights: search.weights,
        filter: search.filter.clone(),
        ..RankOptions::default()
    };
    let hits = rank_documents(
        &kept.index,
        &RecallQuery::new(&search.text).with_encoding_by(search.encoder),
        &options,
    )
    .hits;
    let is_new = |note: &Note| search.since.is_none_or(|since| note.modified >= since);
    let wanted = |note: &Note| is_new(note) && admits(note);
    let ranked = hits.iter().filter(|hit| fits_query(hit)).filter_map(|hit| {
        let note = read_note(&hit.key, kept).filter(|note| wanted(note))?;
        let snippets = matching_lines(&note, hit);
        let score = Some(hit.confidence);
        Some(SearchHit {
            note,
            score,
            snippets,
        })
    });
    let ranked: Vec<SearchHit> = ranked.take(search.limit).collect();
    if !ranked.is_empty() {
        return ranked;
    }
    let query = search::WordQuery::new(&search.text);
    let notes = kept
        .index
        .document_keys()
        .filter_map(|key| read_note(key, kept));
    let mut literal: Vec<(usize, SearchHit)> = notes
        .filter(|note| wanted(note) && is_asked(note, &search.filter))
        .filter_map(|note| {
            let hit = query.find(&note.topic, &note.bytes)?;
            let snippets = hit.snippets.into_iter().map(|one| TextSnippet {
                line: one.line,
                text: one.text,
                marks: Vec::new(),
            });
            let snippets = snippets.collect();
            Some((
                hit.score,
                SearchHit {
                    note,
                    score: None,
                    snippets,
                },
            ))
        })
        .collect();
    literal.compact_sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then_with(|| a.1.note.file.cmp(&b.1.note.file))
    });
    literal.truncate(search.limit);
    literal.into_iter().map(|(_, found)| found).collect()
}

/// Whether a hit has to do with the query at all: every note has some likeness.
fn fits_query(hit: &Hit) -> bool {
    hit.matches.iter().any(|one| one.asked == one.found) || hit.confidence >= DEFAULT_MIN_SCORE
}

/// What the ranking's filter asks of a note that was not ranked.
fn is_asked(note: &Note, filter: &RankFilter) -> bool {
    let kind = note.topic.kind.map(mem_core::MemoryType::as_str);
    let any = |list: &[String], word: &str| list.is_empty() || list.iter().any(|one| one == word);
    any(&filter.scopes, note.scope.as_str()) && any(&filter.kinds, kind.unwrap_or_default())
}

/// The lines of a note that answer the query.
fn matching_lines(note: &Note, hit: &Hit) -> Vec<TextSnippet> {
    let wanted: HashSet<String> = hit.matches.iter().map(|one| one.found.clone()).collect();
    let mut stems = Stems::default();
    let (body, first_line) = body_text(note);
    find_snippets(&body, first_line, &mut |line| {
        find_words(line, &wanted, &mut stems)
    })
}

/// The memories in which something matches a line of the body, or a field. It may match bytes: what it finds is widened
/// to whole characters.
pub fn find_matches(
    notes: impl Iterator<Item = Note>,
    matches: &dyn Fn(&str) -> Vec<Range<usize>>,
) -> impl Iterator<Item = SearchHit> {
    notes.filter_map(|note| {
        let (body, first_line) = body_text(&note);
        let snippets = find_snippets(&body, first_line, &mut |line| {
            whole_chars(line, matches(line))
        });
        let is_found = !snippets.is_empty() || is_in_fields(&note, matches);
        let score = None;
        is_found.then_some(SearchHit {
            note,
            score,
            snippets,
        })
    })
}

fn is_in_fields(note: &Note, matches: &dyn Fn(&str) -> Vec<Range<usize>>) -> bool {
    let topic = &note.topic;
    let fields = [topic.name.as_deref(), topic.description.as_deref()];
    let tags = topic.tags.iter().map(String::as_str);
    let mut texts = fields.into_iter().flatten().chain(tags);
    texts.any(|text| !matches(text).is_empty())
}

/// Matches widened to whole characters; empty ones are as good as none, but for the line itself.
fn whole_chars(line: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let widen = |range: Range<usize>| {
        line.floor_char_boundary(range.start)..line.ceil_char_boundary(range.end)
    };
    ranges.into_iter().map(widen).collect()
}

/// The body, and the number of its first line in the file.
fn body_text(note: &Note) -> (String, usize) {
    let start = note.topic.body.start.min(note.bytes.len());
    let before = note.bytes[..start]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    (
        String::from_utf8_lossy(note.topic.body(&note.bytes)).into_owned(),
        1 + before,
    )
}
