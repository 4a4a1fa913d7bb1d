//! With what something is done, where nothing else ties: `we deploy with Jenkins`.
//!
//! Only what says that it is so by now takes the place of other means: much is done with more than one.

use super::said::{ParsedSentence, Stemmed, Word, content_stems};
use super::words;

/// Where the means are told.
const WITH: [&str; 6] = ["with", "via", "through", "mit", "con", "avec"];
/// More words are no name.
const NAME_STEMS_MAX: usize = 3;

/// What is done, and with what.
#[derive(Clone, Debug)]
pub(super) struct Means {
    done: Stemmed,
    with: Stemmed,
}

/// Reads the words of a clause in which none ties.
pub(super) fn read(words: &[Word]) -> Option<Means> {
    let is_with = |word: &Word| WITH.contains(&word.low.as_str());
    let at = words.iter().position(is_with)?;
    let (done, with) = (&words[..at], &words[at + 1..]);
    // `with Jenkins and Ansible`, `with Jenkins in staging` say more than one thing.
    let is_more = |word: &Word| {
        let low = word.low.as_str();
        words::BREAKS.contains(low) || words::WHERE.contains(low) || is_with(word)
    };
    let is_one = !with.iter().any(is_more);
    let (done, with) = (content_stems(done), content_stems(with));
    let is_named = !with.is_empty() && with.len() <= NAME_STEMS_MAX;
    (is_one && is_named && !done.is_empty()).then_some(Means { done, with })
}

/// Whether the newer says that the same is done with something else by now.
pub(super) fn are_other(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    let both = older.means.as_ref().zip(newer.means.as_ref());
    let is_other = |(one, other): (&Means, &Means)| {
        one.done == other.done && one.with.is_disjoint(&other.with)
    };
    newer.is_change && !older.is_negated && !newer.is_negated && both.is_some_and(is_other)
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn other_means_by_now_take_the_place_of_means() {
        let pairs = [
            (
                "We deploy with Jenkins",
                "We deploy with GitHub Actions now",
            ),
            (
                "Wir deployen mit Jenkins",
                "Wir deployen jetzt mit Buildkite",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }

    #[test]
    fn further_means_take_nobodys_place() {
        let pairs = [
            ("We deploy with Jenkins", "We deploy with GitHub Actions"),
            ("We deploy with Jenkins", "We now build with GitHub Actions"),
            (
                "We deploy with Jenkins",
                "We also deploy with Buildkite now",
            ),
            (
                "We deploy with Jenkins",
                "We deploy with Buildkite in staging now",
            ),
            (
                "We deploy the gateway with Jenkins",
                "We deploy search with Buildkite now",
            ),
        ];
        assert_all(&pairs, |found| {
            matches!(found, None | Some(Relation::Beside))
        });
    }
}
