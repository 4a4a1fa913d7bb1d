//! The present, as handed in by the caller.

use jiff::Timestamp;

/// One instant, read once at the rim of the program. UTC; rendered as RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Now(pub Timestamp);

impl Now {
    /// Whole days from `then` until now; 0 when `then` lies in the future (a skewed clock).
    pub fn days_since(self, then: Timestamp) -> u64 {
        let seconds = self.0.as_second().saturating_sub(then.as_second());
        u64::try_from(seconds / 86_400).unwrap_or(0)
    }
}
