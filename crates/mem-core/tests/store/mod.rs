//! The store through its public door, on real directories.

mod adversity;
mod cited;
mod crash;
mod damage;
mod directory;
mod foreign;
mod git_format;
mod redaction;
mod restoring;
mod undoing;
mod writing;
