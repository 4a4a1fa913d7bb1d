//! The root's help text: the everyday commands first, the rest under their own heading.

use std::fmt::Write;

use crate::commands::GROUPS;
use crate::style::STRONG;
use crate::table::Line;

/// clap's template for the root command, with the commands listed by group.
pub(crate) fn help_template() -> String {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let width = command_names().map(str::len).max().unwrap_or(0);
    for (heading, lines) in GROUPS.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = write!(text, "\n{STRONG}{heading}:{STRONG:#}\n");
        for line in *lines {
            push_line(&mut text, line, width);
        }
    }
    let _ = write!(text, "\n{STRONG}Options:{STRONG:#}\n{{options}}");
    text
}

/// One command of the listing.
fn push_line(text: &mut String, (name, about): &Line, width: usize) {
    let _ = writeln!(text, "  {STRONG}{name:width$}{STRONG:#}  {about}");
}

/// The names of all commands.
fn command_names() -> impl Iterator<Item = &'static str> {
    GROUPS
        .iter()
        .flat_map(|(_, lines)| lines.iter().map(|(name, _)| *name))
}
