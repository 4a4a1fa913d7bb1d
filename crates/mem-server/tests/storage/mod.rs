//! Both databases under the same rules.

pub(crate) mod bed;
mod copies;
mod durability;
mod encryption;
mod history;
mod like_in_memory;
mod objects;
mod opening;
mod partition;
mod protocol;
mod races;
mod standby;
mod stores;
mod tokens;
