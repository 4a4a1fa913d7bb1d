//! What a sentence says holds no longer, and whether it says no to what it is about.
//!
//! `We use bun now, no longer npm` says no to npm alone; `we no longer use npm` says no to all of it.

use mem_recall::versus::denial::{ONLY, says_no};

use super::said::{Stemmed, Word};
use super::words;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Denied {
    /// The stems of what holds no longer.
    pub(super) gone: Stemmed,
    /// Whether it says that what is gone did hold.
    pub(super) is_change: bool,
    /// Whether it says no to what it is about, and not only to something that it names beside.
    pub(super) is_negated: bool,
}

/// Where a thing begins that holds no longer.
struct Lead {
    /// The word that says so, and how many follow it that only belong to it.
    more: usize,
    is_change: bool,
}

/// Reads the words of a clause.
pub(super) fn read(clause: &[&str], words: &[Word]) -> Denied {
    let mut denied = Denied::default();
    let mut asides = Vec::new();
    for at in 0..words.len() {
        let Some(lead) = find_lead(clause, words, at) else {
            continue;
        };
        asides.extend(at..=at + lead.more);
        denied.is_change |= lead.is_change;
        gather_stems(clause, words, at + lead.more + 1, &mut denied.gone);
    }
    denied.is_negated = words.iter().enumerate().any(|(at, word)| {
        let low = clause[at].to_lowercase();
        let is_elided = low.starts_with("n'") || low.starts_with("n’");
        let is_no = says_no(&word.low) || is_elided;
        let is_more = is_only(low_at(words, at + 1));
        is_no && !is_more && !asides.contains(&at) && !is_aside(clause, words, at)
    });
    denied
}

/// Whether a word says behind a no that there is more.
fn is_only(word: &str) -> bool {
    ONLY.split_ascii_whitespace().any(|one| one == word)
}

fn low_at(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.low.as_str())
}

/// Whether what stands here is named beside what was said.
fn is_aside(clause: &[&str], words: &[Word], at: usize) -> bool {
    let and = ["and", "und", "y", "et"];
    let before = at.checked_sub(1);
    before.is_some_and(|at| {
        let ends = clause[at].ends_with([',', ';', '.', '!', '(']);
        ends || and.contains(&low_at(words, at))
    })
}

/// `instead of`, `from X to`, `, no longer`, `nicht X, sondern`.
fn find_lead(clause: &[&str], words: &[Word], at: usize) -> Option<Lead> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.low.as_str()));
    let later = |list: &[&str]| {
        let mut rest = words[at..].iter();
        rest.any(|word| list.contains(&word.low.as_str()))
    };
    let found = |more, is_change| Some(Lead { more, is_change });
    let is_aside = is_aside(clause, words, at) || clause[at].starts_with('(');
    match (low_at(words, at), low_at(words, at + 1)) {
        ("instead", "of") | ("rather" | "plutot", "than" | "que") | ("anstelle", "von") => {
            found(1, false)
        }
        ("lugar" | "vez", "de" | "del") => found(1, false),
        ("au", "lieu") => found(1, false),
        ("statt" | "anstatt", _) if !has(&["findet", "finden", "fand"]) => found(0, false),
        ("from", _) if later(&["to"]) => found(0, false),
        ("von", _) if later(&["auf", "zu"]) && has(&["gewechselt", "umgestellt", "verschoben"]) => {
            found(0, true)
        }
        ("over", _) if words.iter().any(|word| word.low.starts_with("prefer")) => found(0, false),
        ("replaces" | "replaced" | "ersetzt" | "reemplaza" | "remplace", _) => found(0, false),
        ("no", "longer") | ("nicht", "mehr") | ("ya", "no") | ("non", "plus") if is_aside => {
            found(1, true)
        }
        ("was" | "formerly" | "previously" | "vorher" | "antes" | "avant", _)
            if clause[at].starts_with('(') =>
        {
            found(0, true)
        }
        (_, only) if is_only(only) => None,
        ("nicht", _) if later(&["sondern"]) => found(0, false),
        ("no", _) if later(&["sino"]) => found(0, false),
        ("pas", _) if later(&["mais"]) => found(0, false),
        ("not", _) if later(&["but"]) => found(0, false),
        ("not" | "never" | "nicht" | "pas", _) if is_aside => found(0, false),
        _ => None,
    }
}

/// Whether a further part of a text still says what holds no longer: `…; no longer npm`, `… (was npm)`.
pub(super) fn goes_on(rest: &[&str]) -> bool {
    let low = |at: usize| {
        rest.get(at)
            .map(|word| word.to_lowercase())
            .unwrap_or_default()
    };
    let (first, second) = (low(0), low(1));
    let inner = first.strip_prefix('(');
    let leads = [
        "not",
        "was",
        "formerly",
        "previously",
        "instead",
        "statt",
        "vorher",
        "antes",
        "avant",
    ];
    let is_pair = matches!(
        (inner.unwrap_or(&first), second.as_str()),
        ("no", "longer") | ("nicht", "mehr") | ("ya", "no") | ("non", "plus")
    );
    is_pair || inner.is_some_and(|word| leads.contains(&word))
}

