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
    let (days, others) = (days(one), days(other));
    let is_other_day =
        !days.is_empty() && !others.is_empty() && days.iter().all(|day| !others.contains(day));
    is_other_day && {
        let (one, other) = (figures(one), figures(other));
        !one.is_empty() && !other.is_empty() && one != other
    }
}

fn days(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().enumerate();
    let is_every = |at: usize| at > 0 && is_of(EVERY, &clause.words[at - 1]);
    let found =
        words.filter(|(at, word)| is_of(RECURRING, word) || (is_of(DAYS, word) && is_every(*at)));
    found.map(|(_, word)| word.as_str()).collect()
}

fn figures(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().filter(|word| is_number(word));
    words.map(String::as_str).collect()
}
