//! The few styles of human output. They reach terminals only; the printer strips them elsewhere.

use anstyle::{AnsiColor, Style};

/// Headings and command names.
pub(crate) const STRONG: Style = Style::new().bold();
/// The word `error:`.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The word `warning:`.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// The word `ok`.
pub(crate) const SUCCESS: Style = AnsiColor::Green.on_default();
/// The word `hint:`.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// A line that a diff adds.
pub(crate) const ADDED: Style = AnsiColor::Green.on_default();
/// A line that a diff takes away.
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();
/// Where in a file a diff is.
pub(crate) const HUNK: Style = AnsiColor::Cyan.on_default();
/// What is less important than the rest of its line.
pub(crate) const FAINT: Style = Style::new().dimmed();
