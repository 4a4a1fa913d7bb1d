//! A store: what is asked for, and what is answered.

use std::collections::BTreeMap;

use jiff::Timestamp;

/// A store that is to be made. Its texts are within their limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewStore {
    /// For people; not unique.
    pub name: String,
    /// May be empty.
    pub description: String,
    /// At most 16 pairs.
    pub metadata: BTreeMap<String, String>,
}

/// What is to be changed of a store; `None` leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreChange {
    /// Its name.
    pub name: Option<String>,
    /// Its description; empty clears it.
    pub description: Option<String>,
    /// Pairs: a text sets one, `None` removes it, all others stay.
    pub metadata: BTreeMap<String, Option<String>>,
}

/// A store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    /// `memstore_…`.
    pub id: String,
    /// `team:owner/repo` where it is a repository's.
    pub handle: Option<String>,
    /// For people.
    pub name: String,
    /// Empty where there is none.
    pub description: String,
    /// Pairs.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When name, description or metadata changed last, or it was archived.
    pub updated_at: Timestamp,
    /// Since when it is not written any more.
    pub archived_at: Option<Timestamp>,
    /// Names the state of its memories: another text after every change of one, and never again the same.
    pub state: String,
}

/// Which stores are asked for; the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreQuery {
    /// Made then or later.
    pub created_from: Option<Timestamp>,
    /// Made then or earlier.
    pub created_to: Option<Timestamp>,
    /// Archived ones too.
    pub include_archived: bool,
    /// At most so many; one at least.
    pub limit: u32,
    /// Those after this one.
    pub after: Option<StorePosition>,
}

/// A place in the list of stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePosition {
    /// Of the last one, in microseconds since 1970.
    pub created_us: i64,
    /// Of the last one.
    pub id: String,
}

/// Some of a list, and where it goes on; `None` at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, P> {
    /// In their order.
    pub items: Vec<T>,
    /// What the next question says as `after`.
    pub next: Option<P>,
}
