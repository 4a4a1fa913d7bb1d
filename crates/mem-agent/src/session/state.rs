//! What is remembered of a session between two readings of its transcript.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::notes_merge::Owned;
use super::update_schedule::SessionCounts;
use crate::transcript::{Cursor, Transcript, TranscriptError};

/// Raised whenever a digest of the older kind would mislead.
const VERSION: u32 = 1;

/// A session so far. Lost, it is gathered anew from the transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionState {
    version: u32,
    /// How far the transcript was read.
    pub cursor: Cursor,
    /// What was gathered.
    pub digest: Digest,
    /// What had happened at the last update of the notes.
    pub updated: Option<SessionCounts>,
    /// What of the notes is ours.
    pub owned: Owned,
    /// The directory that it stood in last: whoever erases what is kept of a project finds it by that.
    pub cwd: Option<String>,
}

impl SessionState {
    /// A state that an older version wrote is gathered anew; what it wrote itself is known still.
    #[must_use]
    pub fn into_current(mut self) -> Self {
        if self.version != VERSION {
            self.cursor = Cursor::default();
            self.digest = Digest::default();
        }
        self.version = VERSION;
        self
    }

    /// Reads what the transcript has gained since.
    ///
    /// # Errors
    /// The transcript cannot be read.
    pub fn advance_state(&mut self, transcript: &Path) -> Result<(), TranscriptError> {
        let open = Transcript::open_at(transcript, &self.cursor)?;
        if open.is_fresh() {
            // It was rewritten: all that it holds is news.
            self.digest = Digest::default();
            self.updated = self.updated.map(|_| SessionCounts::default());
        }
        let digest = &mut self.digest;
        let cwd = &mut self.cwd;
        self.cursor = open.read(|record| {
            if let Some(now) = record
                .cwd
                .as_deref()
                .filter(|now| cwd.as_deref() != Some(now))
            {
                *cwd = Some(now.to_owned());
            }
            digest.take_record(record);
        })?;
        Ok(())
    }
}
