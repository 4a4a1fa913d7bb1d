//! The filter: which memories fit the letters that were typed, the best first.
//!
//! Every word of the query has to fit. A word fits a title, file or tag by its letters in order (fuzzily), a description
//! by letters that stand close together, and the text as it is typed: scattered letters are found in every long text.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::data::Memory;

/// Least points a letter in a title; a letter that fits has 16, a gap takes 3 and more.
const TITLE_POINTS_MIN: u32 = 14;
/// Least points a letter in a description: nearly all of them in a row.
const DESCRIPTION_POINTS_MIN: u32 = 18;

/// A query, ready to be compared.
pub(crate) struct Query {
    atoms: Vec<(Atom, String)>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Query {
    /// The words of a text.
    pub(crate) fn new(text: &str) -> Self {
        let (case, marks) = (CaseMatching::Ignore, Normalization::Smart);
        let atom = |word: &str| {
            let atom = Atom::new(word, case, marks, AtomKind::Fuzzy, false);
            (atom, word.to_lowercase())
        };
        Self {
            atoms: text.split_whitespace().map(atom).collect(),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    /// Points of a memory; `None` where a word does not fit.
    fn score(&mut self, memory: &Memory) -> Option<u32> {
        let mut total = 0;
        for at in 0..self.atoms.len() {
            let head = [&memory.title, &memory.label, &memory.tags];
            let best = head
                .into_iter()
                .filter_map(|text| self.fuzzy(at, text, TITLE_POINTS_MIN))
                .max();
            total += match best {
                Some(points) => 2_000 + points,
                None => match self.fuzzy(at, &memory.description, DESCRIPTION_POINTS_MIN) {
                    Some(points) => 1_000 + points,
                    None if memory.words.contains(&self.atoms[at].1) => 1,
                    None => return None,
                },
            };
        }
        Some(total)
    }

    fn fuzzy(&mut self, at: usize, text: &str, points_min: u32) -> Option<u32> {
        let (atom, word) = &self.atoms[at];
        let text = Utf32Str::new(text, &mut self.buffer);
        let score = atom.score(text, &mut self.matcher)?;
        enough_points(word, score, points_min)
    }

    /// Positions of the characters of a title that fit, ascending, for their highlighting.
    pub(crate) fn marks(&mut self, text: &str) -> Vec<usize> {
        let mut marks = Vec::new();
        for (atom, word) in &self.atoms {
            let mut found = Vec::new();
            let text = Utf32Str::new(text, &mut self.buffer);
            let score = atom.indices(text, &mut self.matcher, &mut found);
            if score.is_some_and(|score| enough_points(word, score, TITLE_POINTS_MIN).is_some()) {
                marks.extend(found.into_iter().map(|at| at as usize));
            }
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

/// The points of a word, where they are enough for its letters.
fn enough_points(word: &str, score: u16, points_min: u32) -> Option<u32> {
    let letters = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
    let is_enough = u32::from(score) >= letters.saturating_mul(points_min);
    is_enough.then_some(score.into())
}

/// Positions in `memories` that fit the query, the best first, else in their order.
pub(crate) fn find_fitting(query: &str, memories: &[Memory]) -> Vec<usize> {
    if query.trim().is_empty() {
        return (0..memories.len()).collect();
    }
    let mut query = Query::new(query);
    let scored = memories.iter().enumerate();
    let mut scored: Vec<(u32, usize)> = scored
        .filter_map(|(at, memory)| Some((query.score(memory)?, at)))
        .collect();
    scored.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    scored.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::memory;
    use super::*;

    #[test]
    fn titles_come_before_descriptions_and_texts() {
        let memories = [
            memory(
                "a.md",
                "Release day",
                "when we ship",
                "Deploy with the script.",
            ),
            memory(
                "b.md",
                "Deploy rule",
                "how to put it live",
                "Never on Friday.",
            ),
            memory("c.md", "Tea", "the person deploys nothing", "Green."),
            memory("d.md", "Größe der Übersicht", "a word in German", "통과"),
        ];
        assert_eq!(find_fitting("deploy", &memories), [1, 2, 0]);
        assert_eq!(find_fitting("dprl", &memories), [1], "letters in order");
        assert_eq!(find_fitting("deploy friday", &memories), [1], "every word");
        assert_eq!(
            find_fitting("grosse ubersicht", &memories),
            Vec::<usize>::new()
        );
        assert_eq!(
            find_fitting("ubersicht", &memories),
            [3],
            "accents may be left out"
        );
        assert_eq!(find_fitting("통과", &memories), [3]);
        assert_eq!(find_fitting("  ", &memories), [0, 1, 2, 3]);
        assert_eq!(find_fitting("zzz", &memories), Vec::<usize>::new());
    }

    #[test]
    fn letters_that_fit_are_marked() {
        assert_eq!(Query::new("dr").marks("Deploy rule"), [0, 7]);
        assert_eq!(Query::new("zzz").marks("Deploy rule"), Vec::<usize>::new());
    }
}
