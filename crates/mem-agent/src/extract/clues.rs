//! How much the words of a sentence look like what people say when it is worth keeping, and of which type.
//!
//! A rule knows a turn of phrase; a clue is one to three words, or how a long one begins, with a weight for each type of
//! memory. The weights are data (`templates/extract/clues.txt`), fitted to labelled sentences by `cargo xtask eval
//! extract --fit`: a logistic regression, which is a sum here.

use std::collections::HashMap;
use std::sync::OnceLock;

use mem_core::MemoryType;

use super::request::asked_for;
use super::speech::sentences;
use super::weigh::is_task;

/// The types that a clue has weights for, in the order of the file.
pub const KINDS: [MemoryType; 4] = [
    MemoryType::Feedback,
    MemoryType::User,
    MemoryType::Project,
    MemoryType::Reference,
];
/// Words that make one clue, at most.
const WORDS_MAX: usize = 3;
/// Letters of a word's stem, which stands as `reviews` does for `revie*`.
const STEM_LENGTH: usize = 5;
/// From so many bytes on a sentence is as long as any.
const LENGTH_MAX: usize = 200;

/// What the clues of a sentence come to: for each type, the logarithm of how much likelier it is than nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likely([f32; KINDS.len()]);

impl Likely {
    /// The logarithm of the odds that it is worth keeping as whatever.
    pub(super) fn worth(self) -> f32 {
        let most = self.0.iter().copied().fold(f32::MIN, f32::max);
        let parts = self.0.iter().map(|one| (one - most).exp());
        most + parts.sum::<f32>().ln()
    }

    /// The type that most speaks for, where something else says that it is one of them, and how surely.
    pub(super) fn kind(self, other: Option<(MemoryType, f32)>) -> MemoryType {
        let with = |at: &usize| {
            let said = other.filter(|(kind, _)| *kind == KINDS[*at]);
            self.0[*at] + said.map_or(0.0, |(_, more)| more)
        };
        let best = (0..KINDS.len()).max_by(|a, b| with(a).total_cmp(&with(b)));
        KINDS[best.unwrap_or_default()]
    }
}

/// The weights of all clues, each with its number.
#[derive(Debug)]
pub(super) struct Clues(HashMap<&'static str, (usize, [f32; KINDS.len()])>);

impl Clues {
    /// Those that are built in; lines that are none, which a test keeps from being there, say nothing.
    pub(super) fn embedded() -> &'static Self {
        static READ: OnceLock<Clues> = OnceLock::new();
        READ.get_or_init(|| Self::parse(include_str!("../../../../templates/extract/clues.txt")))
    }

    fn parse(text: &'static str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let all = lines.filter_map(parsed).enumerate();
        Self(
            all.map(|(number, (clue, weights))| (clue, (number, weights)))
                .collect(),
        )
    }

    /// What they say of a sentence.
    pub(super) fn of(&self, plain: &str, is_work: bool, listed: bool) -> Likely {
        let mut sums = [0.0_f32; KINDS.len()];
        let mut counted: Vec<usize> = Vec::new();
        each_clue(plain, is_work, listed, |clue, value| {
            let known = self.0.get(clue);
            let Some((number, weights)) = known.filter(|(number, _)| !counted.contains(number))
            else {
                return;
            };
            counted.push(*number);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * value;
            }
        });
        Likely(sums)
    }
}

/// `weight weight weight weight clue`.
fn parsed(line: &'static str) -> Option<(&'static str, [f32; KINDS.len()])> {
    let mut parts = line.splitn(KINDS.len() + 1, ' ');
    let mut weights = [0.0; KINDS.len()];
    for weight in &mut weights {
        *weight = parts.next()?.parse().ok()?;
    }
    Some((parts.next()?, weights))
}

