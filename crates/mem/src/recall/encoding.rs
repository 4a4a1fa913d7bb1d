//! A prompt on its way to be a query. The encoder takes longer than everything else and needs nothing but the
//! prompt: it begins first, and what else is needed is looked at meanwhile.

use std::thread::{Scope, ScopedJoinHandle};

use mem_recall::RecallQuery;

/// A prompt that is being encoded.
pub(crate) struct PromptEncoding<'scope>(ScopedJoinHandle<'scope, RecallQuery>);

impl<'scope> PromptEncoding<'scope> {
    /// Begins.
    pub(crate) fn begin_encoding<'env>(
        scope: &'scope Scope<'scope, 'env>,
        prompt: &'env str,
    ) -> Self {
        Self(scope.spawn(|| RecallQuery::new(prompt).with_encoding()))
    }

    /// Whether somebody waits by now.
    pub(super) fn is_done(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the query.
    pub(crate) fn wait_for_query(self) -> RecallQuery {
        let query = self.0.join();
        query.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
