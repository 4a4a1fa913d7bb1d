//! The memories of a project for any client of the Model Context Protocol.
//!
//! # Layout
//! - `transport`, `lines`, `message`: JSON-RPC over standard input and output.
//! - `server`: what the protocol asks of a server; the only one who knows the SDK's handler.
//! - `mcp_call`: the memory as one call finds it. Opened for each call, so that the handshake waits for
//!   nothing and no call works with a place that has moved.
//! - `address`: from the path that a client says to a tier and a file.
//! - `tools`: which tool does what; one file each: `list`, `search`, `read`, `write`, `delete`,
//!   `recall`, `notes`, `records`. What a model reads of them is `templates/mcp/tools.json`.
//! - `arguments`: whether the arguments of a call fit the schema of their tool.
//! - `attached`: the same tools for the stores that are attached.
//! - `shape`: the JSON of a note. `resources`: notes and indexes as resources, `attached_resources`: memories of
//!   attached stores; `uri`: their addresses.
//! - `fault`: what a client did wrong.
//!
//! The SDK stays inside of this folder.

mod address;
mod arguments;
mod attached;
mod attached_resources;
mod delete;
mod fault;
mod lines;
mod list;
mod mcp_call;
mod message;
mod notes;
mod read;
mod recall;
mod records;
mod resources;
mod search;
mod server;
mod shape;
mod tools;
mod transport;
mod uri;
mod write;

use std::io;
use std::time::Duration;

use crate::ToolEnvironment;
use mem_core::{Diagnose, Scope};
use rmcp::{ServerHandler, ServiceExt as _};

use mem_core::host_user::HostUser;

pub use fault::Fault;

/// Calls that are worked on at a time; further ones wait for a thread.
const WORKERS_MAX: usize = 8;
/// What is still being written when the client has gone may take so long.
const LAST_WORDS_MAX: Duration = Duration::from_secs(2);

/// The server cannot begin, or has failed.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(Io)]
pub enum McpServeError {
    /// The system has no threads to give.
    #[error("cannot start the server")]
    Start(#[source] io::Error),
    /// Standard input cannot be read.
    #[error("cannot read standard input")]
    Input(#[source] io::Error),
    /// A task of it ended in disorder.
    #[error("the server failed")]
    Failed(#[source] tokio::task::JoinError),
}

/// What a client may do and see.
#[derive(Clone, Debug)]
pub struct ClientPermissions {
    /// Whether nothing may be written.
    pub is_read_only: bool,
    /// The tiers that are there.
    pub scopes: Vec<Scope>,
    /// The user of a host whose records are all that there is; `None` for the project.
    pub user: Option<HostUser>,
}

/// Serves one client until it goes.
///
/// # Errors
/// The system has no threads to give.
pub fn serve_client(
    environment: ToolEnvironment,
    terms: ClientPermissions,
) -> Result<(), McpServeError> {
    serve(server::McpServer::new(environment, terms))
}

/// Shakes hands with one client, and has nothing for it until it goes.
///
/// # Errors
/// As [`serve_client`].
pub fn serve_nothing() -> Result<(), McpServeError> {
    serve(server::EmptyServer)
}

fn serve(server: impl ServerHandler) -> Result<(), McpServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(WORKERS_MAX)
        .build()
        .map_err(McpServeError::Start)?;
    runtime.block_on(async {
        let transport = transport::Stdio::open_stdio().map_err(McpServeError::Input)?;
        // A client that goes before the handshake, or makes a mess of it, was told; that is its end.
        if let Ok(running) = server.serve(transport).await {
            running.waiting().await.map_err(McpServeError::Failed)?;
        }
        Ok(())
    })?;
    runtime.shutdown_timeout(LAST_WORDS_MAX);
    Ok(())
}
