//! How a sentence stands to an older one: the same, newer, against it, beside it, or nothing to do with it.
//!
//! What decides is in this order: do both speak of the same, and can only one of them be true? A sentence
//! that only looks alike must not take the place of another: two facts kept is the smaller harm.

mod anew;

use mem_recall::versus::{StatementRelation, compare_statements};

use super::said::{ParsedSentence, Stemmed, Tie};
use super::whole::has_digit;
use super::{ended, qualified, words};

/// Vectors this near speak of one subject.
const NEAR_MIN: f32 = 0.86;
/// Sentences of which one only adds something share so much.
const SAME_SHARED_MIN: f32 = 0.65;
/// Sentences that differ in one place share so much.
const FRAME_SHARED_MIN: f32 = 0.6;
/// The same of sentences without spaces, whose characters are compared.
const UNSPACED_SHARED_MIN: f32 = 0.75;
/// Of sentences that share less, and begin otherwise, no words are compared one by one.
const WORDS_SHARED_MIN: f32 = 0.5;
/// But where the one says no and the other yes.
const TURNED_SHARED_MIN: f32 = 0.3;
/// Sentences that share so much are compared so however they begin.
const MOST_SHARED_MIN: f32 = 0.95;

/// How the newer stands to the older.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dream) enum Relation {
    /// It speaks of the same subject.
    Beside,
    /// It says what the older said, otherwise by now.
    Updates,
    /// It says the contrary.
    Contradicts,
    /// It says the same.
    Same,
}

/// How a newer sentence stands to an older one, and how sure that is; nothing where they have nothing to
/// do with each other.
pub(in crate::dream) fn relate_sentences(
    older: &ParsedSentence,
    newer: &ParsedSentence,
) -> Option<(Relation, f32)> {
    let shared = older.content.intersection(&newer.content).count();
    if shared == 0 {
        return None;
    }
    let all = older.content.len() + newer.content.len();
    let share = 2.0 * shared as f32 / all as f32;
    let pair = Pair {
        older,
        newer,
        shared,
        share,
    };
    let relation = pair.find_relation()?;
    Some((relation, share))
}

struct Pair<'s> {
    older: &'s ParsedSentence,
    newer: &'s ParsedSentence,
    shared: usize,
    share: f32,
}

