//! Ages as people say them.

use jiff::Timestamp;
use mem_core::Now;

/// `today`, `yesterday`, `12 days`, `3 months`, `2 years`.
pub(crate) fn age_text(now: Now, then: Timestamp) -> String {
    match now.days_since(then) {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days @ 2..=59 => format!("{days} days"),
        days @ 60..=729 => format!("{} months", days / 30),
        days => format!("{} years", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_read_well() {
        let now = Now("2026-11-20T10:00:00Z".parse().unwrap());
        let ago = |days: i64| age_text(now, now.0 - jiff::SignedDuration::from_hours(24 * days));
        assert_eq!([ago(0), ago(1), ago(12)], ["today", "yesterday", "12 days"]);
        assert_eq!(
            [ago(90), ago(800), ago(-5)],
            ["3 months", "2 years", "today"]
        );
    }
}
