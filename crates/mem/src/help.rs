//! The root's help text: the commands by what a person wants, and all of them where they are asked for.

use std::fmt::Write;

use crate::commands::{GROUPS, MORE};
use crate::style::STRONG;
use crate::table::CommandEntry;

/// clap's template for the root command, with the commands listed by group; all of them, or those that people want
/// every week.
pub(crate) fn help_template(is_all: bool) -> String {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let groups = GROUPS
        .iter()
        .filter(|(heading, entries)| !entries.is_empty() && (is_all || *heading != MORE));
    let entries = groups.clone().flat_map(|(_, entries)| entries.iter());
    let width = entries.map(|entry| entry.name.len()).max().unwrap_or(0);
    for (heading, entries) in groups {
        let _ = write!(text, "\n{STRONG}{heading}:{STRONG:#}\n");
        for entry in *entries {
            push_line(&mut text, entry, width);
        }
    }
    if !is_all {
        text.push_str(
            "\n`mem` alone says what this repository has, and the next command to run.\n",
        );
        text.push_str("`mem help --all` lists the others, `mem help COMMAND` explains one.\n");
    }
    let _ = write!(text, "\n{STRONG}Options:{STRONG:#}\n{{options}}");
    text
}

/// One command of the listing.
fn push_line(text: &mut String, entry: &CommandEntry, width: usize) {
    let CommandEntry { name, about, .. } = entry;
    let _ = writeln!(text, "  {STRONG}{name:width$}{STRONG:#}  {about}");
}
