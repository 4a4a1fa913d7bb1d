//! The library against real programs and real files.
#![expect(
    clippy::disallowed_methods,
    reason = "tests put plain files into place and read them"
)]

mod agent_writes;
mod api;
mod dream;
mod extract;
mod extract_languages;
mod extract_proposed;
mod extract_said;
mod extract_taken_back;
#[cfg(unix)]
mod extract_worded;
mod fixture;
mod memory_use;
mod model;
mod opencode;
mod quarter;
mod tokens;
mod transcript;
