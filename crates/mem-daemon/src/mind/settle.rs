//! Waiting until something that keeps changing is left alone, but not for ever.

use std::time::Duration;

use crate::mind::Moment;

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
