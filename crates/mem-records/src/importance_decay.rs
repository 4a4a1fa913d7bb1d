//! Importance as time goes by: it halves with every half-life that a record was not used.

use jiff::Timestamp;
use mem_core::Now;

use crate::record::Record;

/// Days after which an unused record counts half, unless told.
pub const HALF_LIFE_DAYS: f64 = 30.0;

const DAY_S: f64 = 86_400.0;

/// `importance x 2^(-days / half-life)`. A time that lies in the future (a skewed clock) is now; a
/// half-life of 0 lets nothing fade.
pub fn effective_importance(
    importance: u8,
    since: Timestamp,
    now: Now,
    half_life_days: f64,
) -> f64 {
    let importance = f64::from(importance);
    if half_life_days.is_nan() || half_life_days <= 0.0 {
        return importance;
    }
    let seconds = now.0.as_second().saturating_sub(since.as_second()).max(0);
    let days = seconds as f64 / DAY_S;
    importance * (-days / half_life_days).exp2()
}

impl Record {
    /// When its importance began to fade: its last use, or when it came to be.
    pub fn renewed_at(&self) -> Timestamp {
        self.used_at
            .map_or(self.created_at, |used| used.max(self.created_at))
    }

    /// Its importance as of now.
    pub fn effective_importance(&self, now: Now, half_life_days: f64) -> f64 {
        effective_importance(self.importance, self.renewed_at(), now, half_life_days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_halves_every_half_life_and_never_grows() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = Now(at("2026-03-02T00:00:00Z"));
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(effective_importance(4, now.0, now, 30.0), 4.0));
        assert!(close(
            effective_importance(4, at("2026-01-31T00:00:00Z"), now, 30.0),
            2.0
        ));
        assert!(close(
            effective_importance(4, at("2026-01-01T00:00:00Z"), now, 30.0),
            1.0
        ));
        assert!(close(
            effective_importance(4, at("2030-01-01T00:00:00Z"), now, 30.0),
            4.0
        ));
        assert!(close(
            effective_importance(4, at("1970-01-01T00:00:00Z"), now, 0.0),
            4.0
        ));
        let past = Now(at("1970-01-01T00:00:00Z"));
        assert!(close(effective_importance(5, now.0, past, 30.0), 5.0));
    }
}
