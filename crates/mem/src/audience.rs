//! Who may run which command: one row a command, asked before a command runs.
//!
//! A new command needs a row; a test compares the table with the whole tree of commands. A command that the table does
//! not have is for a person. The table is a guard-rail against an agent that does what nobody asked for, and no
//! fence: an agent with a shell can take its host's marks off.

use clap::ArgMatches;

use crate::context::Context;
use crate::person::PersonOnlyError::{
    self, Console, Encryption, Guards, Inbox, Purging, Serving, Settings, Sharing, Trust,
    Validating,
};
use Audience::{Anybody, ByArguments, Person, PersonUnless, PersonWith};

/// For whom a command is.
#[derive(Clone, Copy, Debug)]
enum Audience {
    /// Agents may run it, as far as `memory.write` lets what they write through.
    Anybody,
    /// A person alone.
    Person(PersonOnlyError),
    /// A person alone, but for calls with one of these flags, which change nothing of weight.
    PersonUnless(PersonOnlyError, &'static [&'static str]),
    /// A person alone where one of these flags is given.
    PersonWith(PersonOnlyError, &'static [&'static str]),
    /// It depends on what is named or set: the command itself asks.
    ByArguments,
}

/// Every command, by the words after `mem`.
const TABLE: &[(&str, Audience)] = &[
    ("adopt", PersonWith(Purging, &["delete_source"])),
    ("attach", Person(Sharing)),
    ("attachments", Anybody),
    ("audit", Anybody),
    #[cfg(feature = "browse")]
    ("browse", Person(PersonOnlyError::Browsing)),
    ("check", Anybody),
    ("client", Anybody),
    ("completions", Anybody),
    ("config", Anybody),
    ("config edit", Person(Settings)),
    ("config get", Anybody),
    ("config list", Anybody),
    ("config set", Person(Settings)),
    ("config unset", Person(Settings)),
    ("console", Person(Console)),
    ("cost", Anybody),
    ("daemon", Anybody),
    ("daemon install", Anybody),
    ("daemon logs", Anybody),
    ("daemon restart", Anybody),
    ("daemon run", Anybody),
    ("daemon start", Anybody),
    ("daemon status", Anybody),
    ("daemon stop", Anybody),
    ("daemon uninstall", Anybody),
    ("detach", Person(Sharing)),
    ("diff", Anybody),
    ("doctor", Anybody),
    ("dream", Anybody),
    ("edit", Anybody),
    ("encrypt", Anybody),
    ("encrypt drop", Person(Encryption)),
    ("encrypt off", Person(Encryption)),
    ("encrypt on", Person(Encryption)),
    ("encrypt rotate", Person(Encryption)),
    ("encrypt status", Anybody),
    ("erase", Person(Purging)),
    ("export", Anybody),
    ("extract", Anybody),
    ("gc", Anybody),
    ("help", Anybody),
    ("history", Anybody),
    ("hook", Anybody),
    ("hook claude", Anybody),
    ("hook codex", Anybody),
    ("hook copilot", Anybody),
    ("hook cursor", Anybody),
    ("hook gemini", Anybody),
    ("hook install", Anybody),
    ("hook opencode", Anybody),
    ("hook pre-commit", Anybody),
    ("hook pre-push", Anybody),
    ("hook qwen", Anybody),
    ("hook status", Anybody),
    ("hook uninstall", Person(Guards)),
    ("import", Anybody),
    ("inbox", Anybody),
    ("inbox accept", Person(Inbox)),
    ("inbox edit", Person(Inbox)),
    ("inbox list", Anybody),
    ("inbox reject", Person(Inbox)),
    ("inbox show", Anybody),
    ("index", Anybody),
    ("index check", Anybody),
    ("index fit", Anybody),
    ("index repair", Anybody),
    ("index show", Anybody),
    ("init", Anybody),
    ("install", Anybody),
    ("install claude-code", Anybody),
    ("install codex", Anybody),
    ("install copilot", Anybody),
    ("install cursor", Anybody),
    ("install gemini", Anybody),
    ("install mcp", Anybody),
    ("install opencode", Anybody),
    ("install qwen", Anybody),
    ("install vscode", Anybody),
    ("list", Anybody),
    ("log", Anybody),
    ("log-audit", Anybody),
    ("login", PersonUnless(Sharing, &["status"])),
    ("logout", Person(Sharing)),
    ("man", Anybody),
    ("manifest", Anybody),
    ("mcp", Anybody),
    ("model", Anybody),
    ("model install", Person(Settings)),
    ("model remove", Person(Settings)),
    ("model status", Anybody),
    ("path", Anybody),
    ("preview", Anybody),
    ("prompt", Anybody),
    ("prune", Anybody),
    ("purge", PersonUnless(Purging, &["dry_run"])),
    ("recall", Anybody),
    ("record", Anybody),
    ("record delete", ByArguments),
    ("record list", Anybody),
    ("record retrieve", Anybody),
    ("record store", ByArguments),
    ("redact", PersonUnless(Purging, &["dry_run"])),
    ("remove", Anybody),
    ("rename", Anybody),
    ("restore", Anybody),
    ("save", Anybody),
    ("scan", PersonWith(Validating, &["validate"])),
    ("search", Anybody),
    ("secrets", Anybody),
    ("secrets allow", Anybody),
    ("secrets explain", Anybody),
    ("secrets list", Anybody),
    ("serve", PersonWith(Serving, &["insecure_no_auth"])),
    ("server", Anybody),
    ("server backup", Person(Serving)),
    ("server prune", Person(Serving)),
    ("server restore", Person(Serving)),
    ("server token", Anybody),
    ("server token create", Person(Serving)),
    ("server token grant", Person(Serving)),
    ("server token list", Anybody),
    ("server token revoke", Person(Serving)),
    ("server token rotate", Person(Serving)),
    ("server webhook", Anybody),
    ("server webhook create", Person(Serving)),
    ("server webhook dead", Anybody),
    ("server webhook delete", Person(Serving)),
    ("server webhook list", Anybody),
    ("server webhook retry", Person(Serving)),
    ("server webhook rotate", Person(Serving)),
    ("server webhook test", Person(Serving)),
    ("server workspace", Anybody),
    ("server workspace create", Person(Serving)),
    ("server workspace list", Anybody),
    ("session", Anybody),
    ("session compact", Anybody),
    ("session due", Anybody),
    ("session init", Anybody),
    ("session list", Anybody),
    ("session path", Anybody),
    ("session prompt", Anybody),
    ("session prompts", Anybody),
    ("session prune", Anybody),
    ("session show", Anybody),
    ("session update", Anybody),
    ("session wrote-memory", Anybody),
    ("show", Anybody),
    ("similar", Anybody),
    ("status", Anybody),
    ("store", Anybody),
    ("store archive", Person(Purging)),
    ("store cat", Anybody),
    ("store create", ByArguments),
    ("store delete", Person(Purging)),
    ("store diff", Anybody),
    ("store export", Anybody),
    ("store import", ByArguments),
    ("store list", Anybody),
    ("store memories", Anybody),
    ("store mv", ByArguments),
    ("store put", ByArguments),
    ("store redact", Person(Purging)),
    ("store rm", ByArguments),
    ("store rollback", ByArguments),
    ("store show", Anybody),
    ("store update", ByArguments),
    ("store versions", Anybody),
    ("sync", Anybody),
    ("sync delete", ByArguments),
    ("sync diff", Anybody),
    ("sync leave", Person(Sharing)),
    ("sync redact", Person(Sharing)),
    ("sync resolve", ByArguments),
    ("sync setup", Person(Sharing)),
    ("sync status", Anybody),
    ("team", Anybody),
    ("team delete", ByArguments),
    ("team diff", Anybody),
    ("team join", Person(Sharing)),
    ("team leave", Person(Sharing)),
    ("team log", Anybody),
    ("team login", Person(Sharing)),
    ("team logout", Person(Sharing)),
    ("team pull", Anybody),
    ("team push", Anybody),
    ("team redact", Person(Sharing)),
    ("team resolve", ByArguments),
    ("team review", ByArguments),
    ("team setup", Person(Sharing)),
    // What an agent shares waits for a person's look, as all that it puts into the team's directory.
    ("team share", Anybody),
    ("team status", Anybody),
    ("team sync", Anybody),
    ("tool", Anybody),
    ("tour", Anybody),
    ("trust", PersonUnless(Trust, &["list", "revoke"])),
    ("types", Anybody),
    ("undo", Anybody),
    ("uninstall", Person(Guards)),
    ("uninstall claude-code", Person(Guards)),
    ("uninstall codex", Person(Guards)),
    ("uninstall copilot", Person(Guards)),
    ("uninstall cursor", Person(Guards)),
    ("uninstall gemini", Person(Guards)),
    ("uninstall mcp", Person(Guards)),
    ("uninstall opencode", Person(Guards)),
    ("uninstall qwen", Person(Guards)),
    ("uninstall vscode", Person(Guards)),
    ("verify", Anybody),
    ("warm", Anybody),
];

