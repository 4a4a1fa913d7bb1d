//! `mem diff`: what changed.

use mem_core::MemoryPath;
use mem_core::history::{History, HistoryEntry, Sha256};
use mem_core::location::ProjectContext;
use mem_core::store::{LocalStore, RevisionError};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;
use mem_core::host_user::HostUser;
use mem_core::named::{MemoryInStore, NamedMemory};
use mem_core::unified_diff::unified_diff;

/// Show what changed
///
/// Without arguments: what the last change did. With the id of a change: what that one did. With
/// a note: how it differs from an older version, by default the one before.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A note, or the id of a change
    #[arg(value_name = "NAME|CHANGE-ID")]
    name: Option<String>,
    /// The version to compare with: the beginning of its id or of its change's, or how many back
    #[arg(value_name = "REV")]
    revision: Option<String>,
    /// Your own notes across repositories
    #[arg(long)]
    global: bool,
    /// The records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<HostUser>,
}

impl Args {
    /// The store that changes are looked for in.
    fn find_store(&self, place: &ProjectContext, context: &Context) -> anyhow::Result<LocalStore> {
        match &self.user {
            Some(user) => Ok(user.user_store(context.dirs()?)),
            None => Ok(context.tier_store(place, self.global)?),
        }
    }
}

/// The two sides of one file.
struct DiffSides {
    file: MemoryPath,
    renamed_from: Option<MemoryPath>,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

/// Prints a unified diff of every file that differs.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let sides = match &args.name {
        Some(name) => of_name(name, args, &place, context)?,
        None => of_last(args, &place, context)?,
    };
    let printer = &context.printer;
    if printer.json {
        let files: Vec<Value> = sides.iter().map(DiffSides::to_json).collect();
        printer.print_json(&json!({ "files": files }))?;
        return Ok(Exit::Ok);
    }
    let text: String = sides.iter().map(DiffSides::render_unified).collect();
    if text.is_empty() {
        printer.say("nothing differs");
    } else {
        printer.line(paint_diff(&text))?;
    }
    Ok(Exit::Ok)
}

/// The sides of the last change.
fn of_last(
    args: &Args,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<Vec<DiffSides>> {
    let store = args.find_store(place, context)?;
    let Some(history) = context.open_history(place, &store)? else {
        return Ok(Vec::new());
    };
    match history.own_entries().next().transpose()? {
        Some(last) => of_change(&history, &last),
        None => Ok(Vec::new()),
    }
}

/// The sides of a note; of a change where no note is called that.
fn of_name(
    name: &str,
    args: &Args,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<Vec<DiffSides>> {
    let revision = args.revision.as_deref();
    let error = match context.resolve_memory(args.user.as_ref(), place, name, args.global) {
        Ok(found) => {
            let MemoryInStore {
                store,
                history,
                named,
            } = found;
            return Ok(vec![of_note(&named, revision, &store, &history)?]);
        }
        Err(error) => error,
    };
    let store = args.find_store(place, context)?;
    let Some(history) = store.open_history()? else {
        return Err(error.into());
    };
    match history.find(name) {
        Ok(entry) if revision.is_none() => of_change(&history, &entry),
        _ => Err(error.into()),
    }
}

/// A note as it is against one of its versions.
fn of_note(
    named: &NamedMemory,
    revision: Option<&str>,
    store: &LocalStore,
    history: &History,
) -> anyhow::Result<DiffSides> {
    let snapshot = store.snapshot()?;
    let stands = snapshot.catalog().path_of(&named.note).is_some();
    let new = match stands {
        true => snapshot.read(&named.path)?.map(|(bytes, _)| bytes),
        false => None,
    };
    let current = new.as_deref().map(Sha256::digest);
    let older = match history.revision(&named.note, revision, current) {
        Ok(older) => Some(older),
        // The first version differs from nothing.
        Err(RevisionError::NoOtherVersion(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let (old_path, old) = older.map(|older| (older.version.path, older.bytes)).unzip();
    Ok(DiffSides {
        renamed_from: old_path.filter(|old| *old != named.path),
        file: named.path.clone(),
        old,
        new,
    })
}

/// What a change did to every file.
fn of_change(history: &History, entry: &HistoryEntry) -> anyhow::Result<Vec<DiffSides>> {
    let parent = history.parent(entry.sequence)?;
    let sides = entry.change.versions.iter().map(|version| {
        let home = version.renamed_from.as_ref().unwrap_or(&version.path);
        let old = parent
            .map(|parent| history.content(parent, home))
            .transpose()?;
        Ok(DiffSides {
            file: version.path.clone(),
            renamed_from: version.renamed_from.clone(),
            old: old.flatten(),
            new: history.content(entry.sequence, &version.path)?,
        })
    });
    sides.collect()
}

impl DiffSides {
    fn render_unified(&self) -> String {
        let renamed = match &self.renamed_from {
            Some(from) => format!("rename from {from}\nrename to {}\n", self.file),
            None => String::new(),
        };
        let diff = unified_diff(self.file.as_str(), self.old.as_deref(), self.new.as_deref());
        renamed + &diff
    }

    fn to_json(&self) -> Value {
        let diff = unified_diff(self.file.as_str(), self.old.as_deref(), self.new.as_deref());
        json!({ "file": self.file, "renamed_from": self.renamed_from, "diff": diff })
    }
}
