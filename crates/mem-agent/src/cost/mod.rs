//! What memory costs in tokens: the indexes, which every session loads, and what hooks gave beside them.

mod account;
mod index;

pub use account::{CostAccount, CostEntry, DayCost, SessionCost};
pub use index::IndexCost;
