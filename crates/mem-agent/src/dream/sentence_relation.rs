//! How a sentence stands to an older one: the same, newer, against it, beside it, or nothing to do with it.
//!
//! [`mem_recall::versus`] tells yes from no, one choice from the other, and one thing from another. What it leaves open
//! is told by one rule: all is the same but for one value, of which there is one at a time. A sentence that only looks
//! alike must not take the place of another: two facts kept is the smaller harm.

use mem_recall::Table;
use mem_recall::versus::{StatementRelation, compare_statements};

use super::sentence::{Kind, Sentence, Word};
use super::words;

/// Vectors this near speak of one subject.
const NEAR_MIN: f32 = 0.86;
/// Sentences that share less have nothing to do with each other.
const SHARED_MIN: f32 = 0.3;
/// Sentences of which one only adds something share so much.
const SAME_SHARED_MIN: f32 = 0.65;
/// Values this near are of a kind, such as two tools.
const VALUE_NEAR_MIN: f32 = 0.1;

/// How the newer stands to the older.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// It speaks of the same subject.
    Beside,
    /// It says what the older said, otherwise by now.
    Updates,
    /// It says the contrary.
    Contradicts,
    /// It says the same.
    Same,
}

/// How a newer sentence stands to an older one, and how sure that is; nothing where they have nothing to do with each
/// other.
pub(super) fn relate_sentences(older: &Sentence, newer: &Sentence) -> Option<(Relation, f32)> {
    let shared = older.stems.intersection(&newer.stems).count();
    let is_related = shared > 0 || !newer.gone.is_disjoint(&older.stems);
    let all = older.stems.len() + newer.stems.len();
    let share = 2.0 * shared as f32 / all.max(1) as f32;
    if !is_related
        || older.is_unspaced != newer.is_unspaced
        || (newer.gone.is_empty() && share < SHARED_MIN)
    {
        return None;
    }
    let pair = Pair {
        older,
        newer,
        share,
    };
    Some((pair.find_relation()?, share))
}

struct Pair<'s> {
    older: &'s Sentence,
    newer: &'s Sentence,
    share: f32,
}

impl Pair<'_> {
    fn find_relation(&self) -> Option<Relation> {
        let (one, other) = (&self.older.statement, &self.newer.statement);
        if one.is_other_end(other) {
            return self.weak_relation();
        }
        let found = compare_statements(one, other);
        if found == StatementRelation::Contrary {
            return Some(Relation::Contradicts);
        }
        if self.newer.is_beside || one.is_against(other) {
            return self.weak_relation();
        }
        match found {
            StatementRelation::Same | StatementRelation::Open if self.says_the_same() => {
                Some(Relation::Same)
            }
            StatementRelation::Same => self.weak_relation(),
            _ if self.has_new_value(found) => Some(Relation::Updates),
            _ => self.weak_relation(),
        }
    }

    /// All that one names, the other names too, and the texts are alike.
    fn weak_relation(&self) -> Option<Relation> {
        let names_more = |one, other| only_words(one, other).any(|word| !word.is_behind);
        let is_one_off_task =
            !names_more(self.older, self.newer) || !names_more(self.newer, self.older);
        let vectors = self.older.vector.as_ref().zip(self.newer.vector.as_ref());
        let is_near = vectors.is_some_and(|(one, other)| one.cosine(other) >= NEAR_MIN);
        (is_one_off_task && is_near).then_some(Relation::Beside)
    }

    /// One has all that the other has, which adds no value and no limit; and the values are in one order.
    fn says_the_same(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let limits = |one: &Sentence| -> Vec<String> {
            let all = one.stems.iter();
            let limits = all.filter(|stem| words::LIMITS.contains(stem));
            limits.cloned().collect()
        };
        let mut own = only_words(older, newer).chain(only_words(newer, older));
        (older.is_within(newer) || newer.is_within(older))
            && !own.any(|word| word.is_direct)
            && self.share >= SAME_SHARED_MIN
            && older.values == newer.values
            && older.gone.is_disjoint(&newer.stems)
            && newer.gone.is_disjoint(&older.stems)
            && limits(older) == limits(newer)
    }

    /// All is the same but for one value, of which there is one at a time.
    fn has_new_value(&self, found: StatementRelation) -> bool {
        let (older, newer) = (self.older, self.newer);
        let mut before: Vec<&Word> = only_words(older, newer).collect();
        let after: Vec<&Word> = only_words(newer, older).collect();
        // `Standup moved to 10:00` names by fewer words what was named before.
        let log_only_reason = |word: &&Word| !word.is_behind && word.kind == Kind::Plain;
        let left = before.iter().position(log_only_reason);
        if let Some(left) = left.filter(|_| newer.is_change) {
            before.remove(left);
        }
        let kinds = value_kind(older, &before).zip(value_kind(newer, &after));
        let Some(kinds) = kinds else { return false };
        if before.iter().any(|word| newer.gone.contains(&word.stem)) {
            return after[0].is_behind;
        }
        let is_updated = matches!(found, StatementRelation::Updated(_));
        let is_one_off_task = newer.is_change || newer.is_about_one_of();
        let are_behind = before[0].is_behind && after[0].is_behind;
        let is_of_the_same = newer.words.len() > after.len() && (is_updated || are_behind);
        if !is_of_the_same || (found == StatementRelation::Another && !is_one_off_task) {
            return false;
        }
        let are_direct = before[0].is_direct && after[0].is_direct;
        match kinds {
            (Kind::Figure(one), Kind::Figure(other)) => one == other,
            (Kind::Day, Kind::Day) => are_direct,
            (Kind::Name, Kind::Name) => is_updated || (are_direct && is_one_off_task),
            (Kind::Plain, Kind::Plain) => is_updated && are_near(&before, &after),
            _ => false,
        }
    }
}

/// The words of a first clause that another sentence has not; a thing and its place are one.
fn only_words<'s>(one: &'s Sentence, other: &'s Sentence) -> impl Iterator<Item = &'s Word> {
    let words = one.words.iter();
    words.filter(|word| {
        let is_known = other.words.iter().any(|there| there.stem == word.stem);
        !is_known && !words::PLACES.contains(word.stem.as_str())
    })
}

/// The kind of the one value that some words are; nothing where they are more than one.
fn value_kind(sentence: &Sentence, words: &[&Word]) -> Option<Kind> {
    let (first, rest) = words.split_first()?;
    let at = sentence
        .words
        .iter()
        .position(|word| word.stem == first.stem)?;
    let is_row = rest.iter().enumerate().all(|(offset, word)| {
        let next = sentence.words.get(at + 1 + offset);
        next.is_some_and(|next| next.stem == word.stem) && word.kind == first.kind
    });
    let is_single = rest.is_empty() || first.kind != Kind::Plain;
    (is_row && is_single).then(|| first.kind.clone())
}

/// Whether two values are of a kind.
fn are_near(before: &[&Word], after: &[&Word]) -> bool {
    let vector = |words: &[&Word]| {
        let text: Vec<&str> = words.iter().map(|word| word.stem.as_str()).collect();
        Table::embedded().text_vector(&text.join(" "), 8)
    };
    let vectors = vector(before).zip(vector(after));
    vectors.is_some_and(|(one, other)| one.cosine(&other) >= VALUE_NEAR_MIN)
}

#[cfg(test)]
pub(super) mod tests;
