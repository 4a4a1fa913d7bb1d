//! Sending without a look, where all there is to do is to send a few files.
//!
//! The condition of the write is that the remote is what it was last seen to be. Where it holds, the look
//! would have said just that; where it does not, nothing was written, and the round begins with a look.

use super::{Client, Outgoing, Report, Trouble};
use crate::base::Keep;
use crate::decide::{Decision, decide};
use crate::facts::Facts;
use crate::files::Files;
use crate::remote::{Remote, RemoteError};
use crate::screen::Screen;

/// More files than this are not sent in vain: a look is cheap beside them.
const FILES_MAX: usize = 16;

impl<R: Remote, F: Files, S: Screen, K: Keep> Client<R, F, S, K> {
    /// Sends what is to be sent, if that is all there is to do. Returns whether the remote took it.
    pub(super) fn send_ahead(
        &mut self,
        facts: &Facts,
        report: &mut Report,
    ) -> Result<bool, Trouble> {
        let Some(outgoing) = self.only_outgoing(facts) else {
            return Ok(false);
        };
        let mut attempt = Report {
            not_modified: true,
            unnamed: report.unnamed.clone(),
            ..Report::default()
        };
        let sent = self.send(outgoing, &mut attempt);
        let was_taken = !attempt.pushed.is_empty();
        match sent {
            // Whoever may not write takes what others wrote all the same.
            Err(Trouble::Remote(RemoteError::Raced { .. } | RemoteError::Forbidden))
                if !was_taken =>
            {
                return Ok(false);
            }
            // What left before a later portion failed has left.
            Ok(()) | Err(_) if was_taken => *report = attempt,
            _ => {}
        }
        sent.map(|()| was_taken)
    }

    /// What is to be sent, as far as is known; `None` where something else is to be done as well, and
    /// where nothing is.
    fn only_outgoing(&self, facts: &Facts) -> Option<Outgoing> {
        let state = &self.state;
        if state.view.etag.is_none() || !state.deleting.is_empty() || !state.held.is_empty() {
            return None;
        }
        let mut outgoing = Outgoing::new();
        for one in &facts.open {
            match decide(one.base, one.mine, one.remote) {
                Decision::Settled | Decision::Forget => {}
                Decision::Push => outgoing.extend(one.mine.map(|mine| (one.key.clone(), mine))),
                _ => return None,
            }
        }
        (1..=FILES_MAX)
            .contains(&outgoing.len())
            .then_some(outgoing)
    }
}
