//! What `mem` writes into the settings of host programs and of git, and takes out again.
//!
//! A program, its directories and the present text of a file in, the text that it is to have out. Nothing here knows a
//! memory, prints, or reads the environment: callers hand it in.
//!
//! # Layout
//! - `settings_file`: a host's file with its byte order mark, its link, its backup.
//! - `jsonc`: JSON with comments, of which one part is changed and all else kept.
//! - `hook_hosts`: which hosts have hooks, a file each. `hook_settings`: the hooks of one; `plugin_file`: where they
//!   are a plugin. `servers`: the entry of `mem mcp` in JSON; `servers_toml`: in TOML. Both are functions from text to
//!   text.
//! - `client`: which clients there are, and which file each reads.
//! - `installation`: one of these in one file, put in, taken out, recorded. `host_detection`: the hosts that a person
//!   uses.
//! - [`git_hooks`]: the hooks of git, which are files of their own.

mod client;
mod fault;
pub mod git_hooks;
mod hook_hosts;
mod hook_settings;
mod host_detection;
mod installation;
mod jsonc;
mod plugin_file;
mod servers;
mod servers_toml;
mod settings_file;

pub use client::{HostScope, InstallSpec, McpClient, ProgramDirs};
pub use fault::HostFault;
pub use hook_hosts::{AnswerForm, FileContext, HookHost, HostProfile, InputNames};
pub use hook_settings::OnFailure;
pub use host_detection::DetectedHost;
pub use installation::{InstallOutcome, Installation, InstallationKind, remove_installed};
