//! Findings of scans as they are printed; `mem-scan` does the scanning.
//!
//! # Layout
//! - `report` prints a tally as text, JSON, JSON lines or SARIF.

pub(crate) mod report;