/// The clues of each sentence of a prompt with their values, and the sentence: what weights are fitted to.
pub fn of_prompt(prompt: &str) -> Vec<(String, Vec<(String, f32)>)> {
    let said = sentences(prompt);
    let is_work = said.first().is_some_and(|first| is_task(&first.plain));
    let clues = said.into_iter().map(|one| {
        let mut clues = Vec::new();
        each_clue(
            &asked_for(&one.plain),
            is_work,
            one.listed,
            |clue, value| {
                clues.push((clue.to_owned(), value));
            },
        );
        clues.sort_by(|a, b| a.0.cmp(&b.0));
        clues.dedup_by(|a, b| a.0 == b.0);
        (one.text, clues)
    });
    clues.collect()
}

/// Hands out every clue of a sentence, as rules see it, as often as it is there.
fn each_clue(plain: &str, is_work: bool, listed: bool, mut take: impl FnMut(&str, f32)) {
    take("<any>", 1.0);
    take("<long>", plain.len().min(LENGTH_MAX) as f32 / 100.0);
    if is_work {
        take("<work>", 1.0);
    }
    if listed {
        take("<listed>", 1.0);
    }
    let words = words(plain);
    let mut clue = String::new();
    for stem in words.iter().filter_map(|word| stem(word)) {
        clue.clear();
        clue.push_str(stem);
        clue.push('*');
        take(&clue, 1.0);
    }
    for start in 0..words.len() {
        clue.clear();
        for word in words[start..].iter().take(WORDS_MAX) {
            if !clue.is_empty() {
                clue.push(' ');
            }
            clue.push_str(word);
            take(&clue, 1.0);
        }
    }
}

/// What a word of Latin letters shares with others of its family: how it begins. Many are too rare to be clues by
/// themselves.
fn stem(word: &str) -> Option<&str> {
    let is_long = word.len() > STEM_LENGTH && word.bytes().all(|b| b.is_ascii_lowercase());
    is_long.then(|| &word[..STEM_LENGTH])
}

/// The words of a sentence between `^` and `$`; signs that tell something, numbers as `0`, and each letter of the
/// scripts that write several words without blanks or with endings.
fn words(plain: &str) -> Vec<&str> {
    let mut words = vec!["^"];
    let mut at = 0;
    while let Some(first) = plain[at..].chars().next() {
        let rest = &plain[at..];
        let run = |is: fn(&char) -> bool| -> usize {
            let letters = rest.chars().take_while(is);
            letters.map(char::len_utf8).sum()
        };
        let (length, word) = match first {
            'a'..='z' | '\'' => {
                let end = run(|c| c.is_ascii_lowercase() || *c == '\'');
                (end, Some(&rest[..end]))
            }
            '0'..='9' => (run(char::is_ascii_digit), Some("0")),
            '?' | '!' | ',' | '.' | ':' | '#' | '\u{3000}'.. => {
                let end = first.len_utf8();
                (end, Some(&rest[..end]))
            }
            _ => (first.len_utf8(), None),
        };
        words.extend(word);
        at += length;
    }
    words.push("$");
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_clue() {
        let text = include_str!("../../../../templates/extract/clues.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(Clues::embedded().0.len(), lines);
        assert!(lines > 1_000, "{lines}");
    }

    #[test]
    fn words_are_taken_apart_in_every_script() {
        assert_eq!(
            words("don't use v2!"),
            ["^", "don't", "use", "v", "0", "!", "$"]
        );
        assert_eq!(words("不要用x。"), ["^", "不", "要", "用", "x", "。", "$"]);
        assert_eq!(words(""), ["^", "$"]);
    }

    #[test]
    fn what_people_say_to_be_remembered_outweighs_what_they_ask_for() {
        let worth = |plain: &str| Clues::embedded().of(plain, false, false);
        let lasting = worth("we never push to that branch without a review");
        let asked = worth("push the branch");
        assert!(
            lasting.worth() > asked.worth() + 2.0,
            "{lasting:?} {asked:?}"
        );
        assert_eq!(lasting.kind(None), MemoryType::Feedback);
        assert_eq!(
            worth("i am a nurse and new to python").kind(None),
            MemoryType::User
        );
        assert_eq!(
            worth("the bugs are tracked in jira").kind(None),
            MemoryType::Reference
        );
    }
}
