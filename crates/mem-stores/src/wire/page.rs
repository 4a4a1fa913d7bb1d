//! A page of a list.

use serde::{Deserialize, Serialize};

/// Some objects, and the name of the page after them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiPage<T> {
    /// In the order of the list.
    pub data: Vec<T>,
    /// What `page` is to be for the next one; `None` at the end.
    #[serde(default)]
    pub next_page: Option<String>,
}

impl<T> ApiPage<T> {
    /// Whether a page follows. Some servers say so with an empty text.
    pub fn next(&self) -> Option<&str> {
        self.next_page.as_deref().filter(|page| !page.is_empty())
    }
}
