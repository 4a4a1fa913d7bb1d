//! `/mcp`: the tools of memory stores and of records over the Model Context Protocol, streamable HTTP.
//!
//! # Layout
//! - `post`: one message in, one out: who asks, within which limits, and handed to the SDK.
//! - `message`: from the bytes of a body to a message, or to the error that answers it.
//! - `server`: what the protocol asks of a server.
//! - `caller_stores`: the stores that somebody has; `caller_store`: one of them, as the tools use it.
//! - `records`: the tools of records, for those who were granted them.
//!
//! There are no sessions and no streams: every message stands for itself, so any replica answers any of them.
//! The SDK stays inside of this folder; the tools are [`mem_stores::tools`] and those of
//! [`mem_records::tools`].

mod caller_store;
mod caller_stores;
mod message;
mod post;
mod records;
mod server;

pub(crate) use post::answer;

/// Where the protocol is spoken.
pub(crate) const PATH: &str = "/mcp";
