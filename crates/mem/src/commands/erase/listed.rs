//! What is to go, told before anything goes: for `mem erase` and `mem purge`.

use anyhow::Result;
use mem_core::erasure::{Erasure, ErasureError};
use mem_core::installed;
use mem_core::store::Purge;
use serde_json::{Value, json};

use crate::context::Context;
use crate::counted::files;
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
}

impl Listed {
    /// What is to go of a server's database.
    #[cfg(feature = "server")]
    pub(super) fn at_server(lines: Vec<String>, shape: Value) -> Self {
        Self {
            lines,
            shape,
            is_nothing: false,
        }
    }

    /// What is to go of this machine.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub(crate) fn of(erasure: &Erasure) -> Result<Self, ErasureError> {
        let directories = erasure.directories()?;
        let mut paths = erasure.own_paths();
        paths.extend(erasure.session_paths());
        let has_none = |one: &Purge| one.files == 0 && one.state.is_none();
        let is_nothing = paths.is_empty() && directories.iter().all(has_none);
        let shapes: Vec<Value> = directories.iter().map(shape).collect();
        let mut lines: Vec<String> = directories.iter().map(directory).collect();
        let shown = paths.iter().map(|path| path.to_string_lossy());
        lines.extend(shown.map(|path| clean(&path).into_owned()));
        Ok(Self {
            lines,
            shape: json!({ "directories": shapes, "paths": paths }),
            is_nothing,
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

/// A line about a directory.
fn directory(purge: &Purge) -> String {
    let mut text = format!(
        "{}: {}, {} bytes",
        purge.directory.display(),
        files(purge.files),
        purge.bytes
    );
    if let Some(state) = &purge.state {
        text = format!("{text}\n{}: its whole history", state.display());
    }
    for kept in &purge.kept {
        text = format!("{text}\n  stays: {kept}");
    }
    clean(&text).into_owned()
}

/// The same as JSON.
fn shape(purge: &Purge) -> Value {
    json!({
        "dir": purge.directory, "files": purge.files, "bytes": purge.bytes,
        "history": purge.state, "kept": purge.kept,
    })
}
