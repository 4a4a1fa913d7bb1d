//! The contract of memory stores that both ends agree on: objects, paths, limits, errors.
//!
//! # Layout
//! - [`wire`]: what goes over the line: objects, pages, requests, errors.
//! - [`path`]: the names of memories, and the prefixes that lists are asked with.
//! - [`dialect`]: the two dialects of the contract, and the headers that tell them apart.
//! - [`limits`]: every limit, and [`rules`] that hold texts to them.
//! - [`strict`]: JSON as it is read from strangers, and [`not_json`], what they are told is wrong with it.
//! - `client`, a feature: the end that asks, over HTTP.
//! - [`tools`]: what agents call, over whatever protocol, and how a store answers.
//! - `copies`, a feature, for a person's machine: `attached`, the stores that are attached to a repository, each with an
//!   offline copy, and `folder`, directories that are imported and exported.
//! - [`git_name`]: names that git takes for its own.
//!
//! Nothing but the client and the copies does any input or output.

#![cfg_attr(
    all(test, feature = "copies"),
    expect(
        clippy::disallowed_methods,
        reason = "tests read the files that were written"
    )
)]

#[cfg(feature = "copies")]
pub mod attached;
#[cfg(feature = "client")]
pub mod client;
pub mod dialect;
#[cfg(feature = "copies")]
pub mod folder;
pub mod git_name;
pub mod limits;
pub mod not_json;
pub mod path;
pub mod rules;
pub mod strict;
pub mod tools;
pub mod wire;

pub use dialect::ApiVersion;
pub use path::{PathPrefix, StorePath};
pub use rules::Invalid;