/// The stems from a word on, up to where something else begins.
fn gather_stems(clause: &[&str], words: &[Word], first: usize, gone: &mut Stemmed) {
    let mut has_begun = false;
    for (place, word) in words.iter().enumerate().skip(first) {
        if has_begun && words::BREAKS.contains(word.low.as_str()) {
            break;
        }
        has_begun |= word.stem.is_some();
        gone.extend(word.stem.clone());
        if clause[place].ends_with([',', '.', ';', ')']) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relation;
    use super::super::relate::tests::assert_all;

    #[test]
    fn what_holds_no_longer_gives_way_in_every_language_with_words() {
        let pairs = [
            (
                "The payments owner is Alice",
                "The payments owner is Bob now, no longer Alice",
            ),
            (
                "The payments owner is Alice",
                "The payments owner is Bob (was Alice)",
            ),
            (
                "We use Postgres for orders",
                "We use MySQL for orders now, no longer Postgres",
            ),
            ("We use Postgres", "We use MySQL now, no longer Postgres"),
            (
                "Deploys are on Tuesdays",
                "Deploys are on Wednesdays now, no longer on Tuesdays",
            ),
            (
                "Deploys are on Tuesdays",
                "Deploys are on Wednesdays now; no longer on Tuesdays",
            ),
            (
                "Deploys are on Tuesdays",
                "Deploys are not on Tuesdays but on Wednesdays",
            ),
            (
                "Staging runs on Heroku",
                "Staging runs on Fly now, no longer on Heroku",
            ),
            (
                "Our cluster is called Hydra",
                "Our cluster is called Medusa",
            ),
            (
                "The staging cluster is called Hydra",
                "The staging cluster is now called Medusa",
            ),
            ("Deploys sind dienstags", "Deploys sind jetzt mittwochs"),
            (
                "Deploys sind dienstags",
                "Deploys sind mittwochs statt dienstags",
            ),
            (
                "Deploys sind dienstags",
                "Deploys sind mittwochs, nicht mehr dienstags",
            ),
            (
                "Deploys sind dienstags",
                "Deploys sind nicht dienstags, sondern mittwochs",
            ),
            (
                "Der Standup ist um 9:30",
                "Der Standup ist jetzt um 10:00, nicht mehr um 9:30",
            ),
            (
                "Wir nutzen Postgres für Orders",
                "Wir nutzen MySQL für Orders, nicht mehr Postgres",
            ),
            (
                "Wir nutzen Postgres für Orders",
                "Wir nutzen MySQL statt Postgres für Orders",
            ),
            ("Wir verwenden npm", "Wir verwenden jetzt bun statt npm"),
            (
                "Der Staging-Cluster heißt Hydra",
                "Der Staging-Cluster heißt jetzt Medusa",
            ),
            (
                "El despliegue es los martes",
                "El despliegue es ahora los miércoles",
            ),
            (
                "El despliegue es los martes",
                "El despliegue es los miércoles, ya no los martes",
            ),
            (
                "Usamos Postgres para pedidos",
                "Usamos MySQL en lugar de Postgres para pedidos",
            ),
            (
                "Usamos Postgres para pedidos",
                "Ahora usamos MySQL para pedidos, ya no Postgres",
            ),
            (
                "El cluster de pruebas se llama Hydra",
                "El cluster de pruebas se llama Medusa",
            ),
            (
                "Le déploiement est le mardi",
                "Le déploiement est désormais le mercredi",
            ),
            (
                "Le déploiement est le mardi",
                "Le déploiement est le mercredi, et non plus le mardi",
            ),
            (
                "Nous utilisons Postgres pour les commandes",
                "Nous utilisons MySQL au lieu de Postgres pour les commandes",
            ),
            (
                "Le cluster de test s'appelle Hydra",
                "Le cluster de test s'appelle Medusa",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Updates));
    }

    #[test]
    fn a_no_to_all_of_it_is_the_contrary() {
        let pairs = [
            ("We deploy on Fridays", "We no longer deploy on Fridays"),
            (
                "The payments owner is Alice",
                "Alice is no longer the payments owner",
            ),
            (
                "Wir nutzen Redis für Sessions",
                "Wir nutzen Redis nicht mehr für Sessions",
            ),
            (
                "Usamos Redis para sesiones",
                "Ya no usamos Redis para sesiones",
            ),
            (
                "Nous utilisons Redis pour les sessions",
                "Nous n'utilisons plus Redis pour les sessions",
            ),
        ];
        assert_all(&pairs, |found| found == Some(Relation::Contradicts));
    }

    #[test]
    fn what_takes_place_and_what_comes_beside_denies_nothing() {
        let pairs = [
            (
                "Das Team trifft sich dienstags",
                "Deployments sind mittwochs",
            ),
            (
                "Wir nutzen Redis für Sessions",
                "Wir nutzen Redis auch für Caching",
            ),
            ("The API is fast", "The API is not only fast but cheap"),
            ("The cluster is called Hydra", "The cluster is slow"),
            (
                "The staging cluster is called Hydra",
                "The production cluster is called Medusa",
            ),
            (
                "Das Treffen ist dienstags",
                "Das Treffen findet im Büro statt",
            ),
        ];
        assert_all(&pairs, |found| {
            !matches!(found, Some(Relation::Updates | Relation::Contradicts))
        });
    }
}
