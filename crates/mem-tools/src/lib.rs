//! What agents call, over the memory of a project: the memory tool, records, and a server of the Model Context Protocol.
//!
//! # Layout
//! - [`memory_tool`]: which memory the tool of the Messages API works on, opened.
//! - [`records`]: structured memories of a project or of one user of a host, and what is pruned of them.
//! - [`mcp`]: notes, records and attached stores for any client of the protocol.
//! - [`ToolEnvironment`]: what they need of the program around. [`CallError`]: why a call is not carried out.
//!
//! Nothing here prints, but for the server, whose standard output is the protocol's. Nothing reads the environment or
//! the clock.

mod environment;
mod error;
pub mod mcp;
pub mod memory_tool;
pub mod records;

pub use environment::{ErrorText, ToolEnvironment};
pub use error::CallError;

/// What is said of a reason that held a secret.
pub const BLANKED_REASON: &str = "the reason held a secret: it is kept without";
