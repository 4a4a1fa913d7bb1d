//! How a sentence stands to an older one: the same, newer, against it, beside it, or nothing to do with it.
//!
//! What decides is in this order: do both speak of the same, and can only one of them be true? A sentence
//! that only looks alike must not take the place of another: two facts kept is the smaller harm.

use std::collections::BTreeSet;

use mem_recall::versus::{Versus, stand};

use super::said::{Said, Stemmed, Tie};
use super::whole::has_digit;
use super::{counted, ended, means, qualified, words};

/// Vectors this near speak of one subject.
const NEAR_MIN: f32 = 0.86;
/// Values that can stand in each other's place.
const VALUE_NEAR_MIN: f32 = 0.35;
/// Sentences of which one only adds something share so much.
const SAME_SHARED_MIN: f32 = 0.65;
/// Sentences that differ in one place share so much, and so many words.
const FRAME_SHARED_MIN: f32 = 0.6;
const FRAME_WORDS_MIN: usize = 3;
/// The same of sentences without spaces, whose characters are compared.
const UNSPACED_SHARED_MIN: f32 = 0.75;
/// Of sentences that share less, and begin otherwise, no words are compared one by one.
const WORDS_SHARED_MIN: f32 = 0.5;
/// Sentences that share so much are compared so however they begin.
const MOST_SHARED_MIN: f32 = 0.95;
/// So many words in front say what a sentence speaks of that has no verb we know.
const SUBJECT_WORDS: usize = 2;

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

/// How a newer sentence stands to an older one, and how sure that is; nothing where they have nothing to
/// do with each other.
pub(super) fn relate(older: &Said, newer: &Said) -> Option<(Relation, f32)> {
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
    let relation = pair.relation()?;
    Some((relation, share))
}

struct Pair<'s> {
    older: &'s Said,
    newer: &'s Said,
    shared: usize,
    share: f32,
}

