//! How something is, said at the end of a statement: `the incident is open`, `the incident is over`; `keep answers
//! short`, `keep answers long`.
//!
//! Words such as `long` and `over` tell things apart elsewhere (`the long name`, `over 5 MB`), so only what is said
//! last is read, behind the very same words. Of one thing not both are true at a time.

use std::sync::LazyLock;

use super::clause::{is_of, is_said};
use super::opposed::Says;
use super::{Statement, StatementRelation};
use crate::lexicon::{WordGroups, WordList, WordRows};

/// Words behind a verb of being of which the one row says that something is there or goes on, the other that it does
/// not.
static STATES: WordGroups = WordGroups::of("states");
/// Words of which the one says the contrary of the other, whatever verb is in front.
static QUALITIES: WordGroups = WordGroups::of("qualities");
/// In front of how something is.
static BEING: WordList = WordList::of(&["being"]);
/// Rows of words that are one of those above.
static ROWS: LazyLock<WordRows<&str>> = LazyLock::new(|| WordRows::from_groups("state_rows"));
/// What was or has been ended is over: words in front of such a one, and what they are then.
static ENDED: LazyLock<WordRows<&str>> = LazyLock::new(|| WordRows::from_groups("ended_rows"));
/// These say nothing of how it is where they stand last.
static LAST: WordList = WordList::of(&["last"]);
/// These say that the contrary may be true of others, or at other times.
static SOME: WordList = WordList::of(&["some_of"]);
/// In front of the kind of a thing.
static ARTICLES: WordList = WordList::of(&["indefinite"]);

/// The contrary, where two statements end with contrary words behind the same.
pub(super) fn compare_states(older: &Statement, newer: &Statement) -> Option<StatementRelation> {
    let holds = |one: &Statement| one.says == Says::Holds;
    let is_known =
        holds(older) && holds(newer) && is_contrary(&older.clause.words, &newer.clause.words);
    is_known.then_some(StatementRelation::Contrary)
}

fn is_contrary(older: &[String], newer: &[String]) -> bool {
    // What most pairs differ in already.
    if older.first() != newer.first() {
        return false;
    }
    let (one, other) = (words_to_state(older), words_to_state(newer));
    let (Some((last, front)), Some((then, before))) = (one.split_last(), other.split_last()) else {
        return false;
    };
    let is_told = |front: &[&str]| {
        front.iter().any(|word| is_said(word)) && !front.iter().any(|word| SOME.contains(word))
    };
    if front != before {
        return is_of_a_kind(&one, &other) && is_told(&one[..one.len() - 1]);
    }
    let is_being = front.last().is_some_and(|word| BEING.contains(word));
    let is_one = QUALITIES.are_opposed(last, then) || (is_being && STATES.are_opposed(last, then));
    is_one && is_told(front)
}

/// `I'm a junior developer`, `I'm a senior developer`.
fn is_of_a_kind(one: &[&str], other: &[&str]) -> bool {
    let differing = |at: &usize| one[*at] != other[*at];
    if one.len() != other.len() {
        return false;
    }
    let mut places = (0..one.len()).filter(differing);
    let (Some(at), None) = (places.next(), places.next()) else {
        return false;
    };
    let is_led = at >= 2 && ARTICLES.contains(one[at - 1]) && BEING.contains(one[at - 2]);
    is_led && at + 2 == one.len() && QUALITIES.are_opposed(one[at], other[at])
}

/// The words up to how it is, which is one word then.
fn words_to_state(words: &[String]) -> Vec<&str> {
    let mut told: Vec<&str> = words.iter().map(String::as_str).collect();
    while told.last().is_some_and(|last| LAST.contains(last)) {
        told.pop();
    }
    if let Some((word, count)) = ROWS.find_end(&told) {
        told.truncate(told.len() - count);
        told.push(word);
    }
    if let Some((last, front)) = told.split_last()
        && STATES.sides_of(last).iter().any(|side| !side.is_first)
        && let Some((being, count)) = ENDED.find_end(front)
    {
        let mut is_over = front[..front.len() - count].to_vec();
        is_over.extend([being, *last]);
        return is_over;
    }
    // `Anna is in the team`, `Anna is out`.
    if let [front @ .., being, within, the, team] = told.as_slice()
        && BEING.contains(being)
        && is_of("in im", within)
        && is_of("the our team", the)
        && is_of("team squad group project crew rotation", team)
    {
        let mut short = front.to_vec();
        short.extend([*being, "in"]);
        return short;
    }
    told
}

/// The same of Chinese, Japanese and Korean: rows divided by `|`.
mod unspaced {
    pub(super) const STATES: [(&str, &str); 2] = [
        (
            "进行中|處理中|处理中|未解决|未完成|進行中|対応中|継続中|未解決|진행 중|진행중|미해결",
            "已结束|结束|已完成|完成|已解决|解决|已关闭|终了|終了|完了|解決済み|解決|終わり|종료|완료|해결|끝났",
        ),
        (
            "简短|简洁|短く|簡潔に|짧게|간결하게",
            "详细|冗长|长|詳しく|長く|길게|자세히|자세하게",
        ),
    ];
    /// What ends a sentence, and says nothing of how it is.
    pub(super) const ENDINGS: &str = "しました|になりました|なりました|ました|しています|ています|している|してください|ください|です|して|した|됐습니다|\
        되었습니다|했습니다|습니다|입니다|해 주세요|하세요|해줘|됐다|되었다|이다|了|一些|点|的|。|！|.|!| ";
    /// In front of how it is.
    pub(super) const IDLE: &str =
        "已经|已經|正在|现在|現在|还在|仍在|もう|まだ|이미|아직|要|写得|得|尽量|请| ";
}

/// Whether two texts in such a script end with contrary words behind the same.
pub(super) fn is_contrary_unspaced(older: &str, newer: &str) -> bool {
    let (one, other) = (strip_endings(older), strip_endings(newer));
    let mut pairs = unspaced::STATES.iter();
    let front = |text: &str, rows: &str| -> Option<String> {
        let found = rows.split('|').find_map(|row| text.strip_suffix(row))?;
        let front = unspaced::IDLE
            .split('|')
            .fold(found.to_owned(), |text, row| text.replace(row, ""));
        (!front.is_empty()).then_some(front)
    };
    let are_one = |one: Option<String>, other: Option<String>| one.is_some() && one == other;
    pairs.any(|(yes, no)| {
        are_one(front(one, yes), front(other, no)) || are_one(front(one, no), front(other, yes))
    })
}

fn strip_endings(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = unspaced::ENDINGS
        .split('|')
        .find_map(|end| text.strip_suffix(end))
    {
        text = rest;
    }
    text
}
