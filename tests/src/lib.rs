//! The hermetic environment that whole-system tests run the real binary in.
//!
//! # Layout
//! - [`TestEnv`]: a throw-away home with nothing of the machine's own settings in it, and a clock.
//! - [`Invocation`]: one run of `mem` in it, with its input and environment.
//! - [`Output`]: what such a run wrote, with temporary paths made stable.
//! - [`Repo`]: a real git repository in it.
//! - [`Session`]: a session of a host in one, with its transcript.
//! - [`Screen`]: a run in a real terminal.
//! - [`Rpc`]: a conversation with one run of `mem` that serves.
//! - [`Server`]: one run of `mem serve`, and [`http`] to ask it.
//! - [`words()`]: a command line as one types it.
//! - [`github_token`]: something that looks like a secret.
//! - [`history`]: what a history holds, read by SQLite alone.
//! - [`binary`]: the binary under test, built when it is missing or stale.
//! - [`console`]: one run of `mem console`, and a browser to look at it with.
//! - [`clients`]: the real client packages of other languages, installed on first use.
//! - [`postgres`]: a throw-away PostgreSQL.
//! - [`oidc`]: a real identity provider, and who signs in there.
//! - [`s3`]: a bucket behind S3's protocol.
//! - [`tampering`]: contents of a database that somebody changed.
//! - [`demo`]: the picture of `mem tour`, which `cargo xtask demo` writes.
//! - [`Dripping`]: a server that never comes to the end of an answer.
//! - [`ScriptedModel`]: a server that plays a model, for those to talk to.
#![expect(
    clippy::disallowed_methods,
    reason = "tests make files and pass the environment on as they are"
)]

pub mod binary;
pub mod clients;
mod clock;
pub mod console;
pub mod demo;
mod env;
pub mod history;
pub mod http;
mod invocation;
mod notes;
pub mod oidc;
mod output;
pub mod postgres;
mod repo;
mod rpc;
pub mod s3;
pub mod screen;
mod scripted_model;
mod secret;
mod server;
mod session;
mod slow_server;
pub mod tampering;
mod words;

pub use console::Console;
pub use env::TestEnv;
pub use invocation::Invocation;
pub use output::Output;
pub use repo::Repo;
pub use rpc::Rpc;
pub use screen::Screen;
pub use scripted_model::{Request, ScriptedModel, Turn};
pub use secret::github_token;
pub use server::Server;
pub use session::Session;
pub use slow_server::Dripping;
pub use words::words;
