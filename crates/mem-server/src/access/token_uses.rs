//! When tokens were used last, to within an hour, and at no cost for the request that uses one.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;

use crate::locks::lock;
use crate::storage::{Database, Token};

/// Writes that are under way at a time; what is left out is written down with a later request.
const WRITES_MAX: usize = 64;

/// The tokens whose use is being written down.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenUses(Arc<Mutex<HashSet<String>>>);

impl TokenUses {
    /// Writes down that a token is used, where the last time is long ago. Nobody waits for it.
    pub(crate) fn note(&self, database: &Database, token: &Token, now: Timestamp) {
        if !token.is_use_stale(now) || !self.begin_note(&token.id) {
            return;
        }
        let (uses, database, id) = (self.clone(), database.clone(), token.id.clone());
        tokio::spawn(async move {
            if let Err(error) = database.note_token_use(&id, now).await {
                tracing::warn!(error = %error, "the last use of a token could not be written down");
            }
            lock(&uses.0).remove(&id);
        });
    }

    fn begin_note(&self, id: &str) -> bool {
        let mut under_way = lock(&self.0);
        under_way.len() < WRITES_MAX && under_way.insert(id.to_owned())
    }
}
