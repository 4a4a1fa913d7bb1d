//! The words by which people say no, may, must and need not, in every language that is read: they stand here once,
//! and everything that reads a no asks here.

use std::sync::LazyLock;

use crate::lexicon::{WordList, WordRows};

/// What stands behind one of these is not there.
pub(super) static WITHOUT: WordList = WordList::of(&["without"]);
/// Behind a no these say that there is more, and no no.
pub(super) static ONLY: WordList = WordList::of(&["only"]);
/// To leave a thing out: a no to it, where a sentence is read as a whole.
pub static REFUSE: WordList = WordList::of(&["refuse"]);

/// How a word or a row of words turns what it stands beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// No.
    No,
    /// No, and it was so until now.
    Ceased,
    /// That it was so until now, where there is a no.
    AnyMore,
    /// It is so again.
    Again,
    May,
    /// No may.
    Barred,
    Need,
    /// No need.
    Freed,
    Ought,
    /// It says nothing of its own.
    Idle,
}

static TURNS: LazyLock<WordRows<Turn>> = LazyLock::new(|| {
    WordRows::from_lists(&[
        ("not", Turn::No),
        ("without", Turn::No),
        ("shun", Turn::No),
        ("ceased", Turn::Ceased),
        ("any_more", Turn::AnyMore),
        ("again", Turn::Again),
        ("may", Turn::May),
        ("barred", Turn::Barred),
        ("need", Turn::Need),
        ("freed", Turn::Freed),
        ("ought", Turn::Ought),
        ("idle_rows", Turn::Idle),
    ])
});

/// Every single word that says no in a sentence that is read as a whole, as it is written and without accents.
static NOS: WordList = WordList::of(&NO_LISTS);
static NOS_FOLDED: WordList = WordList::folded(&NO_LISTS);
const NO_LISTS: [&str; 5] = ["not", "nobody", "without", "shun", "barred"];

/// Whether a word in small letters says no, with its accents or without: `don't`, `dont`, `jamás`, `verboten`.
pub fn says_no(word: &str) -> bool {
    word.ends_with("n't") || NOS.contains(word) || NOS_FOLDED.contains(word)
}

/// How words from a place on turn a statement, and how many they are.
pub(super) fn find_turn(words: &[String]) -> Option<(Turn, usize)> {
    let is_contracted = || words.first().is_some_and(|word| word.ends_with("n't"));
    let turn = TURNS.find_row(words);
    turn.or_else(|| is_contracted().then_some((Turn::No, 1)))
}

/// Chinese, Japanese and Korean: rows of characters divided by `|`, the longer ones first.
pub mod unspaced {
    /// What need not be.
    pub const FREED: &str = "不一定要|不一定|不需要再|不用再|不必再|无需再|没有必要|没必要|不需要|无需|无须|不必|不用|しなくてもいいです|しなくていいです|\
        しなくても構いません|しなくてもいい|しなくていい|する必要はありません|する必要はない|する必要がない|なくてもいいです|なくていいです|なくてもいい|\
        なくていい|必要はありません|必要ありません|必要はない|必要ない|하지 않아도 됩니다|하지 않아도 돼요|하지 않아도 된다|지 않아도 됩니다|\
        지 않아도 돼요|지 않아도 된다|할 필요가 없습니다|할 필요는 없습니다|할 필요 없습니다|할 필요가 없다|할 필요 없다|필요 없습니다|필요 없다";
    /// What may be.
    pub const MAY: &str = "可以|允许|允許|してもいいです|してもよいです|しても構いません|してもいい|してもよい|許可されています|許可|해도 됩니다|해도 돼요|\
        해도 된다|해도 좋습니다|도 됩니다|허용됩니다|허용";
    /// That it was so until now: alone, or with a no behind.
    pub const CEASED: &str = "再也不要|再也不|不要再|请勿再|别再|不再|するのはやめてください|するのをやめてください|のはやめてください|のをやめてください|\
        はやめてください|をやめてください|するのはやめて|やめてください|やめて|그만 하세요|그만하세요|그만";
    /// With a no, that it was so until now.
    pub const ANY_MORE: &str = "もう|더 이상|더는|이제부터|지금부터|이제는|이제";
    /// No.
    pub const NO: &str = "从来不|永远不要|永远不|绝不要|绝不|不要|不能|不得|不可以|不可|不许|不許|不准|不应该|不應|不应|不允许|禁止|切勿|请勿|没有|沒有|\
        别|別|不|してはいけません|してはいけない|してはならない|しないでください|しないで|しません|しない|するな|ではありません|ではない|ません|ない|\
        하지 마세요|하지 말아 주세요|하지 말아주세요|하지 않습니다|하지 않는다|하지 말 것|하지 마|지 마세요|지 말아 주세요|지 않습니다|지 않는다|\
        않|금지|아닙니다|아니다";
    /// No, where a sentence is read as a whole.
    pub const LOOSE: &str =
        "不会|不會|不是|不使用|不在|不采用|从不|從不|せず|없|마세요|말 것|안 |아닙";
    /// Yes, and what only says that it is so.
    pub const YES: &str = "一定要|一定|千万|务必|必须|必須|总是|總是|永远|应该|要|请|都|してください|します|して|する|です|ます|必ず|常に|いつも|\
        하세요|합니다|해 주세요|한다|할 것|항상|반드시|꼭|입니다|이다|세요|从现在起|以后|今後は|これからは|앞으로는|앞으로|绝对|絶対に|絶対|決して|절대로|절대";

    /// That something is to be so whatever comes.
    const EVER: &str = "一定要|必须|必須|总是|總是|永远|必ず|常に|いつも|항상|반드시|꼭";

    /// Whether a text says that something is always, or never, to be done.
    pub fn is_standing_order(text: &str) -> bool {
        says_no(text) || EVER.split('|').any(|row| text.contains(row))
    }

    /// Whether a text may have a no in it, be it of one word only.
    pub fn may_say_no(text: &str) -> bool {
        const LONE: [&str; 3] = ["不", "勿", "하지"];
        says_no(text) || LONE.iter().any(|row| text.contains(row))
    }

    /// Whether a text has a no in it. A lone `不` says it of one word only.
    pub fn says_no(text: &str) -> bool {
        let lists = [FREED, CEASED, NO, LOOSE];
        let mut rows = lists.iter().flat_map(|list| list.split('|'));
        rows.any(|row| row != "不" && text.contains(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_is_known_however_it_is_written() {
        for word in [
            "don't", "dont", "never", "jamás", "jamas", "evite", "verboten",
        ] {
            assert!(says_no(word), "{word}");
        }
        for word in ["always", "notes", "node", "nur"] {
            assert!(!says_no(word), "{word}");
        }
    }

    #[test]
    fn rows_of_words_are_read_before_their_words() {
        let turned = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            find_turn(&words)
        };
        assert_eq!(turned("no need to ask"), Some((Turn::Freed, 3)));
        assert_eq!(turned("no more tabs"), Some((Turn::Ceased, 2)));
        assert_eq!(turned("no tabs"), Some((Turn::No, 1)));
        assert_eq!(turned("notes"), None);
    }
}
