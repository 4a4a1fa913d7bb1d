//! Two times at which something comes back: what is on Mondays at 9 may be on Fridays at 10 as well.

use super::clause::{Clause, is_number, is_of};

/// A day that comes back, by its form.
const RECURRING: &str = "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends montags dienstags \
    mittwochs donnerstags freitags samstags sonntags werktags";
/// A day that does behind one of [`EVERY`].
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday day montag dienstag mittwoch donnerstag freitag samstag \
    sonntag lunes martes miércoles jueves viernes sábado sábados domingo domingos lundi lundis mardi mardis mercredi mercredis jeudi \
    jeudis vendredi vendredis samedi samedis dimanche dimanches";
const EVERY: &str = "every each jeden jeder los les le cada chaque tous";

/// Whether both the day that comes back and a figure differ.
pub(super) fn are_two(one: &Clause, other: &Clause) -> bool {
    let (days, others) = (recurring_days(one), recurring_days(other));
    let is_other_day =
        !days.is_empty() && !others.is_empty() && days.iter().all(|day| !others.contains(day));
    is_other_day && {
        let (one, other) = (number_words(one), number_words(other));
        !one.is_empty() && !other.is_empty() && one != other
    }
}

fn recurring_days(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().enumerate();
    let is_every = |at: usize| at > 0 && is_of(EVERY, &clause.words[at - 1]);
    let found =
        words.filter(|(at, word)| is_of(RECURRING, word) || (is_of(DAYS, word) && is_every(*at)));
    found.map(|(_, word)| word.as_str()).collect()
}

fn number_words(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().filter(|word| is_number(word));
    words.map(String::as_str).collect()
}

/// Spans of which something is so much: each row is one in every language that is read.
const SPANS: [&str; 7] = [
    "second seconds sekunde segundo seconde",
    "minute minutes minuto",
    "hour hours hourly stunde hora heure",
    "day days daily tag täglich día dia jour",
    "week weeks weekly woche wöchentlich semana semaine",
    "month months monthly monat monatlich mes mois",
    "year years yearly annually annum jahr jährlich año ano an",
];
/// In front of such a span.
const PER: &str = "per pro por par a an each every im";
/// How often something is says when it is, and not how much of it there is.
const TIMES: &str = "times time mal veces fois";
/// So many words in front of a span say how much.
const AMOUNT_WORDS: usize = 4;

/// Whether both say how much, of one span and of another: `20 EUR per month`, `200 EUR per year`.
pub(super) fn are_other_rates(one: &Clause, other: &Clause) -> bool {
    let both = find_rate(one).zip(find_rate(other));
    both.is_some_and(|((much, span), (other, then))| span != then && much != other)
}

/// How much, and of which span.
fn find_rate(clause: &Clause) -> Option<(Vec<&str>, usize)> {
    let words = &clause.words;
    let is_figure = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    // Most statements have none.
    words.iter().find(is_figure)?;
    let (at, span) =
        (1..words.len()).find_map(|at| Some((at, find_span(&words[at - 1], &words[at])?)))?;
    let before = &words[at.saturating_sub(AMOUNT_WORDS)..at];
    let is_often = before.iter().any(|word| is_of(TIMES, word));
    let figures = before.iter().filter(is_figure);
    let figures: Vec<&str> = figures.map(String::as_str).collect();
    (!is_often && !figures.is_empty()).then_some((figures, span))
}

/// Which span a word names behind another: `per month`, `monthly`, `eur/month`.
fn find_span(before: &str, word: &str) -> Option<usize> {
    let name = match word.rsplit_once('/') {
        Some((_, name)) => name,
        None if is_of(PER, before) || word.ends_with("ly") || word.ends_with("lich") => word,
        None => return None,
    };
    SPANS.iter().position(|names| is_of(names, name))
}
