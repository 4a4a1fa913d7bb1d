//! A remote, or one that is only looked at.

use mem_core::history::Sha256;
use mem_sync::remote::{Arrivals, Fetched, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, LogPage, PutAnswer, PutBody, RedactBody, RedactOutcome};

/// A remote; with `is_dry`, everything is read and nothing is written.
pub(crate) struct Wire {
    /// The other end.
    pub remote: Box<dyn Remote>,
    /// Whether writes only look as if they had been made.
    pub is_dry: bool,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire")
            .field("is_dry", &self.is_dry)
            .finish_non_exhaustive()
    }
}

impl Remote for Wire {
    fn put_bytes_max(&self) -> usize {
        self.remote.put_bytes_max()
    }

    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        self.remote.get_state(query, if_none_match)
    }

    fn get_arriving(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
        arrivals: &mut dyn Arrivals,
    ) -> Result<Fetched, RemoteError> {
        self.remote.get_arriving(query, if_none_match, arrivals)
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        if !self.is_dry {
            return self.remote.put_entries(body, if_match);
        }
        let written = body.entries.iter();
        let written = written.map(|(key, text)| (key.clone(), Sha256::digest(text.as_bytes())));
        Ok(PutOutcome {
            etag: if_match.cloned().unwrap_or_else(|| ETag::of_version(0)),
            answer: PutAnswer {
                written: written.collect(),
                ..PutAnswer::default()
            },
        })
    }
    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        self.remote.read_log(query)
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        match self.is_dry {
            true => Ok(RedactOutcome::default()),
            false => self.remote.redact_key(what),
        }
    }
}
