//! What is to go, told before anything goes: for `mem erase` and `mem purge`.

use anyhow::Result;
use mem_core::erasure::{Erasure, ErasureError};
use mem_core::installed;
use mem_core::store::Purge;
use serde_json::{Value, json};

use crate::context::Context;
use crate::counted::{counted, files};
use crate::exit::Exit;
use crate::sanitize::clean;

/// What is asked where something of this machine goes.
pub(crate) const QUESTION: &str = "erase all of this for good?";

/// What is to go.
pub(crate) struct Listed {
    /// For people.
    pub(super) lines: Vec<String>,
    /// An object for programs.
    pub(super) shape: Value,
    /// Whether there is nothing.
    pub(crate) is_nothing: bool,
    /// Whether nothing goes without a further word.
    pub(crate) keeps_all: bool,
}

impl Listed {
    /// What is to go of a server's database.
    #[cfg(feature = "server")]
    pub(super) fn at_server(lines: Vec<String>, shape: Value) -> Self {
        Self {
            lines,
            shape,
            is_nothing: false,
            keeps_all: false,
        }
    }

    /// What is to go of this machine.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub(crate) fn of(erasure: &Erasure) -> Result<Self, ErasureError> {
        let (directories, outside) = (erasure.directories()?, erasure.elsewhere()?);
        let mut paths = erasure.own_paths();
        paths.extend(erasure.session_paths());
        let has_none = |one: &Purge| one.files == 0 && one.state.is_none();
        let keeps_all = paths.is_empty() && directories.iter().all(has_none);
        let shapes = |purges: &[Purge]| purges.iter().map(shape).collect::<Vec<Value>>();
        let mut lines: Vec<String> = directories.iter().map(directory).collect();
        lines.retain(|line| !line.is_empty());
        let shown = paths.iter().map(|path| path.to_string_lossy());
        lines.extend(shown.map(|path| clean(&path).into_owned()));
        lines.extend(outside.iter().map(|purge| {
            let line = directory(purge);
            format!("outside the host's directories, and asked for by itself: {line}")
        }));
        Ok(Self {
            lines,
            shape: json!({
                "directories": shapes(&directories), "paths": paths, "outside": shapes(&outside),
            }),
            is_nothing: keeps_all && outside.is_empty(),
            keeps_all,
        })
    }

    /// Tells it and asks. `false` where it was only to be shown.
    ///
    /// # Errors
    /// The answer is no, or there is nobody to ask.
    pub(crate) fn is_to_go(
        &self,
        question: &str,
        dry_run: bool,
        yes: bool,
        context: &Context,
    ) -> Result<bool> {
        if !context.printer.json {
            for line in &self.lines {
                context.printer.line(line)?;
            }
        }
        if !dry_run {
            context.confirm(question, yes)?;
            return Ok(true);
        }
        context.printer.say("nothing was erased");
        self.told(false, context)?;
        Ok(false)
    }

    /// What came of it, for programs.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn told(&self, erased: bool, context: &Context) -> Result<Exit> {
        if context.printer.json {
            let mut all = self.shape.clone();
            all["erased"] = erased.into();
            context.printer.json(&all)?;
        }
        Ok(Exit::Ok)
    }
}

/// Asks for every folder outside the host's directories, one by one, whatever `--yes` said: such a folder may hold
/// anything. Without a terminal, and after a no, its files stay.
///
/// # Errors
/// A directory cannot be listed, or the terminal not be read.
pub(crate) fn ask_for_outside(erasure: &mut Erasure, context: &Context) -> Result<()> {
    for purge in erasure.elsewhere()? {
        let folder = purge.directory.to_string_lossy();
        let (folder, count) = (clean(&folder), files(purge.files));
        let question = format!("erase {count} of mem's in `{folder}` for good, too?");
        if context.is_interactive() && context.agrees(&question)? {
            erasure.approve(&purge.directory);
            continue;
        }
        let remedy = match context.is_interactive() {
            true => "remove the files by hand where they are to go",
            false => "run this in a terminal to be asked for it, or remove the files by hand",
        };
        context.printer.warn(format_args!(
            "`{folder}` stays with {count} of mem's and their history: it is outside the host's directories; {remedy}"
        ));
    }
    Ok(())
}

/// What is installed into hosts is not erased with the rest.
///
/// # Errors
/// There are no directories of `mem`'s own.
pub(crate) fn tell_of_installed(context: &Context) -> Result<()> {
    if !installed::list(context.dirs()?).0.is_empty() {
        let stays = "what mem installed stays, with the list of it: `mem uninstall` takes it out";
        context.printer.warn(stays);
    }
    Ok(())
}

/// What is said of a directory; nothing where nothing is to be said.
fn directory(purge: &Purge) -> String {
    let folder = purge.directory.display();
    let mut lines = Vec::new();
    if purge.files > 0 || !purge.kept.is_empty() {
        let mut line = format!("{folder}: {}, {} bytes", files(purge.files), purge.bytes);
        let classes = purge.classes.iter();
        let classes: Vec<String> = classes
            .map(|(class, count)| {
                let (one, several) = class.words();
                counted(*count, one, several)
            })
            .collect();
        if !classes.is_empty() {
            line = format!("{line} ({})", classes.join(", "));
        }
        lines.push(line);
    }
    lines.extend(purge.state.as_ref().map(|state| {
        let whose = match purge.files {
            0 => format!(" of `{folder}`"),
            _ => String::new(),
        };
        format!("{}: its whole history{whose}", state.display())
    }));
    lines.extend(purge.kept.iter().map(|kept| format!("  stays: {kept}")));
    clean(&lines.join("\n")).into_owned()
}

/// The same as JSON.
fn shape(purge: &Purge) -> Value {
    let classes = purge.classes.iter();
    let classes: serde_json::Map<String, Value> = classes
        .map(|(class, count)| (class.as_str().to_owned(), (*count).into()))
        .collect();
    json!({
        "dir": purge.directory, "files": purge.files, "bytes": purge.bytes, "classes": classes,
        "history": purge.state, "kept": purge.kept,
    })
}
