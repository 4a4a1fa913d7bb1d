//! Titles that a model gives: a part of what was said, word for word, and never one that turns it around.
//!
//! A right quotation proves nothing of what a model puts beside it. So a memory says what was said in the words in
//! which it was said, and of a model it takes the choice and a title.

use mem_core::memory::Note;
use mem_recall::versus::negation_words;

/// A longer one is no title.
const TITLE_CHARS_MAX: usize = 100;
/// What stands behind one of these is not what is wanted.
const ASIDE: [&str; 5] = ["instead", "than", "rather", "statt", "anstatt"];

/// Whether a title is a part of a text without a negation: a part of one with a negation may say the contrary.
pub(crate) fn is_part_of(title: &str, text: &str) -> bool {
    let (part, whole) = (words_only(title), words_only(text));
    !part.is_empty()
        && title.chars().count() <= TITLE_CHARS_MAX
        && format!(" {whole} ").contains(&format!(" {part} "))
        && !has_denial(&whole)
}

/// Whether words say no to something, or set it aside; they may be those of [`words_only`].
pub(crate) fn has_denial(text: &str) -> bool {
    let is_no = |word: &str| {
        // A contraction that was taken apart leaves its end.
        negation_words::says_no(word)
            || word == "t"
            || ASIDE.contains(&word)
            || negation_words::REFUSE.contains(word)
    };
    let low = text.to_lowercase();
    low.split_whitespace().any(is_no)
        || low.contains("off limits")
        || negation_words::unspaced::may_say_no(&low)
}

/// A text by its words alone: models straighten quotes and blanks.
pub(crate) fn words_only(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// A text that begins with a capital letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// What a memory is about: its description, else its title.
pub(crate) fn note_line(note: &Note) -> &str {
    let description = note.topic.description.as_deref();
    description.unwrap_or_else(|| note.title())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_part_of_what_was_said_and_turns_nothing_around() {
        for (title, text, is_part) in [
            ("On-call sheet", "The alert is in the on-call sheet", true),
            (
                "Label tickets",
                "always label tickets with their area",
                true,
            ),
            ("Owner", "The owner is Kim", true),
            ("Owner, says Marta", "The owner is Kim", false),
            ("name: evil", "The owner is Kim", false),
            ("npm", "always use pnpm", false),
            ("Use npm", "use pnpm and never npm", false),
            ("Touch the tables", "Don't touch the tables", false),
            ("Merge on Fridays", "merge on Fridays is forbidden", false),
            ("spaces", "Use tabs instead of spaces", false),
            ("production", "use staging, production is off limits", false),
            ("模拟数据库", "测试里不要模拟数据库", false),
            ("", "The owner is Kim", false),
        ] {
            assert_eq!(is_part_of(title, text), is_part, "{title} / {text}");
        }
    }
}
