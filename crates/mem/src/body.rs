//! The body of a memory, from a flag or from standard input.

use std::io::{IsTerminal as _, Read as _};

use anyhow::Context as _;
use mem_core::limits::TOPIC_BYTES_MAX;
use mem_core::text_detection::is_plain_text;

/// Says that the body is standard input.
const STDIN: &str = "-";

/// Reads the body: `--body`, else standard input where something is piped into it. `-` asks for standard input.
///
/// Reads one byte over the limit at the most; the limit itself is the library's to enforce.
///
/// # Errors
/// Standard input cannot be read, is not UTF-8, or holds NUL or many control characters.
pub(crate) fn read(flag: Option<&str>) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    match flag {
        Some(STDIN) => {}
        Some(body) => return Ok(body.to_owned()),
        None if stdin.is_terminal() => return Ok(String::new()),
        None => {}
    }
    let mut bytes = Vec::new();
    let limit = TOPIC_BYTES_MAX as u64 + 1;
    stdin
        .lock()
        .take(limit)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    let text = String::from_utf8(bytes).ok();
    let text = text.filter(|text| is_plain_text(text.as_bytes()));
    text.ok_or_else(|| NotText.into())
}

/// A body that is no text.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
#[error("standard input is no text: NUL, many control characters, or another encoding than UTF-8")]
#[diagnose(
    Invalid,
    hint = "memories are Markdown; keep other files in the repository"
)]
pub(crate) struct NotText;
