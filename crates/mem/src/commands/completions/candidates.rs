//! What fits at the end of a command line: commands, flags and their values from the declarations of clap, names of
//! memories from the directory, those of deleted ones and ids of changes from the history, settings from the list of
//! keys.
//!
//! The engine of `clap_complete` knows what of a line is a flag, a value or a command; its interface may change, and
//! this module alone uses it. Nothing is written, and no memory is opened: names are those of the files, and what a
//! shell shows beside them is in the memory index. A sealed history whose key is not at hand completes nothing.

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::{Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};
use mem_core::config::{KEYS, SettingKind};
use mem_core::history::Change;
use mem_core::location;
use mem_core::memory::ProjectMemory;

use crate::changes::{changed_files, short_id, utc_time};
use mem_core::RunContext;

/// Where a name of a memory stands: the words of the command and the id of the argument.
const MEMORY_ARGS: [(&[&str], &str); 18] = [
    (&["show"], "name"),
    (&["edit"], "name"),
    (&["rename"], "name"),
    (&["remove"], "name"),
    (&["history"], "name"),
    (&["diff"], "name"),
    (&["restore"], "name"),
    (&["similar"], "name"),
    (&["verify"], "names"),
    (&["redact"], "name"),
    (&["team", "share"], "name"),
    (&["team", "delete"], "key"),
    (&["team", "diff"], "key"),
    (&["team", "log"], "key"),
    (&["team", "redact"], "key"),
    (&["team", "resolve"], "key"),
    (&["sync", "delete"], "key"),
    (&["sync", "redact"], "key"),
];
/// Those of them that also take a memory that is gone.
const DELETED_COMMANDS: [&[&str]; 2] = [&["history"], &["restore"]];
/// Where the id of a change stands.
const CHANGE_ARGS: [(&[&str], &str); 4] = [
    (&["undo"], "which"),
    (&["history"], "revision"),
    (&["restore"], "revision"),
    (&["diff"], "revision"),
];
/// The commands whose `key` is a setting, and the one with a value for it.
const SETTING_COMMANDS: [&[&str]; 3] =
    [&["config", "get"], &["config", "unset"], SETTING_WITH_VALUE];
const SETTING_WITH_VALUE: &[&str] = &["config", "set"];

/// A word that fits, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) about: Option<String>,
}

/// What fits in place of the last of the words, the first of which is the program.
pub(super) fn fitting_candidates(words: &[OsString], context: &RunContext) -> Vec<Candidate> {
    let Some(last) = words.len().checked_sub(1).filter(|last| *last > 0) else {
        return Vec::new();
    };
    let context = context.standing_in(directory_of(&words[..last], context));
    let mut command = with_completers(crate::cli::root_command(), words, &context);
    let found = complete(&mut command, words.to_vec(), last, Some(&context.cwd));
    let found = found.unwrap_or_default();
    let mut shown: Vec<Candidate> = found.iter().filter_map(shown_candidate).collect();
    // Flags are for those who begin one, or where nothing else fits.
    let is_flag = |one: &Candidate| one.value.starts_with('-');
    if words[last].is_empty() && !shown.iter().all(is_flag) {
        shown.retain(|one| !is_flag(one));
    }
    shown
}

/// As a line of a terminal takes it; a value with control characters is left out.
fn shown_candidate(candidate: &CompletionCandidate) -> Option<Candidate> {
    let value = candidate.get_value().to_str()?;
    let about = candidate.get_help().map(ToString::to_string);
    let about = about.and_then(|about| about.lines().next().map(str::to_owned));
    (!value.chars().any(char::is_control)).then(|| Candidate {
        value: value.to_owned(),
        about: about.map(|about| about.replace(char::is_control, " ")),
    })
}

/// Where the command line would run: after each `-C` in turn.
fn directory_of(words: &[OsString], context: &RunContext) -> std::path::PathBuf {
    let mut cwd = context.cwd.clone();
    let words = words.iter().skip(1).map(|word| word.to_string_lossy());
    // What is behind `--` is no flag.
    let mut words = words.take_while(|word| word != "--");
    while let Some(word) = words.next() {
        let Some(rest) = word.strip_prefix("-C") else {
            continue;
        };
        let directory = match rest {
            "" => words.next().unwrap_or_default().into_owned(),
            rest => rest.to_owned(),
        };
        let typed = std::path::Path::new(&directory);
        cwd = context.standing_in(cwd).typed_path(typed);
    }
    cwd
}

