//! Both databases under the same rules.

mod bed;
mod protocol;
