//! The store through its public door, on real directories.

mod hostile_file_system;
mod cited;
mod crash;
mod damage;
mod directory;
mod external_edits;
mod git_format;
mod redaction;
mod restore;
mod undo;
mod write;
