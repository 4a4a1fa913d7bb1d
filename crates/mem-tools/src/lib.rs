//! What agents call, over the memory of a project: the memory tool, records, and a server of the Model Context
//! Protocol.
//!
//! # Layout
//! - [`memory_tool`]: which memory the tool of the Messages API works on, opened.
//! - [`records`]: structured memories of a project or of one user of a host, and what is pruned of them.
//! - [`mcp`]: notes, records and attached stores for any client of the protocol.
//! - [`attached_text`]: what agents read of the stores that are attached.
//! - [`ToolEnvironment`]: what they need of the program around. [`CallError`]: why a call is not carried out;
//!   [`error_text`]: any error in words.
//!
//! Nothing here prints, but for the server, whose standard output is the protocol's. Nothing reads the environment or
//! the clock.

pub mod attached_text;
mod environment;
mod error;
pub mod error_text;
pub mod mcp;
pub mod memory_tool;
pub mod records;

pub use environment::{BACKGROUND_SYNC, ToolEnvironment};
pub use error::CallError;

/// What is said of a reason that held a secret.
pub const BLANKED_REASON: &str = "the reason held a secret: it is kept without";
