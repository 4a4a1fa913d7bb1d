//! What memory costs: how much was put before a model, when and for what; never the content.
//!
//! `recalled/injected.jsonl` beside the history of a project, one JSON object a line, bounded, and
//! erased with the history.

use std::io;
use std::path::PathBuf;

use mem_core::bounded_log::append_lines;
use mem_core::memory::ProjectMemory;
use mem_core::{Scope, regular_file};
use serde::{Deserialize, Serialize};

use crate::tokens::estimate_tokens;

/// A ledger of more bytes loses its older half.
const LEDGER_BYTES_MAX: u64 = 1024 * 1024;

/// What one event of a host put before its model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Injection {
    /// When, seconds since 1970.
    pub at: i64,
    /// The host's session; empty where it named none.
    pub session: String,
    /// The event, in kebab case.
    pub event: String,
    /// The id of the call of a tool that it came with; empty where there is none.
    pub call: String,
    /// Characters of the whole text.
    pub chars: usize,
    /// Its tokens, estimated.
    pub tokens: usize,
    /// What it was made of.
    pub entries: Vec<InjectedPart>,
}

/// A part of such a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InjectedPart {
    /// A memory's file, `index:team`, `session-notes` or `drift`.
    pub label: String,
    /// Characters.
    pub chars: usize,
    /// Tokens, estimated.
    pub tokens: usize,
}

impl InjectedPart {
    /// The size of a part.
    pub fn from_label(label: String, text: &str) -> Self {
        Self {
            label,
            chars: text.chars().count(),
            tokens: estimate_tokens(text),
        }
    }
}

/// Adds to the ledger of a project.
///
/// # Errors
/// It cannot be written.
pub fn record_injection(memory: &ProjectMemory, injection: &Injection) -> io::Result<()> {
    let mut line = serde_json::to_vec(injection)?;
    line.push(b'\n');
    append_lines(&ledger_file(memory), &line, LEDGER_BYTES_MAX)
}

/// Reads the ledger of a project, oldest first. What is damaged in it is passed over.
pub fn read_injections(memory: &ProjectMemory) -> Vec<Injection> {
    let bytes = regular_file::read(&ledger_file(memory), 2 * LEDGER_BYTES_MAX).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

fn ledger_file(memory: &ProjectMemory) -> PathBuf {
    let project = memory.store(Scope::Private).places();
    project.recalled().join("injected.jsonl")
}
