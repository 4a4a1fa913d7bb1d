//! Administration of what this machine keeps of memories, and what it goes over as a whole: histories, inboxes, sessions,
//! remotes, hosts, daemons. Nothing here prints.
//!
//! # Layout
//! - [`doctor`]: checks of everything around the memories, and what needs no decision to be mended.

pub mod doctor;
