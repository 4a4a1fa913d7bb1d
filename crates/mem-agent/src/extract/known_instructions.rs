//! What instruction files say already: `CLAUDE.md` and its like.

use std::collections::BTreeSet;

use mem_recall::lexicon::WordList;
use mem_recall::versus::{Statement, StatementRelation, compare_statements};

/// A sentence whose telling words stand in one paragraph of an instruction file, so many of them, says
/// nothing new.
const SHARE_MIN: f32 = 0.75;
const WORDS_MIN: usize = 3;
/// Paragraphs that are looked at.
const PARAGRAPHS_MAX: usize = 5_000;

/// The paragraphs of the instruction files, with their words.
#[derive(Clone, Debug, Default)]
pub struct KnownInstructions(Vec<(BTreeSet<String>, String)>);

impl KnownInstructions {
    /// Of the texts of the files.
    pub fn from_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let paragraphs = texts.into_iter().flat_map(str::lines);
        let sets = paragraphs.map(|text| (word_stems(text), text.to_owned()));
        let told = sets.filter(|(set, _)| set.len() >= WORDS_MIN);
        Self(told.take(PARAGRAPHS_MAX).collect())
    }

    /// Whether one of them says this.
    pub(super) fn contains_text(&self, text: &str) -> bool {
        let wanted = word_stems(text);
        if wanted.len() < WORDS_MIN {
            return false;
        }
        let shared = |set: &BTreeSet<String>| wanted.intersection(set).count() as f32;
        self.0.iter().any(|(set, told)| {
            let is_near = shared(set) / wanted.len() as f32 >= SHARE_MIN;
            // `Never` in the place of `always` is news.
            is_near && {
                let (told, said) = (Statement::from_text(told), Statement::from_text(text));
                compare_statements(&told, &said) != StatementRelation::Contrary
                    && !told.is_against(&said)
            }
        })
    }
}

/// The words that tell something, by their beginnings; characters of scripts without blanks by pairs.
pub(super) fn word_stems(text: &str) -> BTreeSet<String> {
    static EMPTY: WordList = WordList::of(&["common_words"]);
    let lower = text.to_lowercase();
    let mut found = BTreeSet::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| *c >= '\u{3000}') {
            found.extend(
                letters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
        } else if letters.len() >= 3 && !EMPTY.contains(word) {
            found.insert(letters.iter().take(6).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_there_in_other_words_is_known() {
        let known = KnownInstructions::from_texts([
            "# Rules\n- Use pnpm for installing packages, never npm\n- 提交信息必须用英文写\n",
        ]);
        assert!(known.contains_text("Always use pnpm, never npm, when installing packages"));
        assert!(known.contains_text("提交信息必须用英文"));
        assert!(!known.contains_text("Use npm for installing packages, never pnpm"));
        assert!(!known.contains_text("Never mock the database in integration tests"));
        assert!(!known.contains_text("ok"));
    }
}
