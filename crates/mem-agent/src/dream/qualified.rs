//! For what, where and by whom a sentence holds: `in dev`, `for v1`, `by the cron job`.
//!
//! Two sentences that hold for different things are two facts, however alike they are.

use super::said::{ParsedSentence, Stemmed, Word};
use super::whole::has_digit;
use super::words;

/// Words that tell what is done, and are not written as most of them are.
const DONE: [&str; 12] = [
    "sent", "built", "kept", "made", "run", "written", "read", "held", "bought", "sold", "paid",
    "set",
];
/// A shorter word with their ending is none.
const DONE_LETTERS_MIN: usize = 5;

/// What a sentence is qualified by.
#[derive(Clone, Debug, Default)]
pub(super) struct Qualified {
    /// All of it.
    all: Stemmed,
    /// The same without what is the very thing that it says: `in Paris` where something runs.
    beside: Stemmed,
    /// What is done, where it says by whom, where, or with what.
    done: Option<String>,
}

/// Reads the words of a clause, of which one ties.
pub(super) fn read(clause: &[&str], words: &[Word], tie: Option<usize>) -> Qualified {
    let mut found = Qualified {
        done: tie.and_then(|at| find_participle(&words[at..])),
        ..Qualified::default()
    };
    let from = tie.map_or(0, |at| at + 1);
    let mut has_value = false;
    for (at, word) in words.iter().enumerate() {
        let low = word.low.as_str();
        if !words::WHERE.contains(low) {
            let is_said = word.stem.is_some() && word.stem != found.done;
            has_value |= at >= from && tie.is_some() && is_said;
            continue;
        }
        let stems = qualifier_phrase(clause, words, at + 1);
        found.all.extend(stems.iter().cloned());
        if has_value || at < from && tie.is_some() {
            found.beside.extend(stems);
        }
        // Without a word that ties, what is said first may be what is said.
        has_value |= at >= from;
    }
    found
}

/// What stands behind such a word. A bare figure is a value and no qualifier, but for `for customer 2`.
fn qualifier_phrase(clause: &[&str], words: &[Word], first: usize) -> Vec<String> {
    let is_for = words[first - 1].low == "for";
    let mut stems: Vec<String> = Vec::new();
    let mut has_begun = false;
    for (place, word) in words.iter().enumerate().skip(first) {
        let low = word.low.as_str();
        if words::WHERE.contains(low) || (has_begun && words::BREAKS.contains(low)) {
            break;
        }
        let stem = word.stem.iter().filter(|stem| {
            let is_figure = has_digit(stem) && !stem.contains(|c: char| c.is_alphabetic());
            !is_figure || stem.starts_with('~') || (is_for && has_begun)
        });
        stems.extend(stem.cloned());
        has_begun |= word.stem.is_some();
        if clause[place].ends_with([',', '.', ';', ')']) {
            break;
        }
    }
    stems
}

/// `are sent by …` -> `sent`.
fn find_participle(words: &[Word]) -> Option<String> {
    let (verb, rest) = words.split_first()?;
    if !words::BARE.contains(verb.low.as_str()) {
        return None;
    }
    let at = rest.iter().position(|word| word.stem.is_some())?;
    let low = rest[at].low.as_str();
    let is_done = DONE.contains(&low) || (low.len() >= DONE_LETTERS_MIN && low.ends_with("ed"));
    let next = rest.get(at + 1)?.low.as_str();
    let is_told = words::WHERE.contains(next) || ["with", "from", "to", "at"].contains(&next);
    (is_done && is_told)
        .then(|| rest[at].stem.clone())
        .flatten()
}

/// Whether both say for what they hold, and each for something else; or tell of other things done.
pub(super) fn are_two_facts(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    let (one, other) = (&older.qualified, &newer.qualified);
    let is_otherwise = matches!((&one.done, &other.done), (Some(one), Some(other)) if one != other);
    is_otherwise || (is_own(&one.beside, older, newer) && is_own(&other.beside, newer, older))
}

/// The same of a yes and a no, where nothing is what is said but the yes and the no.
pub(super) fn are_two_cases(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    is_own(&older.qualified.all, older, newer) && is_own(&newer.qualified.all, newer, older)
}

/// Whether something of these is neither in the other nor said to hold no longer.
fn is_own(stems: &Stemmed, said: &ParsedSentence, other: &ParsedSentence) -> bool {
    let mut held = stems.iter().filter(|stem| !said.gone.contains(*stem));
    held.any(|stem| !other.content.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn what_holds_for_something_else_takes_nobodys_place() {
        let pairs = [
            (
                "Postgres runs on port 5433 in dev",
                "Postgres runs on port 5434 in staging",
            ),
            (
                "Postgres runs on port 5433 in dev",
                "Postgres runs on port 5433 in staging",
            ),
            (
                "Postgres runs on port 5433 in dev",
                "Postgres moved to port 5434 in staging",
            ),
            (
                "The API key header is X-Key for v1",
                "The API key header is X-Token for v2",
            ),
            (
                "The export format is CSV for customer 2",
                "The export format is PDF for customer 5",
            ),
            (
                "Invoices are sent by the cron job",
                "Invoices are archived by the cron job",
            ),
            (
                "Invoices are sent by the cron job at night",
                "Invoices are archived by the cron job at night",
            ),
            ("Use ../../../etc/passwd: as a name", "name: evil"),
            (
                "Backups run at 02:00 on Mondays",
                "Backups run at 04:00 on Thursdays",
            ),
            (
                "Tests need Java 17 on Linux",
                "Tests need Java 21 on Windows",
            ),
            (
                "Never deploy the gateway in Paris",
                "Always deploy the gateway in Berlin",
            ),
            (
                "Der Port ist 5433 im Testsystem",
                "Der Port ist 5434 im Livesystem",
            ),
        ];
        assert_all(&pairs, |found| {
            matches!(found, None | Some(Relation::Beside))
        });
    }

    #[test]
    fn what_holds_for_the_same_still_gives_way() {
        let pairs = [
            (
                "Postgres runs on port 5433 in dev",
                "Postgres runs on port 5434 in dev",
            ),
            (
                "The API key header is X-Key for v1",
                "The API key header is X-Token for v1",
            ),
            (
                "The staging cluster runs in Paris",
                "The staging cluster runs in Berlin now",
            ),
            (
                "The standup is on Mondays at 09:30",
                "The standup is on Mondays at 10:00",
            ),
            (
                "Invoices are sent by cron at night",
                "Invoices are sent by Kim at night now",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }
}
