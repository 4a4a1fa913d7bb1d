//! Two ends of one thing: when it opens and when it closes, its least and its most. Both are true at once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::clause::{Clause, is_said};

const PAIRS: [(&str, &str); 22] = [
    (
        "opens open öffnet öffnen abre abren ouvre ouvrent",
        "closes close schließt schliesst schließen cierra cierran ferme ferment",
    ),
    (
        "starts start begins begin started began beginnt startet begann empieza comienza commence débute",
        "ends end finishes finish ended finished endet endete termina acaba finit termine",
    ),
    (
        "min minimum minimal lowest least mínimo mínima",
        "max maximum maximal highest most máximo máxima",
    ),
    (
        "primary leader master",
        "replica replicas secondary standby follower followers",
    ),
    (
        "read reads reader readers reading",
        "write writes writer writers writing",
    ),
    (
        "first erste erster primero primera premier première",
        "last letzte letzter último última dernier dernière",
    ),
    ("input inputs", "output outputs"),
    ("request requests", "response responses"),
    ("import imports importer", "export exports exporter"),
    ("upload uploads", "download downloads"),
    ("login", "logout"),
    ("sender senders", "receiver receivers recipient recipients"),
    ("source", "target destination"),
    ("client clients", "server servers"),
    ("parent parents", "child children"),
    (
        "morning mornings morgens",
        "evening evenings night nights abends nachts",
    ),
    (
        "weekday weekdays wochentags",
        "weekend weekends wochenende wochenenden",
    ),
    ("internal intern interne", "external extern externe"),
    ("inbound incoming ingress", "outbound outgoing egress"),
    ("arrives arrive kommt", "leaves leave departs depart fährt"),
    ("soft", "hard"),
    ("left linke links", "right rechte rechts"),
];

/// The pair of each word, and which of the two it is.
static ENDS: LazyLock<HashMap<&str, (usize, bool)>> = LazyLock::new(|| {
    let pairs = PAIRS.iter().enumerate();
    pairs
        .flat_map(|(at, (one, other))| {
            let of = |words: &'static str, is_first| {
                let words = words.split_ascii_whitespace();
                words.map(move |word| (word, (at, is_first)))
            };
            of(one, true).chain(of(other, false))
        })
        .collect()
});

/// Whether each speaks of another end of what both speak of.
pub(super) fn are_two(older: &Clause, newer: &Clause) -> bool {
    let (one, other) = (find_ends(older, newer), find_ends(newer, older));
    let has = |of: &[(usize, bool)], end: (usize, bool)| of.contains(&end);
    one.iter().any(|&(pair, is_first)| {
        has(&other, (pair, !is_first))
            && !has(&one, (pair, !is_first))
            && !has(&other, (pair, is_first))
    })
}

/// The ends of which a clause says something: those in front of its verb, the verb, and those that tell which of what
/// both speak of. What is said of something (`is left`, `reads from the primary`) is a value.
fn find_ends(clause: &Clause, other: &Clause) -> Vec<(usize, bool)> {
    let words = clause.words.iter().enumerate();
    let found = words.filter_map(|(at, word)| Some((at, ENDS.get(word.as_str())?)));
    let tells = |at: usize| {
        let next = clause.words.get(at + 1);
        clause.verb.is_none_or(|verb| at <= verb)
            || next.is_some_and(|next| is_said(next) && other.contains_word(next))
    };
    found
        .filter(|(at, _)| tells(*at))
        .map(|(_, end)| *end)
        .collect()
}
