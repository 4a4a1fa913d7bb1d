//! From a note's text to its citations, each once, in the order of the text.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::claim::{has_date, read_claim};
use super::markdown::{MarkdownPiece, split_pieces};
use super::passage::{Passage, PassageLine, read_passages};
use super::{
    Citation, CitationClaim, CitationKind, CitationShape, CitationTarget, context, path, prose,
    span, url,
};
use crate::limits::{CITATIONS_MAX, CITED_PLACES_MAX, NOTE_BYTES_MAX};
use crate::note::DriftInput;

/// What a note cites: the whole text of the file, frontmatter included (it is skipped), and the
/// remotes of the repository in any spelling, for web addresses.
///
/// Lines count from 1 in the text given. What is cited twice in the same words is told once: where the note says that it
/// is gone, else where it says that it is there.
pub fn extract_citations(text: &str, remotes: &[String]) -> Vec<Citation> {
    let mut end = text.len().min(NOTE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut seen = BTreeMap::new();
    let mut found: Vec<Citation> = Vec::new();
    let mut places = 0;
    let (passages, lines) = read_passages(&text[..end]);
    for place in &lines {
        let passage = &passages[place.passage];
        for (offset, piece) in split_pieces(place.line) {
            if places >= CITED_PLACES_MAX {
                return found;
            }
            for citation in piece_citations(passage, place, offset, piece, remotes) {
                places += 1;
                match seen.entry((citation.text.clone(), citation.kind)) {
                    Entry::Occupied(known) => {
                        let at: usize = *known.get();
                        found[at].merge_with(citation);
                    }
                    Entry::Vacant(place) if found.len() < CITATIONS_MAX => {
                        place.insert(found.len());
                        found.push(citation);
                    }
                    Entry::Vacant(_) => {}
                }
            }
        }
    }
    found
}

/// Whether a note is named for a day.
pub(crate) fn is_dated(note: &DriftInput) -> bool {
    has_date(&note.file)
}

/// What a note cites. One that is named for a day tells of that day.
pub(crate) fn note_citations(note: &DriftInput, remotes: &[String]) -> Vec<Citation> {
    let mut found = extract_citations(&note.text, remotes);
    if is_dated(note) {
        let present = found
            .iter_mut()
            .filter(|one| one.claim == CitationClaim::Present);
        present.for_each(|citation| citation.claim = CitationClaim::Past);
    }
    found
}

fn piece_citations(
    passage: &Passage,
    place: &PassageLine<'_>,
    offset: usize,
    piece: MarkdownPiece<'_>,
    remotes: &[String],
) -> Vec<Citation> {
    let line = place.line;
    // The text stands at the offset, or soon behind it: in brackets, or behind another text.
    let citation = |text: &str, shape: CitationShape, at: usize| {
        let rest = line.get(at..).unwrap_or_default();
        let at = at + rest.find(text).unwrap_or(0);
        let start = place.offset + at;
        Citation {
            text: text.to_owned(),
            kind: shape.kind,
            line: place.number,
            target: shape.target,
            is_tentative: shape.is_tentative,
            claim: read_claim(passage, start, start + text.len()),
            passages: vec![place.passage],
            intros: passage.intro.into_iter().collect(),
        }
    };
    match piece {
        MarkdownPiece::Code(code) => {
            let start = offset + line[offset..].find(code).unwrap_or(0);
            let (before, after) = context::split_sentence(line, offset, start + code.len());
            let shapes = span::span_shapes(code, before, after.trim_start_matches('`'), remotes);
            let texts = parts_of(code, shapes.len());
            let shapes = shapes.into_iter().zip(texts);
            shapes
                .map(|(shape, text)| citation(text, shape, start))
                .collect()
        }
        MarkdownPiece::Link(target) => parse_link(target, remotes)
            .map(|shape| citation(target, shape, offset))
            .into_iter()
            .collect(),
        MarkdownPiece::Wiki(inner) => parse_note_link(inner)
            .map(|shape| citation(inner, shape, offset))
            .into_iter()
            .collect(),
        MarkdownPiece::Prose(text) => prose::prose_shapes(text, remotes)
            .into_iter()
            .map(|(at, word, shape)| {
                let start = offset + at + text[at..].find(word).unwrap_or(0);
                citation(word, shape, start)
            })
            .collect(),
    }
}

impl Citation {
    /// Adds where the same is cited again, which may be what counts.
    fn merge_with(&mut self, again: Self) {
        let (mut passages, mut intros) = (
            std::mem::take(&mut self.passages),
            std::mem::take(&mut self.intros),
        );
        passages.extend(&again.passages);
        intros.extend(&again.intros);
        if again.claim.outweighs(self.claim) {
            *self = again;
        }
        (self.passages, self.intros) = (passages, intros);
    }
}

/// A span that cites a file and a symbol is told as two texts.
fn parts_of(code: &str, count: usize) -> Vec<&str> {
    match code.split_once(':') {
        Some((file, name)) if count == 2 => vec![file, name.trim_start_matches(':')],
        _ => vec![code],
    }
}

/// A link's target: an address of the repository, another note, or a file of the repository.
fn parse_link(target: &str, remotes: &[String]) -> Option<CitationShape> {
    let target = target.split_whitespace().next()?;
    if target.contains("://") {
        return url::parse_remote_url(target, remotes);
    }
    let plain = target.split('#').next().unwrap_or(target);
    if plain.ends_with(".md") && !plain.contains('/') {
        return parse_note_link(plain);
    }
    let shape = path::in_code(target)?;
    (!shape.is_tentative).then_some(shape)
}

/// `page#part|shown` without what follows the page.
fn parse_note_link(inner: &str) -> Option<CitationShape> {
    let name = inner
        .split(['|', '#'])
        .next()?
        .trim()
        .trim_end_matches('\\');
    let name = name.strip_suffix(".md").unwrap_or(name);
    (!name.is_empty()).then(|| {
        CitationShape::firm_shape(CitationKind::Note, CitationTarget::Note(name.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "([`\\[\\](){}<>:./#a-zA-Z0-9_é~\n -]|commit |src/|\\.rs){0,80}") {
            for citation in extract_citations(&text, &["https://x.y/z".to_owned()]) {
                proptest::prop_assert!(text.contains(&citation.text));
                proptest::prop_assert!(citation.line <= text.lines().count());
            }
        }

        #[test]
        fn any_script_is_read(text in "(\\[\\[|\\]\\]|\\]\\(|\\)|`|<https://x\\.y/z/|>|数|é|🦀|\u{fffd}|src/|\\.rs|:|a_b|\\(\\)|--|#|\\\\|\n| |commit |[0-9a-f]{7}|@|\\$|\\.){0,40}") {
            for citation in extract_citations(&text, &["https://x.y/z".to_owned()]) {
                proptest::prop_assert!(text.contains(&citation.text));
            }
        }
    }

    fn texts(text: &str) -> Vec<String> {
        let found = extract_citations(text, &["https://github.com/acme/shop".to_owned()]);
        found.into_iter().map(|citation| citation.text).collect()
    }

    #[test]
    fn a_real_note() {
        let text = "---\nname: auth\ndescription: `ghost_symbol` here\n---\n\
            The check lives in `src/auth.rs:42`, called by `Session::open()`.\n\
            **Why:** `cargo test` fails when `APP_TOKEN` is unset; see [[deploy-notes|deploy]] and \
            [plan](docs/plan.md).\n```rust\nfn other_symbol() {}\n```\n\
            `src/auth.rs:42` again, https://github.com/acme/shop/blob/main/src/web.rs#L3, `true`, `200`.\n";
        assert_eq!(
            texts(text),
            [
                "src/auth.rs:42",
                "Session::open()",
                "APP_TOKEN",
                "deploy-notes|deploy",
                "docs/plan.md",
                "https://github.com/acme/shop/blob/main/src/web.rs#L3",
            ]
        );
        assert_eq!(extract_citations(text, &[])[0].line, 5);
    }

    #[test]
    fn names_in_any_script_are_told_with_the_sentence_around_them() {
        let found = extract_citations("[[数据库]] 见 [指南](文档/指南.md)，已删除\n", &[]);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["数据库", "文档/指南.md"]);
        assert_eq!(found[1].claim, CitationClaim::Removed, "{found:?}");
    }

    #[test]
    fn hostile_texts_are_read() {
        for text in [
            "", "`", "\u{0}", "[[]]", "[](x", "``````", "é`é`é", "---\n", "[[|]]", "\\",
        ] {
            extract_citations(text, &[]);
        }
        extract_citations(&"`a_b` ".repeat(50_000), &[]);
    }

    #[test]
    fn reading_costs_the_length_of_the_text() {
        let start = Instant::now();
        let cited = extract_citations(&"see src/r.py ok\n".repeat(15_000), &[]);
        assert_eq!(cited.len(), 1);
        for unclosed in ["[[", "](", "<", "<http", "`", "` `` ``` ", "------ ", "~~ "] {
            let line = format!("{}\n", unclosed.repeat(1000));
            extract_citations(&line.repeat(128 * 1024 / line.len()), &[]);
        }
        // Seconds where a build is not optimised, and minutes where each citation costs its paragraph.
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
