//! Both databases under the same rules.

mod database_copies;
mod durability;
mod encryption;
pub(crate) mod fixture;
mod history;
mod in_memory_parity;
mod objects;
mod open;
mod partition;
mod protocol;
mod races;
mod standby;
mod stores;
mod tokens;
