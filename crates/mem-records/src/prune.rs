//! What goes when there is too much: the expired, then what is below a mark, then the least of the
//! rest. A pure choice; whoever carries it out can take it back.

use mem_core::compact_sort::CompactSort as _;
use std::cmp::Ordering;

/// What may go.
#[derive(Clone, Debug, PartialEq)]
pub struct PruneCandidate<T> {
    /// What it is.
    pub what: T,
    /// Its importance as of now.
    pub effective: f64,
    /// Whether it has ceased to hold.
    pub is_expired: bool,
    /// Whether it must stay.
    pub is_pinned: bool,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PruneLimits {
    /// So many may stay; those that must stay count.
    pub max_entries: Option<usize>,
    /// What is less important than this goes.
    pub below: Option<f64>,
    /// Whether what has expired goes.
    pub expired: bool,
}

/// Why something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruneReason {
    /// It has ceased to hold.
    Expired,
    /// It is below the mark.
    Below,
    /// There are too many, and it counts least.
    Surplus,
}

impl PruneReason {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Below => "below",
            Self::Surplus => "surplus",
        }
    }
}

/// Chooses what goes, the least important first. Those that count alike go in the order given.
pub fn chosen<T>(
    candidates: Vec<PruneCandidate<T>>,
    limits: &PruneLimits,
) -> Vec<(PruneCandidate<T>, PruneReason)> {
    let mut staying = candidates.len();
    let mut order: Vec<(PruneCandidate<T>, Option<PruneReason>)> = candidates
        .into_iter()
        .map(|one| {
            let why = sentence(&one, limits);
            (one, why)
        })
        .collect();
    order.compact_sort_by(|(a, _), (b, _)| {
        a.effective
            .partial_cmp(&b.effective)
            .unwrap_or(Ordering::Equal)
    });
    staying -= order.iter().filter(|(_, why)| why.is_some()).count();
    let mut surplus = limits
        .max_entries
        .map_or(0, |max| staying.saturating_sub(max));
    for (one, why) in &mut order {
        if surplus > 0 && why.is_none() && !one.is_pinned {
            *why = Some(PruneReason::Surplus);
            surplus -= 1;
        }
    }
    let gone = order.into_iter().filter_map(|(one, why)| Some((one, why?)));
    gone.collect()
}

/// Why a candidate goes whatever the others are.
fn sentence<T>(one: &PruneCandidate<T>, limits: &PruneLimits) -> Option<PruneReason> {
    if one.is_pinned {
        None
    } else if limits.expired && one.is_expired {
        Some(PruneReason::Expired)
    } else if limits.below.is_some_and(|mark| one.effective < mark) {
        Some(PruneReason::Below)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(what: &'static str, effective: f64) -> PruneCandidate<&'static str> {
        PruneCandidate {
            what,
            effective,
            is_expired: what.starts_with("old"),
            is_pinned: what.ends_with("pinned"),
        }
    }

    fn names(limits: &PruneLimits) -> Vec<(&'static str, &'static str)> {
        let all = vec![
            one("b", 2.0),
            one("a", 1.0),
            one("old", 5.0),
            one("old pinned", 0.1),
            one("c", 3.0),
        ];
        let gone = chosen(all, limits);
        gone.iter()
            .map(|(one, why)| (one.what, why.as_str()))
            .collect()
    }

    #[test]
    fn the_least_go_first_and_what_is_pinned_stays() {
        assert_eq!(names(&PruneLimits::default()), []);
        let expired = PruneLimits {
            expired: true,
            ..PruneLimits::default()
        };
        assert_eq!(names(&expired), [("old", "expired")]);
        let below = PruneLimits {
            below: Some(2.0),
            ..PruneLimits::default()
        };
        assert_eq!(names(&below), [("a", "below")]);
        let most = PruneLimits {
            max_entries: Some(2),
            ..PruneLimits::default()
        };
        assert_eq!(
            names(&most),
            [("a", "surplus"), ("b", "surplus"), ("c", "surplus")]
        );
        let none = PruneLimits {
            max_entries: Some(0),
            ..PruneLimits::default()
        };
        assert_eq!(names(&none).len(), 4);
    }

    #[test]
    fn what_goes_anyway_counts_against_the_surplus() {
        let both = PruneLimits {
            max_entries: Some(3),
            below: Some(1.5),
            expired: true,
        };
        assert_eq!(names(&both), [("a", "below"), ("old", "expired")]);
    }
}
