//! Both databases under the same rules.

mod bed;
mod durability;
mod history;
mod like_in_memory;
mod opening;
mod protocol;
mod races;
mod stores;
mod tokens;
