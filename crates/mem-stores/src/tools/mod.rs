//! The tools that agents have for memory stores, as every end offers them: over MCP at a server, and over
//! standard input and output where a store is attached.
//!
//! # Layout
//! - `definition`: names, descriptions and schemas, from `templates/mcp/stores.json`.
//! - `arguments`: what a model may say, read strictly.
//! - [`store`]: what an end has to be able to do; [`call()`] does the rest.
//! - `edit`: one piece of a text replaced, as a function.
//! - `search_results`: what a search finds in an index, at either end.
//! - `answer`: the JSON that a model gets; [`error`]: what it is told where there is none.
//!
//! Nothing here knows a protocol, a database or a file.

mod answer;
mod arguments;
mod call;
mod definition;
mod edit;
pub mod error;
mod search_results;
pub mod store;

pub use arguments::normalise_integers;
pub use call::call;
pub use definition::{DEFINITIONS, ToolDefinition};
pub use error::{StoreName, ToolError};
pub use search_results::{RankedMemory, rank_memories};
pub use store::{OpenStore, ToolAccess, ToolStores};

/// Memories of one page of `memory_list`.
pub const LIST_MAX: usize = 1_000;
/// Memories of a page of `memory_list` that does not say how many.
pub const LIST_DEFAULT: usize = 200;
/// Memories that `memory_search` finds.
pub const FOUND_MAX: usize = 50;
/// Memories that a `memory_search` finds that does not say how many.
pub const FOUND_DEFAULT: usize = 10;
/// What `memory_search` is asked for.
pub const QUERY_BYTES_MAX: usize = 4_096;
