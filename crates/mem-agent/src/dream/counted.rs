//! How many of something, in Chinese: `由两个人批准`, `只需要一个人批准`.
//!
//! Such a sentence is one with another number by now where all else of it is the same.

use super::said::ParsedSentence;
use super::unspaced_words::{CHANGE, NEEDS};

/// What counts.
const NUMERALS: &str = "一二两兩三四五六七八九十0123456789";
/// What is counted follows one of these.
const MEASURES: &str = "个個名位人天次份台";
/// A shorter beginning says too little of what it is about.
const ABOUT_CHARS_MIN: usize = 3;

/// Whether the newer says that it is another number by now.
pub(super) fn are_other(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    let is_asked = older.is_unspaced && newer.is_unspaced && newer.is_change;
    if !is_asked || older.is_negated || newer.is_negated {
        return false;
    }
    let both = read(&older.text).zip(read(&newer.text));
    both.is_some_and(|(one, other)| {
        one.about == other.about && one.rest == other.rest && one.number != other.number
    })
}

/// A sentence with one number in it.
struct Counted {
    about: String,
    number: String,
    rest: String,
}

fn read(text: &str) -> Option<Counted> {
    let plain = CHANGE
        .split('|')
        .fold(text.to_owned(), |text, word| text.replace(word, ""));
    let is_number = |c: char| NUMERALS.contains(c);
    let start = plain.find(is_number)?;
    let (before, from) = plain.split_at(start);
    let end = from.find(|c| !is_number(c))?;
    let (number, rest) = from.split_at(end);
    if !rest.starts_with(|c| MEASURES.contains(c)) || rest.contains(is_number) {
        return None;
    }
    let mut about = before.trim_end();
    while let Some(shorter) = NEEDS.split('|').find_map(|word| about.strip_suffix(word)) {
        about = shorter.trim_end();
    }
    let is_long = about.chars().count() >= ABOUT_CHARS_MIN;
    is_long.then(|| Counted {
        about: about.to_owned(),
        number: number.replace(['两', '兩'], "二"),
        rest: rest.trim_end_matches(['了', '。']).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn another_number_by_now_takes_the_place_of_a_number() {
        let pairs = [
            ("代码评审必须由两个人批准", "代码评审现在只需要一个人批准"),
            ("版本发布需要3个人批准", "版本发布目前需要2个人批准"),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }

    #[test]
    fn a_number_of_something_else_takes_nobodys_place() {
        let pairs = [
            ("代码评审必须由两个人批准", "发布现在只需要一个人批准"),
            ("代码评审必须由两个人批准", "代码评审现在只需要一个人参加"),
            ("代码评审必须由两个人批准", "代码评审由一个人批准"),
        ];
        assert_all(&pairs, |found| {
            matches!(found, None | Some(Relation::Beside))
        });
    }
}
