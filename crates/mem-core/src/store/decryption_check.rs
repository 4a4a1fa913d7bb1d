//! Whether what is kept of a memory directory opens: all of it, one by one. Nothing is locked or written.

use super::error::StoreError;
use super::local_store::LocalStore;
use crate::inbox::Inbox;

/// What a look came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenOutcome {
    /// How much opens: changes and contents of the history, entries of the inbox.
    pub open: usize,
    /// What does not: what it is, and why.
    pub closed: Vec<(String, String)>,
}

impl LocalStore {
    /// Opens everything that is kept beside the directory.
    ///
    /// # Errors
    /// The history cannot be read at all.
    pub fn opened(&self) -> Result<OpenOutcome, StoreError> {
        let mut opened = OpenOutcome::default();
        if let Some(history) = self.open_history()? {
            let (open, closed) = history.opened()?;
            opened.open += open;
            opened.closed.extend(closed);
        }
        let (open, closed) = Inbox::for_paths(&self.places).opened();
        opened.open += open;
        let named = closed
            .into_iter()
            .map(|(path, why)| (format!("`{}`", path.display()), why));
        opened.closed.extend(named);
        Ok(opened)
    }
}
