//! The server of shared memory: storage, access and the team protocol over HTTP.
//!
//! # Layout
//! - [`serve()`] with its [`options`]: from the first to the last moment. [`settings`]: what an administrator writes
//!   for it.
//! - `listener`, `connection`, `connection_limit`, `client_stream`: bytes on the line, with limits for all that a
//!   client can draw out, and what is said to whoever sends no request at all.
//! - `app`: the routes, and what each request goes through. `http` is what all of them have in common.
//! - [`access`]: who asks, and what they may.
//! - [`identity`]: people who sign in with a provider, and what a directory says of them.
//! - `team`: the team protocol. `stores`: the memory stores API.
//! - `records`: structured memories of a token's user. [`tokens`]: the tokens of a workspace.
//! - `mcp`: the tools of agents. `search`: what finds memories by their words.
//! - `health` and `metrics`: for operators.
//! - [`quota`]: how much somebody may have and ask for.
//! - [`events`]: what happens, told to webhooks. `audit`: who did what. `telemetry`: traces and figures by OTLP.
//! - [`erasure`]: the end of a store or a user, with what is left of it. [`known_databases`]: which databases the
//!   master keys of a person wrap keys of.
//! - `locks`: of data that several tasks share. `pruning`: the end of old versions, now and then.
//! - [`storage`]: what is kept, and what is decided in the database.
//! - [`logging`]: lines about requests, never about what is in them.
//!
//! The server is stateless: any number of them may stand over one database. It prints nothing, and reads
//! no environment and no wall clock.

pub mod access;
mod app;
mod audit;
mod client_stream;
mod concurrency_limit;
mod connection;
mod connection_limit;
pub mod erasure;
pub mod events;
mod health;
mod hex;
mod http;
pub mod identity;
pub mod known_databases;
mod listener;
mod locks;
pub mod logging;
mod mcp;
mod metrics;
pub mod options;
mod pruning;
pub mod quota;
mod records;
mod search;
mod serve;
pub mod settings;
mod signals;
pub mod storage;
mod stores;
mod team;
mod telemetry;
pub mod tokens;

pub use options::{BoundServer, Clock, ServeOptions, ServerAccess, ServerLimits, ServerPages};
pub use serve::{ServeError, serve};
pub use settings::ServerSettings;
