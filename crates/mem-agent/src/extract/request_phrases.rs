//! Requests: those to remember something, and those that are worded as questions, which are instructions ("could you
//! always .."); and questions, which are not.

use mem_recall::lexicon::WordList;
use std::borrow::Cow;

use super::language::{RuleLanguage, detect_languages};
use super::rules::PatternMark;

/// A sentence; of a request that is worded as a question, what is asked for.
pub(super) fn asked_for(plain: &str) -> Cow<'_, str> {
    let all = detect_languages(plain).into_iter();
    let asked = all
        .filter_map(RuleLanguage::rules)
        .find_map(|rules| rules.text_after_mark(plain, PatternMark::Polite));
    match asked.filter(|asked| !asks_for_facts(plain, asked)) {
        Some(asked) => Cow::Owned(asked.trim_end_matches(['?', '？']).to_owned()),
        None => Cow::Borrowed(plain),
    }
}

/// What a sentence plainly asks to have remembered: "please remember this: never force push".
pub(super) fn requested_memory(plain: &str) -> Option<&str> {
    static REQUESTS: WordList = WordList::of(&["memory_requests"]);
    static LEADS: WordList = WordList::of(&["statement_leads"]);
    if let Some(statement) = without_request_end(plain) {
        return Some(statement);
    }
    let mut rest = plain;
    loop {
        if let Some(request) = REQUESTS.prefix_len(rest) {
            return Some(rest[request..].trim_start());
        }
        rest = rest[LEADS.prefix_len(rest)?..].trim_start();
    }
}

/// A statement without the request that it ends with: "we ship on fridays, remember that".
pub(super) fn without_request_end(text: &str) -> Option<&str> {
    static ENDS: WordList = WordList::of(&["memory_request_ends"]);
    ENDS.strip_end(text.trim_end_matches(['.', '!', ' ']))
}

/// Whether a sentence ends as a question does: "one at a time, ok?" asks nothing.
pub(super) fn is_question(plain: &str) -> bool {
    const TAGS: [&str; 8] = [
        "ok?",
        "okay?",
        "alright?",
        "all right?",
        "please?",
        "pls?",
        "ja?",
        "d'accord?",
    ];
    plain.ends_with(['?', '？']) && !TAGS.iter().any(|tag| plain.ends_with(tag))
}

/// Whether "can you always assume .." asks what is so, not to do it.
pub(super) fn asks_for_facts(plain: &str, asked: &str) -> bool {
    static KNOWING: WordList = WordList::of(&["knowing"]);
    let mut words = asked.split_whitespace();
    let verb =
        words.find(|word| !matches!(*word, "always" | "ever" | "never" | "really" | "still"));
    let is_about_what_is = verb.is_some_and(|verb| KNOWING.contains(verb));
    let bids = [
        "please",
        "could you",
        "would you",
        "from now on",
        "from here on",
    ];
    is_about_what_is && !bids.iter().any(|one| plain.contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_with_a_tag_asks_nothing() {
        assert!(is_question("is that one at a time?") && is_question("以后都这样吗？"));
        assert!(
            !is_question("one question at a time, ok?") && !is_question("one question at a time")
        );
    }

    #[test]
    fn what_follows_a_request_to_remember_is_what_is_remembered() {
        for (said, rest) in [
            ("remember this: never force push", "never force push"),
            (
                "ok, please add to memory: we ship on fridays",
                "we ship on fridays",
            ),
            (
                "merk dir, dass wir freitags liefern",
                "wir freitags liefern",
            ),
            ("记住：不要提交到 main", "不要提交到 main"),
            ("we ship on fridays, remember that.", "we ship on fridays"),
        ] {
            assert_eq!(requested_memory(said), Some(rest));
        }
        for said in [
            "remember to run the tests",
            "do you remember this?",
            "ok, never force push",
        ] {
            assert_eq!(requested_memory(said), None, "{said}");
        }
    }

    #[test]
    fn a_request_is_what_it_asks_for_and_a_question_stays_one() {
        for (said, asked) in [
            ("can you always run the linter?", "always run the linter"),
            ("could you please assume utc?", "assume utc"),
            ("kannst du bitte immer erst fragen?", "immer erst fragen"),
        ] {
            assert_eq!(asked_for(said), asked);
        }
        for said in [
            "can you always assume that the list is sorted?",
            "can you really rely on that?",
            "why do you always ask?",
        ] {
            assert_eq!(asked_for(said), said);
        }
    }
}
