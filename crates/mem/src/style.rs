//! The few styles of human output. They reach terminals only; the printer strips them elsewhere.

use anstyle::{AnsiColor, Style};

/// Headings and command names.
pub(crate) const STRONG: Style = Style::new().bold();
/// The word `error:`.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The word `warning:`.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// The word `hint:`.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
