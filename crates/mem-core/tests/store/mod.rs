//! The store through its public door, on real directories.

mod cited;
mod crash;
mod damage;
mod directory;
mod external_edits;
mod git_format;
mod hostile_file_system;
mod redaction;
mod restore;
mod undo;
mod write;
