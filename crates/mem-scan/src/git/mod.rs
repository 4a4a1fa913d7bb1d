//! Scanning git objects: exactly the blobs, added lines, messages and names of some commits.
//!
//! Each blob is read and scanned once, with the context that rules look at, however many commits
//! there are; only where something is found are its lines compared with those of the parents. What
//! was clean is remembered between runs, by the hash of the rules.

mod added_lines;
mod blobs;
mod cache;
mod changed_part;
mod changes;
mod commits;
mod history;
mod hook;
mod id;
mod library;
mod messages;
mod object;
mod open;
mod parallel;
mod program;
mod push;
mod refs;
mod source;
mod staged;
mod updates;
mod walk;

pub(crate) use source::ObjectSource;

pub use cache::Clean;
pub use commits::CommitScan;
pub use history::{scan_history, scan_range};
pub use hook::{HookScan, HookScanError};
pub use id::ObjectId;
pub use object::ObjectError;
pub use open::{GitObjectError, GitObjects};
pub use push::{PushPart, PushPlan};
pub use staged::scan_staged;
pub use updates::{RefUpdateError, Update, parse_updates};
