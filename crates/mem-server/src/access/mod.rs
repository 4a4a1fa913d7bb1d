//! Who asks, and what they may.
//!
//! # Layout
//! - [`secret`]: what a token looks like, how one is made.
//! - [`grant`]: what a token may do, as people write it and as it is asked about.
//! - `caller`: from the headers of a request to somebody.
//! - `token_uses`: when tokens were used last.
//! - `rate_limit`: how often somebody may ask; `exchange`: what replicas tell each other of that.
//! - `loopback`: who may ask a server without tokens, and of which origins `/mcp` is asked.

mod caller;
mod exchange;
pub mod grant;
mod loopback;
mod rate_limit;
pub mod secret;
mod token_uses;

pub(crate) use caller::{Caller, no_records};
pub(crate) use exchange::UseExchange;
pub(crate) use loopback::LoopbackHosts;
pub(crate) use rate_limit::RateLimit;
pub(crate) use token_uses::TokenUses;