/// Refuses an agent the command that was chosen, where that is for a person.
///
/// # Errors
/// An agent runs this, and the command is for a person.
pub(crate) fn check_audience(
    matches: &ArgMatches,
    context: &Context,
) -> Result<(), PersonOnlyError> {
    let (mut words, mut innermost) = (Vec::new(), matches);
    while let Some((name, inner)) = innermost.subcommand() {
        words.push(name);
        innermost = inner;
    }
    let path = words.join(" ");
    let row = TABLE.iter().find(|(known, _)| *known == path);
    let is_given = |flags: &[&str]| flags.iter().any(|flag| innermost.get_flag(flag));
    match row.map_or(Person(Settings), |(_, audience)| *audience) {
        Anybody | ByArguments => Ok(()),
        Person(what) => context.require_person(what),
        PersonUnless(_, flags) if is_given(flags) => Ok(()),
        PersonUnless(what, _) => context.require_person(what),
        PersonWith(what, flags) if is_given(flags) => context.require_person(what),
        PersonWith(..) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Command;

    use super::*;

    fn walk<'c>(command: &'c Command, path: &str, found: &mut Vec<(String, &'c Command)>) {
        for inner in command.get_subcommands() {
            let path = format!("{path} {}", inner.get_name()).trim().to_owned();
            walk(inner, &path, found);
            found.push((path, inner));
        }
    }

    #[test]
    fn the_table_has_every_command_and_its_flags_exist() {
        let mut root = crate::cli::root_command();
        root.build();
        let mut found = Vec::new();
        walk(&root, "", &mut found);
        let commands: BTreeSet<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        let table: BTreeSet<&str> = TABLE.iter().map(|(path, _)| *path).collect();
        assert_eq!(table.len(), TABLE.len(), "a command stands there twice");
        let missing: Vec<_> = commands.difference(&table).collect();
        assert!(missing.is_empty(), "say in TABLE who may run {missing:?}");
        if cfg!(all(feature = "console", feature = "server")) {
            let unknown: Vec<_> = table.difference(&commands).collect();
            assert!(unknown.is_empty(), "there is no command {unknown:?}");
        }
        for (path, audience) in TABLE {
            let (PersonUnless(_, flags) | PersonWith(_, flags)) = audience else {
                continue;
            };
            let command = found.iter().find(|(known, _)| known == path);
            let (_, command) = command.unwrap();
            for flag in *flags {
                let mut args = command.get_arguments();
                let is_switch =
                    |arg: &clap::Arg| arg.get_id() == *flag && !arg.get_action().takes_values();
                assert!(args.any(is_switch), "`mem {path}` has no switch {flag}");
            }
        }
    }
}
