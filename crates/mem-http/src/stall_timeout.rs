//! Whether a server goes on: a piece of its answer has to be there in time, however it comes.

use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::fault::LineFault;

/// A piece of an answer. Whoever sends less within the time for it says nothing.
const PIECE_BYTES: usize = 16 * 1024;

/// The pace of one answer.
#[derive(Debug)]
pub struct StallTimeout {
    stall: Duration,
    /// When the piece that is being waited for is late.
    late: Instant,
    /// What has come of it.
    bytes: usize,
}

impl StallTimeout {
    /// From now on, `stall` is the time for each piece.
    pub fn new(stall: Duration) -> Self {
        Self {
            stall,
            late: Instant::now() + stall,
            bytes: 0,
        }
    }

    /// What comes next of a body; `None` at its end.
    ///
    /// # Errors
    /// The piece is late, or the line broke.
    pub async fn next(
        &mut self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, LineFault> {
        let Ok(next) = timeout_at(self.late, response.chunk()).await else {
            return Err(match self.bytes {
                0 => LineFault::Silent,
                bytes => LineFault::Slow {
                    bytes,
                    seconds: self.stall.as_secs(),
                },
            });
        };
        let next = next?;
        if let Some(bytes) = &next {
            self.bytes += bytes.len();
        }
        if self.bytes >= PIECE_BYTES {
            *self = Self::new(self.stall);
        }
        Ok(next)
    }
}
