//! Debounce: waiting until something that keeps changing is left alone, but not for ever.
//!
//! ```text
//! edits      x   x     x            |
//! time   ----+---+-----+------------+---->
//!            |         |<- quiet -->|        due here ..
//!            |<------- longest ------------->|  .. and at the latest here
//!
//! due = min(last + quiet, first + longest)
//! ```
//!
//! Quiet alone would never send under an editor that saves every second; a fixed period would send half-made edits.
//! Tests: `state_machine::tests::rules::a_change_is_sent_after_two_quiet_seconds`,
//! `state_machine::tests::rules::steady_writing_is_sent_after_ten_seconds`.

use std::time::Duration;

use crate::state_machine::Moment;

/// Changes that nobody has dealt with yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Debounce {
    /// The first and the last of them.
    span: Option<(Moment, Moment)>,
}

impl Debounce {
    /// One more change.
    pub(crate) fn touch(&mut self, now: Moment) {
        let first = self.span.map_or(now, |(first, _)| first);
        self.span = Some((first, now.max(first)));
    }

    /// Whether there are any.
    pub(crate) fn is_pending(self) -> bool {
        self.span.is_some()
    }

    /// When they are to be dealt with: after a quiet time, at the latest so long after the first.
    pub(crate) fn due(self, quiet: Duration, longest: Duration) -> Option<Moment> {
        self.span
            .map(|(first, last)| (last + quiet).min(first + longest))
    }

    /// They are being dealt with: what comes from here on is new.
    pub(crate) fn take(&mut self) -> bool {
        self.span.take().is_some()
    }
}