impl Pair<'_> {
    /// What their words have in common, unless their order and their little words say better.
    fn relation(&self) -> Option<Relation> {
        let found = self.of_what_is_shared();
        let is_close = found.is_some_and(|one| one != Relation::Beside);
        if !is_close && !self.may_be_turned() {
            return found;
        }
        let beside = Some(Relation::Beside);
        match (stand(&self.older.statement, &self.newer.statement), found) {
            (Versus::Contrary, Some(Relation::Updates)) => found,
            (Versus::Contrary, _) => Some(Relation::Contradicts),
            (Versus::Updated(places), _) if places > 1 => Some(Relation::Updates),
            (Versus::Updated(_), Some(Relation::Same)) => Some(Relation::Updates),
            (Versus::Another, Some(Relation::Same)) => beside,
            (Versus::Another, Some(Relation::Updates)) if !self.is_told_anew() => beside,
            _ => found,
        }
    }

    /// Nearly the same words, or as many and the same to begin with.
    fn may_be_turned(&self) -> bool {
        let begins = self.older.order.first() == self.newer.order.first();
        self.share >= MOST_SHARED_MIN || (begins && self.share >= WORDS_SHARED_MIN)
    }

    /// Whether the newer says by itself that it takes the place of what was: of a role, of a change, of one subject.
    fn is_told_anew(&self) -> bool {
        let newer = self.newer;
        let is_one = self.is_about_the_same() && newer.tie != Tie::Has;
        newer.tie == Tie::Owns || newer.is_change || !newer.gone.is_empty() || is_one
    }

    fn of_what_is_shared(&self) -> Option<Relation> {
        if ended::are_contrary(self.older, self.newer) {
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
        (self.is_about_the_same() || self.is_near()).then_some(Relation::Beside)
    }

    /// One has nothing that the other lacks, and there are no two values.
    fn says_the_same(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let is_within =
            older.content.is_subset(&newer.content) || newer.content.is_subset(&older.content);
        // `from Mei to Kim` has all the words of `it is Mei`, and says otherwise.
        let takes = |one: &Said, other: &Said| {
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
        let figures = |said: &Said| -> Vec<String> {
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

    /// Each has one word that the other lacks.
    fn differs_once(&self) -> bool {
        let only = |one: &Said, other: &Said| one.content.difference(&other.content).count();
        only(self.older, self.newer) == 1 && only(self.newer, self.older) == 1
    }

    /// Word for word the same but for one place, which is not where they say what they speak of.
    fn differs_late(&self) -> bool {
        let (one, other) = (&self.older.order, &self.newer.order);
        let differing: Vec<usize> = one
            .iter()
            .zip(other)
            .enumerate()
            .filter(|(_, (one, other))| one != other)
            .map(|(at, _)| at)
            .collect();
        one.len() == other.len() && differing.len() == 1 && differing[0] >= SUBJECT_WORDS
    }

    /// The same words with and without a no; or the one that was chosen is the one that was not.
    fn says_the_contrary(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let is_alike = self.share >= self.frame_shared_min() && self.shared >= 2;
        let has_turned = older.is_negated != newer.is_negated
            && ((is_alike && self.is_within())
                || (self.is_about_the_same() && meet(&older.value, &newer.value)))
            && !self.chooses_another()
            && stand(&older.statement, &newer.statement) != Versus::Another;
        let is_swapped = meet(&older.gone, &newer.value) && meet(&newer.gone, &older.value);
        let is_chosen = older.tie == Tie::Uses && newer.tie == Tie::Uses && self.share >= 0.5;
        has_turned || (is_swapped && (is_chosen || is_alike) && self.may_be_one_subject())
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
        let is_known = !older.is_empty() && !newer.is_empty() && !meet(older, newer);
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

    /// Both say of the same thing what it is, and it is one at a time.
    fn says_it_anew(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        if older.is_negated != newer.is_negated {
            return false;
        }
        // More than one may review: whoever takes another's place is said to do so now.
        if words::SHARED.contains(newer.verb.as_str()) && newer.tie == Tie::Owns && !newer.is_change
        {
            return false;
        }
        if means::are_other(older, newer) || counted::are_other(older, newer) {
            return true;
        }
        if older.subject.is_empty() && newer.subject.is_empty() {
            let is_choice = older.verb == newer.verb && older.tie == Tie::Uses;
            let is_one_choice = is_choice && self.shared >= 2 && self.differs_once();
            return is_one_choice || (self.is_one_frame() && self.differs_late());
        }
        // `Use it as a name` says what it is used as, and no name.
        if older.verb.ends_with(" as") != newer.verb.ends_with(" as") {
            return false;
        }
        if !self.is_about_the_same() {
            return self.is_shortened();
        }
        let is_choice = older.tie == Tie::Uses && newer.tie == Tie::Uses;
        let is_one = (newer.is_about_one_of && !is_choice)
            || self.is_one_verb()
            || (newer.is_change && older.tie == newer.tie && !is_bare(older) && !is_bare(newer))
            || (newer.is_change && self.differs_once())
            || (older.tie == Tie::Is && has_figures(older, newer))
            || (older.verb == newer.verb
                && ["use", "use for", "prefer for"].contains(&newer.verb.as_str()));
        (is_one && older.tie != Tie::Has) || self.is_one_frame() || self.are_values_near()
    }

    /// Both run in, start at, or listen on something.
    fn is_one_verb(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        older.tie == Tie::Is && older.verb == newer.verb && !is_bare(older)
    }

    /// The very same subject, and there is one.
    fn is_about_the_same(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        if older.subject.is_empty() || newer.subject.is_empty() {
            return false;
        }
        let is_placed = |said: &Said| said.value.iter().any(|stem| is_name(stem));
        older.subject == newer.subject
            || (older.place_subject() == newer.place_subject()
                && is_placed(older)
                && is_placed(newer))
    }

    /// The newer names the subject by some of its words, and says that it changed.
    fn is_shortened(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let left: Vec<&String> = older.subject.difference(&newer.subject).collect();
        newer.is_change
            && newer.tie == older.tie
            && (newer.subject.len() >= 2 || has_figures(older, newer))
            && newer.subject.is_subset(&older.subject)
            && newer.is_about_one_of
            && !left.iter().any(|stem| super::said::is_one_of(stem))
    }

    /// The same sentence with another word in one place, which is not in its subject.
    fn is_one_frame(&self) -> bool {
        let is_one_verb = self.older.verb == self.newer.verb || self.newer.is_change;
        let is_spaced = !self.older.is_unspaced && !self.newer.is_unspaced;
        is_one_verb && is_spaced && self.shared >= FRAME_WORDS_MIN && self.share >= FRAME_SHARED_MIN
    }

    /// Single values of a kind, such as two tools.
    fn are_values_near(&self) -> bool {
        let (older, newer) = (&self.older.value, &self.newer.value);
        // Of a day of the week the figure stands here, which no vector knows.
        let is_word = |value: &Stemmed| value.iter().all(|stem| !stem.starts_with('~'));
        let is_single = older.len() == 1 && newer.len() == 1 && is_word(older) && is_word(newer);
        let text = |value: &Stemmed| value.iter().cloned().collect::<Vec<_>>().join(" ");
        let vector = |value| mem_recall::Table::embedded().vector(&text(value), 8);
        is_single
            && matches!(self.older.tie, Tie::Is | Tie::Uses)
            && self.older.tie == self.newer.tie
            && vector(older)
                .zip(vector(newer))
                .is_some_and(|(one, other)| one.cosine(&other) >= VALUE_NEAR_MIN)
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

/// Whether it says of a thing what it is, in the way in which more than one thing may be said.
fn is_bare(said: &Said) -> bool {
    words::BARE.contains(said.verb.as_str())
}

/// A name with figures in it, such as `eu-west-1`.
fn is_name(stem: &str) -> bool {
    let has = |what: fn(&u8) -> bool| stem.bytes().any(|byte| what(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && stem.contains('-')
}

fn meet(one: &Stemmed, other: &Stemmed) -> bool {
    !one.is_disjoint(other)
}

/// Whether what one says and the other does not is a figure of one shape in both: two dates, two numbers.
fn has_figures(older: &Said, newer: &Said) -> bool {
    let shapes = |one: &Said, other: &Said| -> BTreeSet<String> {
        let value = if one.value.is_empty() {
            &one.content
        } else {
            &one.value
        };
        let figures = value
            .difference(&other.content)
            .filter(|stem| has_digit(stem))
            // Somebody may be off on more days than one.
            .filter(|stem| !stem.starts_with('~') || one.is_on_a_day);
        figures.map(|stem| shape(stem)).collect()
    };
    !shapes(older, newer).is_disjoint(&shapes(newer, older))
}

/// `2026-03-14` -> `9-9-9`.
fn shape(stem: &str) -> String {
    let mut shape = String::new();
    for c in stem.chars() {
        let kind = match c {
            c if c.is_numeric() => '9',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        if !shape.ends_with(kind) {
            shape.push(kind);
        }
    }
    shape
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::said::tests::said;
    use super::*;

    /// Fails with every pair that stands otherwise.
    #[track_caller]
    pub(in crate::dream) fn assert_all(
        pairs: &[(&str, &str)],
        is_right: impl Fn(Option<Relation>) -> bool,
    ) {
        let wrong: Vec<String> = pairs
            .iter()
            .map(|(older, newer)| (older, newer, of(older, newer)))
            .filter(|(.., found)| !is_right(*found))
            .map(|(older, newer, found)| format!("{older} -> {newer}: {found:?}"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn of(older: &str, newer: &str) -> Option<Relation> {
        relate(&said(older), &said(newer)).map(|(relation, _)| relation)
    }

    #[test]
    fn newer_words_on_the_same_thing_take_its_place() {
        let pairs = [
            ("Team standup is at 09:30", "Standup moved to 10:00"),
            (
                "Primary database: PostgreSQL 14",
                "Primary database upgraded to PostgreSQL 16",
            ),
            ("User prefers dark mode", "User now prefers light mode"),
            ("Use 2-space indentation", "Use 4-space indentation"),
            (
                "Office is closed on Fridays",
                "Office is open on Fridays now",
            ),
            (
                "Project deadline is June 1, 2026",
                "Deadline extended to July 15, 2026",
            ),
            ("We're using Jest", "We moved from Jest to Vitest"),
            (
                "We chose Redis for caching",
                "We replaced Redis with Memcached for caching",
            ),
            ("CI runs on Jenkins", "CI migrated to GitHub Actions"),
            ("Alice is the tech lead", "Bob is the new tech lead"),
            (
                "API base URL is https://api-v1.example.org",
                "API base URL changed to https://api-v2.example.org",
            ),
            ("The payments owner is Alice", "The payments owner is Bob"),
            ("Alice owns payments", "Bob owns payments now"),
            ("Alice owns payments", "Bob owns payments"),
            ("Ann reviews releases", "Ben reviews releases now"),
            ("Ann reviews releases", "From now on Ben reviews releases"),
            ("The release reviewer is Ann", "The release reviewer is Ben"),
            (
                "Deadline for the Atlas release is 2026-03-14",
                "Atlas release deadline moved to 2026-03-28",
            ),
            (
                "We use Postgres 15 for orders",
                "We use Postgres 16 for orders",
            ),
            (
                "We use Postgres for orders",
                "We switched orders from Postgres to MySQL",
            ),
            ("Use npm for installs", "Use bun instead of npm"),
            (
                "Deploys happen on Tuesdays after standup",
                "Deploys happen on Thursdays after standup",
            ),
            (
                "The API gateway timeout is 30 seconds",
                "The API gateway timeout is now 60 seconds",
            ),
            (
                "User prefers tabs for indentation",
                "User prefers spaces for indentation",
            ),
            (
                "The search request timeout is 20 seconds",
                "Raised the search request timeout from 20 to 50 seconds",
            ),
            (
                "Raised the search request timeout from 20 to 50 seconds",
                "The search request timeout is 30 seconds",
            ),
            (
                "We switched the search database from MongoDB to MySQL",
                "The search database is Redis",
            ),
            (
                "Region of the orders cluster is eu-north-1",
                "The orders cluster moved to us-east-2",
            ),
            (
                "The orders cluster runs in Paris",
                "The orders cluster runs in Frankfurt",
            ),
            (
                "Backups keep 30 days of data",
                "Backups keep 60 days of data",
            ),
            ("Staging runs on heroku", "Staging moved from heroku to fly"),
            (
                "The owner of search is Mei",
                "Owner of search changed from Mei to Kim",
            ),
            (
                "Owner of search changed from Mei to Kim",
                "The search owner is Mei",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }

    #[test]
    fn contraries_are_told() {
        let pairs = [
            (
                "Always run tests before committing",
                "No need to run tests before committing",
            ),
            ("Always squash commits", "Never squash commits"),
            ("Prefer tabs over spaces", "Prefer spaces over tabs"),
            (
                "Use mocks in database tests",
                "Don't use mocks in database tests",
            ),
            (
                "We use Redis for sessions",
                "We no longer use Redis for sessions",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Contradicts));
    }

    #[test]
    fn the_same_in_more_or_fewer_words_is_the_same() {
        let pairs = [
            (
                "Use bun for installs",
                "Always use bun for installs, please",
            ),
            (
                "Staging database is postgres",
                "Staging database is postgres, as ever",
            ),
            ("Use bun, not npm", "Use bun, not npm"),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Same));
    }

    #[test]
    fn what_only_looks_alike_takes_nobodys_place() {
        let pairs = [
            (
                "Server alpha listens on port 8080",
                "Server beta listens on port 9090",
            ),
            (
                "The orders service uses Postgres",
                "The billing service uses MySQL",
            ),
            (
                "Sprint 12 ends on 2026-03-03",
                "Sprint 13 ends on 2026-03-17",
            ),
            ("The API is slow", "The API is versioned by header"),
            (
                "Atlas release is called Borealis",
                "Atlas release deadline moved to 2026-03-28",
            ),
            ("npm registry token is in the vault", "Use bun, not npm"),
            (
                "The orders cluster runs in us-east-2",
                "The orders cluster is slow",
            ),
            ("The cron job runs at 03:00", "The cron job runs on db-7"),
            (
                "User prefers dark mode in the editor",
                "User prefers vim keys in the editor",
            ),
            (
                "Atlas release freeze starts on 2026-03-20",
                "Atlas release deadline is 2026-03-28",
            ),
            (
                "The catalog service owner is now Kim",
                "Owner of the media service changed from Kim to Bob",
            ),
            (
                "Customer 2 asked for payments exports in format 2",
                "Customer 5 asked for payments exports in format 5",
            ),
            (
                "Customer 2 asked for payments exports",
                "Customer 5 asked for payments exports",
            ),
            (
                "The pricing deadline of site 4 is now 0",
                "The pricing deadline of site 0 is now 4",
            ),
            ("Alice has a dog", "Alice has a keyboard"),
            ("Alice is off on Mondays", "Alice is off on Fridays"),
            (
                "The parser is called twice",
                "The parser is called from main",
            ),
            ("Never push on Fridays", "Never push without a review"),
            (
                "We use Postgres 15 for orders",
                "We use Postgres 15 for billing",
            ),
            (
                "The payments owner is Alice",
                "The payments deadline is 2026-03-03",
            ),
            (
                "We use Redis for sessions",
                "We also use Memcached for sessions",
            ),
            ("Ann reviews releases", "Ben reviews releases"),
            ("Ann reviews releases", "Ben also reviews releases"),
            (
                "Ann reviews the releases of the app",
                "Ben reviews the releases of the app",
            ),
            ("Alice owns payments", "Bob reviews payments"),
            ("Alice owns payments", "Bob also owns payments"),
        ];
        assert_all(&pairs, |found| {
            matches!(found, None | Some(Relation::Beside))
        });
    }

    #[test]
    fn pairs_that_words_tell_one_by_one_stand_as_they_are_labelled() {
        let lines = include_str!("../../../mem-recall/eval/versus.jsonl").lines();
        let mut wrong = Vec::new();
        for line in lines {
            let pair: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| pair[key].as_str().unwrap().to_owned();
            let (label, old, new) = (text("label"), text("old"), text("new"));
            let found = of(&old, &new);
            let gives_way = matches!(found, Some(Relation::Updates | Relation::Contradicts));
            let is_right = match label.as_str() {
                "contrary" | "updated" => gives_way,
                // Another address is where a thing has moved to.
                "another" if old.contains("://") => true,
                "another" => matches!(found, None | Some(Relation::Beside)),
                "same" => found == Some(Relation::Same),
                _ => true,
            };
            if !is_right {
                wrong.push(format!("{label}, and {found:?}: {old} -> {new}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
