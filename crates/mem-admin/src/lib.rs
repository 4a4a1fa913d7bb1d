//! Administration of what this machine keeps of memories, and what it goes over as a whole: histories, inboxes,
//! sessions, remotes, hosts, daemons. Nothing here prints.
//!
//! # Layout
//! - [`doctor`]: checks of everything around the memories, and what needs no decision to be mended.
//! - [`encryption`]: what is sealed, and changing the keys of all of it.
//! - [`redaction`]: removing a note or a text from all of it.
//! - [`secrets_stopped`]: how many secrets the hooks of git stopped.
//! - [`status`]: the state of a project's memory.

pub mod doctor;
pub mod encryption;
pub mod redaction;
pub mod secrets_stopped;
pub mod status;
