//! A prompt on its way to be a query. The encoder takes longer than everything else and needs nothing but the
//! prompt: it begins first, and what else is needed is looked at meanwhile.

use std::thread::{Scope, ScopedJoinHandle};

use mem_core::Dirs;
use mem_recall::RecallQuery;

use crate::encoder::ChosenEncoder;

/// A query, and whose its vector is.
pub(crate) type EncodedPrompt = (RecallQuery, ChosenEncoder);

/// A prompt that is being encoded.
pub struct PromptEncoding<'scope>(ScopedJoinHandle<'scope, EncodedPrompt>);

impl<'scope> PromptEncoding<'scope> {
    /// Begins.
    pub fn begin_encoding<'env>(
        scope: &'scope Scope<'scope, 'env>,
        prompt: &'env str,
        dirs: &'env Dirs,
    ) -> Self {
        Self(scope.spawn(|| {
            let chosen = ChosenEncoder::choose(dirs);
            (
                RecallQuery::new(prompt).with_encoding_by(chosen.encoder),
                chosen,
            )
        }))
    }

    /// Whether somebody waits by now.
    pub(super) fn is_done(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the query.
    pub fn wait_for_query(self) -> EncodedPrompt {
        let query = self.0.join();
        query.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
