//! What hooks have to say to nobody: why they kept silent. A host shows neither stdout nor stderr of
//! a hook that went well, so it stands in `<state>/hooks.log`, one line each, bounded.

use std::path::PathBuf;

use mem_core::bounded_log::append_lines;
use mem_core::{Dirs, Now};

use mem_core::foreign_text::one_line;
use mem_team::masking;

/// A log of more bytes loses its older half.
const LOG_BYTES_MAX: u64 = 256 * 1024;
/// Of one remark, so much is kept.
const REMARK_CHARS_MAX: usize = 400;

/// Where the log is.
pub fn log_path(dirs: &Dirs) -> PathBuf {
    dirs.state.join("hooks.log")
}

/// Adds a line. That it cannot be written is no reason to fail.
pub fn log_event(dirs: &Dirs, now: Now, event: &str, session: Option<&str>, remark: &str) {
    let short = |text: &str, max: usize| one_line(text).chars().take(max).collect::<String>();
    let line = format!(
        "{} {} {} {}\n",
        now.0.strftime("%Y-%m-%dT%H:%M:%SZ"),
        short(event, 40),
        short(session.unwrap_or("-"), 64),
        short(&masking::masked_quote(remark), REMARK_CHARS_MAX)
    );
    let _ = append_lines(&log_path(dirs), line.as_bytes(), LOG_BYTES_MAX);
}