/// The commands, with what completes their arguments. Building them all makes the arguments that are there to be
/// changed.
fn with_completers(mut root: Command, words: &[OsString], context: &RunContext) -> Command {
    root.build();
    let mut root = root.mut_arg("global_directory", |arg| arg.value_hint(ValueHint::DirPath));
    // The directory is listed for a command that takes a name alone.
    let wanted = MEMORY_ARGS.iter();
    let wanted: Vec<_> = wanted
        .filter(|(path, _)| is_named(&root, path, words))
        .collect();
    if !wanted.is_empty() {
        let typed = words.last().map(|word| word.to_string_lossy());
        let mut deleted = wanted
            .iter()
            .map(|(path, _)| DELETED_COMMANDS.contains(path));
        let with_deleted = deleted.any(|takes_deleted| takes_deleted);
        let all = memory_names(&typed.unwrap_or_default(), with_deleted, context);
        for (path, id) in wanted {
            root = with_completer(root, path, id, completer_of(all.clone()));
        }
    }
    for (path, id) in CHANGE_ARGS {
        if is_named(&root, path, words) {
            root = with_completer(root, path, id, completer_of(change_ids(context)));
        }
    }
    for path in SETTING_COMMANDS {
        if is_named(&root, path, words) {
            root = with_completer(root, path, "key", completer_of(setting_names()));
        }
    }
    if is_named(&root, SETTING_WITH_VALUE, words) {
        let values = completer_of(setting_values(words));
        root = with_completer(root, SETTING_WITH_VALUE, "value", values);
    }
    root
}

/// Whether the words name a command, by its name or another word for it.
fn is_named(root: &Command, path: &[&str], words: &[OsString]) -> bool {
    let mut rest = words.iter().skip(1);
    let mut level = Some(root);
    path.iter().all(|name| {
        let command = level.and_then(|level| level.find_subcommand(name));
        let aliases: Vec<&str> = command
            .map(|command| command.get_all_aliases().collect())
            .unwrap_or_default();
        level = command;
        rest.any(|word| word == name || aliases.iter().any(|alias| word == alias))
    })
}

fn with_completer(
    command: Command,
    path: &[&str],
    id: &str,
    completer: ArgValueCompleter,
) -> Command {
    match path {
        [] => command.mut_arg(id, |arg| arg.add(completer)),
        [name, rest @ ..] => {
            command.mut_subcommand(*name, |inner| with_completer(inner, rest, id, completer))
        }
    }
}

fn completer_of(all: Vec<Candidate>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let begun = current.to_string_lossy();
        let fits = all.iter().filter(|one| one.value.starts_with(&*begun));
        fits.map(|one| {
            let about = one.about.as_ref().map(StyledStr::from);
            CompletionCandidate::new(&one.value).help(about)
        })
        .collect()
    })
}

/// The memories that the word at the cursor may name.
fn memory_names(typed: &str, with_deleted: bool, context: &RunContext) -> Vec<Candidate> {
    let names = memory_here(context)
        .map(|memory| memory.known_names(typed.contains(':'), with_deleted))
        .unwrap_or_default();
    let candidates = names.into_iter().map(|one| {
        let deleted = one
            .deleted
            .map(|time| format!("deleted {}", utc_time(time)));
        Candidate {
            value: one.name,
            about: deleted.or(one.summary),
        }
    });
    candidates.collect()
}

fn memory_here(context: &RunContext) -> Option<ProjectMemory> {
    let dirs = context.dirs().ok()?;
    let place = location::open(&context.cwd, dirs, &context.env, &[]).ok()?;
    Some(ProjectMemory::new(&place.location, dirs))
}

/// Ids of changes as `mem history` prints them.
fn change_ids(context: &RunContext) -> Vec<Candidate> {
    let changes = memory_here(context).map(|memory| memory.recent_changes());
    let candidate = |change: &Change| Candidate {
        value: short_id(change.id.as_str()).to_owned(),
        about: Some(format!("{} {}", change.verb, changed_files(change))),
    };
    changes.unwrap_or_default().iter().map(candidate).collect()
}

fn setting_names() -> Vec<Candidate> {
    let name = |key: &mem_core::config::SettingKey| Candidate {
        value: key.name.to_owned(),
        about: Some(key.expected()),
    };
    KEYS.iter().map(name).collect()
}

/// What the setting takes that the words name, where that is one of a few words.
fn setting_values(words: &[OsString]) -> Vec<Candidate> {
    let named = KEYS
        .iter()
        .find(|key| words.iter().any(|word| word == key.name));
    let values: &[&str] = match named.map(|key| key.kind) {
        Some(SettingKind::Boolean) => &["true", "false"],
        Some(SettingKind::Choice(words)) => words,
        _ => &[],
    };
    let value = |value: &&str| Candidate {
        value: (*value).to_owned(),
        about: None,
    };
    values.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_that_are_completed_exist() {
        let mut root = crate::cli::root_command();
        root.build();
        let settings = SETTING_COMMANDS.iter().map(|path| (*path, "key"));
        let named = MEMORY_ARGS.iter().chain(&CHANGE_ARGS);
        for (path, id) in named.copied().chain(settings) {
            let command = path
                .iter()
                .try_fold(&root, |command, name| command.find_subcommand(name));
            let mut args = command.unwrap().get_arguments();
            assert!(args.any(|arg| arg.get_id() == id), "{path:?}: {id}");
        }
    }
}
