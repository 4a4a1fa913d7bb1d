//! All that a text says, its reason and its further sentences too.
//!
//! What may be left out where two texts are compared may not be lost where one takes the other's place.

use super::said::Stemmed;

/// A text with every word that counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Whole {
    /// The stems of all of it, with the words that narrow what it says.
    pub(super) words: Stemmed,
    /// The stems that are written as names.
    pub(super) names: Stemmed,
    /// Whether it says no to anything.
    pub(super) says_no: bool,
}

impl Whole {
    /// Whether all that it says stands in another too.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.words.is_subset(&other.words) && self.says_no == other.says_no
    }

    /// Whether one has all of the other, and neither a figure, a name or a no of its own. What they say
    /// holds no longer is no word of theirs.
    pub(super) fn is_one_with(&self, gone: &Stemmed, other: &Self, other_gone: &Stemmed) -> bool {
        let is_known = |stem: &String, there: &Self, gone: &Stemmed| {
            there.words.contains(stem) || gone.contains(stem)
        };
        let has_new = |one: &Self, gone: &Stemmed, there: &Self| {
            let figures = one.words.iter().filter(|stem| has_digit(stem));
            let mut all = figures.chain(&one.names);
            all.any(|stem| !is_known(stem, there, gone))
        };
        (self.is_within(other) || other.is_within(self))
            && !has_new(self, gone, other)
            && !has_new(other, other_gone, self)
    }
}

pub(super) fn has_digit(stem: &str) -> bool {
    stem.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a word is written as a name is, at a place that asks for no capital.
pub(super) fn is_name(word: &str, is_first: bool) -> bool {
    let mut chars = word.chars().filter(|c| c.is_alphabetic());
    let first = chars.next().is_some_and(char::is_uppercase);
    (first && !is_first) || chars.any(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn what_does_not_say_the_same_is_not_taken_for_it() {
        let pairs = [
            (
                "Deploys go out on Tuesdays",
                "Deploys go out on Thursdays now, no longer on Tuesdays",
            ),
            (
                "We are moving off Redis because of the licence",
                "Redis stays, the move was cancelled",
            ),
            (
                "The retention of audit logs is 90 days",
                "The retention of audit logs is 30 days in dev and 90 days in production",
            ),
            (
                "Staging database is postgres",
                "Staging database is postgres 16",
            ),
            (
                "Use bun for installs because npm is slow",
                "Use bun for installs because the lockfile is smaller",
            ),
            (
                "Run the migrations before the deploy",
                "Run the migrations after the deploy",
            ),
            (
                "Invoices go to the customer",
                "Invoices go to the customer, and to Kim",
            ),
            (
                "Use bun for installs",
                "Use bun for installs. Not on the build host",
            ),
        ];
        assert_all(&pairs, |found| found != Some(Relation::Same));
    }

    #[test]
    fn what_gives_way_to_other_figures_is_retired() {
        let pairs = [
            (
                "Deploys go out on Tuesdays",
                "Deploys go out on Thursdays now, no longer on Tuesdays",
            ),
            (
                "The retention of audit logs is 90 days",
                "The retention of audit logs is 30 days in dev and 90 days in production",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }

    #[test]
    fn the_same_with_its_reason_is_the_same() {
        let pairs = [
            (
                "We use pnpm, not npm, because of the workspaces",
                "We use pnpm and not npm because of workspaces",
            ),
            (
                "Use bun for installs",
                "Use bun for installs because it is faster",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Same));
    }
}
