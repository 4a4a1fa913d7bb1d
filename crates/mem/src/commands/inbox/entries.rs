//! The entries of a project's inboxes: its own tiers' and that of one's own notes.

use anyhow::Result;
use mem_agent::distillation::state::DistillState;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::AuthorKind;
use mem_core::inbox::{File, Inbox, InboxEntry};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::LocalStore;
use mem_core::{Diagnose, Scope};
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::sanitize::clean;
use crate::style::{FAINT, STRONG};
use mem_core::unified_diff::unified_diff;

/// No entry has that id.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum NotFound {
    /// Nothing waits under that id.
    #[error("there is no entry `{0}` in the inbox")]
    #[diagnose(
        NotFound,
        hint = "`mem inbox` lists what waits, `mem inbox list --rejected` what was turned down"
    )]
    Unknown(String),
    /// Several ids begin so.
    #[error("several entries begin with `{0}`")]
    #[diagnose(Invalid, hint = "give more of the id")]
    Ambiguous(String),
}

/// An entry and the store it is for.
#[derive(Debug)]
pub(super) struct ScopedEntry {
    pub(super) store: LocalStore,
    pub(super) entry: InboxEntry,
}

/// What waits (or was turned down), the oldest first; says what cannot be read. It is an error where the key is not
/// there.
pub(super) fn all_entries(
    place: &ProjectContext,
    context: &Context,
    rejected: bool,
) -> Result<Vec<ScopedEntry>> {
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut found = Vec::new();
    let stores = memory.stores();
    let distinct = if memory.is_one() {
        &stores[..1]
    } else {
        &stores[..]
    };
    // A distillation that was killed may have left entries here that it took in. Where that cannot be written down,
    // they are shown.
    let _ = DistillState::settle_if_killed(memory.store(Scope::Private));
    for &store in distinct {
        let inbox = Inbox::for_paths(store.places());
        let waiting = match rejected {
            true => inbox.rejected(),
            false => inbox.waiting(),
        };
        let (entries, warnings) = waiting.opened()?;
        context.warn_all(&warnings);
        let of_store = |entry| ScopedEntry {
            store: store.clone(),
            entry,
        };
        found.extend(entries.into_iter().map(of_store));
    }
    found.compact_sort_by_key(|one| one.entry.time);
    Ok(found)
}

/// The entry of an id or its beginning, with or without the prefix; rejected ones count too.
pub(super) fn find_entry(
    place: &ProjectContext,
    context: &Context,
    id: &str,
) -> Result<ScopedEntry> {
    let bare = |id: &str| id.strip_prefix("inb_").unwrap_or(id).to_owned();
    let wanted = bare(id);
    for rejected in [false, true] {
        let mut fitting = all_entries(place, context, rejected)?;
        fitting
            .retain(|one| !wanted.is_empty() && bare(one.entry.id.as_str()).starts_with(&wanted));
        if fitting.len() > 1 {
            return Err(NotFound::Ambiguous(id.to_owned()).into());
        }
        if let Some(found) = fitting.pop() {
            return Ok(found);
        }
    }
    Err(NotFound::Unknown(id.to_owned()).into())
}

/// Those that are meant: by id, or all that wait.
pub(super) fn chosen_entries(
    place: &ProjectContext,
    context: &Context,
    ids: &[String],
) -> Result<Vec<ScopedEntry>> {
    match ids {
        [] => all_entries(place, context, false),
        ids => ids
            .iter()
            .map(|id| find_entry(place, context, id))
            .collect(),
    }
}

impl ScopedEntry {
    /// Whether another one is for the same store.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.store.places().root == other.store.places().root
    }

    /// Whether another one becomes part of the same change when both are accepted: both are files of colleagues.
    pub(super) fn is_accepted_with(&self, other: &Self) -> bool {
        let is_simple = |one: &InboxEntry| {
            let is_one = one.files.len() == 1 && one.files[0].renamed_from.is_none();
            one.author.actor == AuthorKind::Team && one.reason.is_none() && is_one
        };
        let is_same_file = |a: &InboxEntry, b: &InboxEntry| a.files[0].path == b.files[0].path;
        let (entry, next) = (&self.entry, &other.entry);
        let are_simple = is_simple(entry) && is_simple(next) && entry.verb == next.verb;
        are_simple && !is_same_file(entry, next) && self.is_beside(other)
    }

    /// One line: id, when, who, what for, which files.
    pub(super) fn summary_line(&self) -> String {
        let entry = &self.entry;
        let id = changes::short_id(entry.id.as_str());
        let files: Vec<String> = entry.notes().map(|file| self.file_label(file)).collect();
        let reason = entry.reason.as_deref().map(crate::sanitize::clean_short);
        let reason = reason.map_or_else(String::new, |reason| format!("  ({reason})"));
        format!(
            "{STRONG}{id}{STRONG:#}  {FAINT}{}{FAINT:#}  {:<8}  {}  {}{reason}",
            entry.time.strftime("%Y-%m-%d %H:%M"),
            clean(&entry.verb),
            clean(&changes::author_text(&entry.author)),
            clean(&files.join(", ")),
        )
    }

    /// What it would change.
    pub(super) fn proposed_diff(&self) -> String {
        let one = |file: &File| {
            let bytes = |content: &Option<mem_core::inbox::EntryContent>| {
                content.as_ref().map(|content| content.0.clone())
            };
            let (old, new) = (bytes(&file.old), bytes(&file.new));
            unified_diff(&self.file_label(file), old.as_deref(), new.as_deref())
        };
        self.entry.files.iter().map(one).collect()
    }

    /// The stable shape.
    pub(super) fn to_json(&self) -> Value {
        let entry = &self.entry;
        let files: Vec<Value> = entry
            .files
            .iter()
            .map(|file| {
                let operation = match (&file.old, &file.new) {
                    (None, _) => "created",
                    (_, None) => "deleted",
                    _ => "modified",
                };
                json!({ "file": self.file_label(file), "operation": operation,
                        "renamed_from": file.renamed_from })
            })
            .collect();
        json!({
            "id": entry.id, "time": entry.time, "verb": entry.verb, "reason": entry.reason,
            "actor": entry.author.actor.as_str(), "name": entry.author.name,
            "trust": entry.author.trust_class(), "session": entry.author.session, "host": entry.author.host,
            "files": files, "diff": self.proposed_diff(),
        })
    }

    /// A file as other commands name it.
    pub(super) fn file_label(&self, file: &File) -> String {
        self.store.tiers().label(&file.path)
    }
}
