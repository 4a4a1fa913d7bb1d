//! Scans of memory for secrets, and findings as they are printed; `mem-scan` does the scanning.
//!
//! # Layout
//! - `memory` scans every tier, `audit` adds what it finds to an audit.
//! - `report` prints a tally as text, JSON, JSON lines or SARIF.

pub(crate) mod audit;
pub(crate) mod memory;
pub(crate) mod report;