impl Pair<'_> {
    /// What their words have in common, unless their order and their little words say better.
    fn find_relation(&self) -> Option<Relation> {
        let found = self.of_what_is_shared();
        // What opens at 9 may close at 18.
        if self.older.statement.is_other_end(&self.newer.statement) {
            return self.weak_relation();
        }
        match self.older.statement.compare_choices(&self.newer.statement) {
            Some(StatementRelation::Another) => return self.weak_relation(),
            Some(StatementRelation::Same) => return Some(Relation::Same),
            _ => {}
        }
        let is_close = found.is_some_and(|one| one != Relation::Beside);
        if !is_close && !self.may_be_turned() {
            return found;
        }
        let beside = Some(Relation::Beside);
        match (
            compare_statements(&self.older.statement, &self.newer.statement),
            found,
        ) {
            (StatementRelation::Same, Some(Relation::Updates | Relation::Contradicts))
                if self.says_no_twice() =>
            {
                Some(Relation::Same)
            }

            (StatementRelation::Contrary, Some(Relation::Updates)) => found,
            (StatementRelation::Contrary, _) => Some(Relation::Contradicts),
            (StatementRelation::Updated(places), _) if places > 1 => Some(Relation::Updates),
            (StatementRelation::Updated(_), Some(Relation::Same)) => Some(Relation::Updates),
            (StatementRelation::Another, Some(Relation::Same)) => beside,
            (StatementRelation::Another, Some(Relation::Updates)) if !self.is_told_anew() => beside,
            // What goes from here to there may go back as well.
            // What goes from here to there may go back as well.
            (StatementRelation::Another, Some(_)) if self.has_other_roles() => beside,
            _ => found,
        }
    }

    /// The same words in another order, and no change.
    fn has_other_roles(&self) -> bool {
        self.older.content == self.newer.content && !self.newer.is_change
    }

    /// Nearly the same words, or as many and the same to begin with.
    fn may_be_turned(&self) -> bool {
        let begins = self.older.order.first() == self.newer.order.first();
        self.share >= MOST_SHARED_MIN
            || (begins && self.share >= WORDS_SHARED_MIN)
            || (self.share >= TURNED_SHARED_MIN && self.is_against())
    }

    /// One says no and the other yes, whatever they speak of.
    fn is_against(&self) -> bool {
        self.older.statement.is_against(&self.newer.statement)
    }

    /// Whether the newer says by itself that it takes the place of what was: of a role, of a change, of one subject.
    fn is_told_anew(&self) -> bool {
        let newer = self.newer;
        let is_one = self.is_about_the_same() && newer.tie != Tie::Has;
        newer.tie == Tie::Owns || newer.is_change || !newer.gone.is_empty() || is_one
    }

    fn of_what_is_shared(&self) -> Option<Relation> {
        let is_apart = || self.is_against() && self.speaks_of_another();
        if ended::are_contrary(self.older, self.newer) && !is_apart() {
            return Some(Relation::Contradicts);
        }
        if self.says_the_contrary() && !qualified::are_two_cases(self.older, self.newer) {
            return Some(Relation::Contradicts);
        }
        if self.says_the_same() {
            return Some(Relation::Same);
        }
        if self.newer.is_beside {
            return self.is_near().then_some(Relation::Beside);
        }
        let is_other = qualified::are_two_facts(self.older, self.newer);
        if !is_other && (self.takes_back() || self.says_it_anew()) {
            return Some(Relation::Updates);
        }
        self.weak_relation()
    }

    fn weak_relation(&self) -> Option<Relation> {
        (self.is_about_the_same() || self.is_near()).then_some(Relation::Beside)
    }

    /// One has nothing that the other lacks, and there are no two values.
    fn says_the_same(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let is_within =
            older.content.is_subset(&newer.content) || newer.content.is_subset(&older.content);
        // `from Mei to Kim` has all the words of `it is Mei`, and says otherwise.
        let takes = |one: &ParsedSentence, other: &ParsedSentence| {
            let mut gone = one.gone.difference(&other.gone);
            gone.any(|stem| other.content.contains(stem))
        };
        let is_turned = takes(newer, older) || takes(older, newer);
        let is_alike = older.is_negated == newer.is_negated && self.share >= SAME_SHARED_MIN;
        let is_one = newer
            .whole
            .is_one_with(&newer.gone, &older.whole, &older.gone);
        is_within
            && is_alike
            && is_one
            && !is_turned
            && self.may_be_one_subject()
            && self.are_figures_one()
    }

    /// The figures of one are those of the other, in their order: `site 4 is 0` is not `site 0 is 4`.
    fn are_figures_one(&self) -> bool {
        let figures = |said: &ParsedSentence| -> Vec<String> {
            let all = said.order.iter().filter(|stem| has_digit(stem));
            all.cloned().collect()
        };
        let (one, other) = (figures(self.older), figures(self.newer));
        let (short, long) = if one.len() <= other.len() {
            (one, other)
        } else {
            (other, one)
        };
        let mut rest = long.iter();
        short.iter().all(|figure| rest.any(|one| one == figure))
    }

    /// The same words with and without a no; or the one that was chosen is the one that was not.
    fn says_the_contrary(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let is_alike = self.share >= self.frame_shared_min() && self.shared >= 2;
        let has_turned = older.is_negated != newer.is_negated
            && ((is_alike && self.is_within())
                || (self.is_about_the_same() && shares_stem(&older.value, &newer.value)))
            && !self.chooses_another()
            && !self.says_no_twice()
            && self.is_limited_alike()
            && !self.speaks_of_another();
        let is_swapped =
            shares_stem(&older.gone, &newer.value) && shares_stem(&newer.gone, &older.value);
        let is_chosen = older.tie == Tie::Uses && newer.tie == Tie::Uses && self.share >= 0.5;
        has_turned || (is_swapped && (is_chosen || is_alike) && self.may_be_one_subject())
    }

    /// What is `optional` is not `needed`: both say no, in other words.
    fn says_no_twice(&self) -> bool {
        self.older.statement.is_no() && self.newer.statement.is_no()
    }

    /// `Never`, and `only after a review`: an exception denies nothing.
    fn is_limited_alike(&self) -> bool {
        let limits = |said: &ParsedSentence| -> Stemmed {
            let words = said.whole.words.iter();
            words
                .filter(|word| words::LIMITS.contains(word.as_str()))
                .cloned()
                .collect()
        };
        limits(self.older).is_superset(&limits(self.newer))
    }

    /// Word by word it is said of another thing.
    fn speaks_of_another(&self) -> bool {
        compare_statements(&self.older.statement, &self.newer.statement)
            == StatementRelation::Another
    }

    /// One names nothing that the other does not: a no to Podman is none to Docker. Characters do not tell that.
    fn is_within(&self) -> bool {
        let (older, newer) = (&self.older.content, &self.newer.content);
        let is_unspaced = self.older.is_unspaced || self.newer.is_unspaced;
        is_unspaced || older.is_subset(newer) || newer.is_subset(older)
    }

    /// Of sentences whose characters are compared one says no to one thing, and the other yes to another.
    fn chooses_another(&self) -> bool {
        let (older, newer) = (&self.older.value, &self.newer.value);
        let is_known = !older.is_empty() && !newer.is_empty() && !shares_stem(older, newer);
        is_known && self.older.is_unspaced && self.newer.is_unspaced
    }

    /// Characters are shared sooner than words.
    fn frame_shared_min(&self) -> f32 {
        match self.older.is_unspaced || self.newer.is_unspaced {
            true => UNSPACED_SHARED_MIN,
            false => FRAME_SHARED_MIN,
        }
    }

    /// Neither names a thing that the other does not.
    fn may_be_one_subject(&self) -> bool {
        let (one, other) = (&self.older.subject, &self.newer.subject);
        one.is_subset(other) || other.is_subset(one)
    }

    /// The newer names what the older says as what holds no longer.
    fn takes_back(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let gone = &newer.gone;
        if gone.is_empty() || !gone.is_subset(&older.content) || !gone.is_disjoint(&older.gone) {
            return false;
        }
        if !self.may_be_one_subject() {
            return false;
        }
        let is_value = gone.is_subset(&older.value);
        let others = self.shared - gone.len().min(self.shared);
        match (older.tie, is_value) {
            (Tie::Uses, true) => others > 0 || older.subject.is_empty() || newer.subject.is_empty(),
            (_, true) => others > 0,
            // All else that the older says stands in the newer too.
            (Tie::None, false) => {
                let is_all = newer.is_change && older.content.is_subset(&newer.content);
                others > usize::from(!is_all)
            }
            _ => false,
        }
    }

    /// The very same subject, and there is one.
    fn is_about_the_same(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        if older.subject.is_empty() || newer.subject.is_empty() {
            return false;
        }
        let is_placed = |said: &ParsedSentence| said.value.iter().any(|stem| is_name(stem));
        older.subject == newer.subject
            || (older.place_subject() == newer.place_subject()
                && is_placed(older)
                && is_placed(newer))
    }

    /// Of two things that are named, one is the other or a part of it, and the texts are alike.
    fn is_near(&self) -> bool {
        if !self.may_be_one_subject() {
            return false;
        }
        let vectors = self.older.vector.as_ref().zip(self.newer.vector.as_ref());
        vectors.is_some_and(|(one, other)| one.cosine(other) >= NEAR_MIN)
    }
}

/// A name with figures in it, such as `eu-west-1`.
fn is_name(stem: &str) -> bool {
    let has = |what: fn(&u8) -> bool| stem.bytes().any(|byte| what(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && stem.contains('-')
}

fn shares_stem(one: &Stemmed, other: &Stemmed) -> bool {
    !one.is_disjoint(other)
}

#[cfg(test)]
pub(super) mod tests;
