//! Whether something holds or has ended: `Python 3.8 stays supported`, `Python 3.8 is dropped`.
//!
//! No word of no stands in either, and they say the contrary of each other. Both have to speak of the very same thing.

use super::said::{ParsedSentence, Stemmed, Tie};
use super::words;

/// Beginnings of words that say that something is there, goes on, or is wanted.
const HOLDS: [&str; 16] = [
    "support",
    "stay",
    "remain",
    "kept",
    "keep",
    "enabl",
    "allow",
    "requir",
    "maintain",
    "activ",
    "availabl",
    "live",
    "mandator",
    "continu",
    "permit",
    "unterstutz",
];
/// Of those that say that it is over.
const ENDS: [&str; 21] = [
    "drop",
    "remov",
    "deprec",
    "retir",
    "gone",
    "discontinu",
    "unsupport",
    "disabl",
    "forbid",
    "forbidden",
    "ban",
    "banned",
    "abandon",
    "cancel",
    "cancell",
    "obsolet",
    "sunset",
    "kill",
    "delet",
    "inact",
    "decommiss",
];

/// Of both, those that say whether something may be.
const ALLOWED: [&str; 6] = ["allow", "permit", "forbid", "forbidden", "ban", "banned"];

/// Whether one says that something holds and the other that the same has ended.
pub(super) fn are_contrary(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    let (Some(before), Some(after)) = (is_in_force(older), is_in_force(newer)) else {
        return false;
    };
    let (one, other) = (subject_stems(older), subject_stems(newer));
    // What has ended as a whole is there for nothing any more.
    let what = match older.tie {
        Tie::Uses => &older.value,
        _ => &older.subject,
    };
    let is_whole = !after && *what == other;
    before != after && !other.is_empty() && (one == other || is_whole)
}

/// Whether it says that something holds, or has ended; nothing where it says neither.
fn is_in_force(said: &ParsedSentence) -> Option<bool> {
    // `Nothing is dropped` is turned round by its no, and of `support was removed` the last word counts.
    // `Ends on Friday` goes on until then.
    let is_ended = |stem: &str| stem == "end" && said.text.contains("ended");
    let mut words = said.order.iter().rev();
    let last = words.find_map(|stem| match () {
        // `Is not forbidden`: such a word is a no itself, and read with the others.
        () if is_of(&ALLOWED, stem) => Some(said.is_negated == said.statement.is_no()),
        () if is_of(&ENDS, stem) || is_ended(stem) => Some(false),
        () if is_of(&HOLDS, stem) => Some(true),
        () => None,
    });
    let is_used = (said.tie == Tie::Uses).then_some(true);
    last.or(is_used).map(|holds| holds != said.is_negated)
}

/// What it speaks of.
fn subject_stems(said: &ParsedSentence) -> Stemmed {
    let all = said.content.iter();
    all.filter(|stem| !is_of(&HOLDS, stem) && !is_of(&ENDS, stem) && *stem != "end")
        .filter(|stem| !words::USES.contains(stem.as_str()))
        .cloned()
        .collect()
}

/// Stems of one word differ by their endings, and `discontinued` is none of `continued`.
fn is_of(list: &[&str], stem: &str) -> bool {
    list.iter().any(|word| {
        let rest = stem.strip_prefix(word);
        rest.is_some_and(|rest| rest.len() <= 2)
    })
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn what_has_ended_is_against_what_holds() {
        let pairs = [
            ("Python 3.8 stays supported", "Python 3.8 is dropped"),
            (
                "Python 3.8 is supported",
                "Support for Python 3.8 was removed",
            ),
            ("We support Python 3.8", "Python 3.8 is deprecated now"),
            ("The export endpoint stays", "The export endpoint is gone"),
            (
                "Telemetry is enabled in staging",
                "Telemetry is disabled in staging",
            ),
            ("Python 3.8 is dropped", "Python 3.8 stays supported"),
            (
                "We use Redis for sessions",
                "Redis was dropped for sessions",
            ),
            ("We use Jenkins for releases", "Jenkins was removed"),
            (
                "The legacy exporter is kept for the tax office",
                "The legacy exporter is gone",
            ),
            (
                "Support for Windows 10 remains",
                "Support for Windows 10 has ended",
            ),
        ];
        assert_all(&pairs, |found| {
            matches!(found, Some(Relation::Contradicts | Relation::Updates))
        });
    }

    #[test]
    fn what_has_ended_of_something_else_takes_nobodys_place() {
        let pairs = [
            ("Python 3.8 stays supported", "Python 3.7 is dropped"),
            (
                "Python 3.8 stays supported",
                "Python 3.8 is dropped in the SDK",
            ),
            (
                "Telemetry is enabled in staging",
                "Telemetry is disabled in production",
            ),
            ("The export endpoint stays", "The import endpoint is gone"),
            (
                "We use Jenkins for releases",
                "The Jenkins plugin was removed",
            ),
            ("Python 3.8 is dropped", "Python 3.8 was removed"),
            ("Python 3.8 stays supported", "Python 3.8 is not dropped"),
        ];
        assert_all(&pairs, |found| {
            !matches!(found, Some(Relation::Contradicts | Relation::Updates))
        });
    }
}
