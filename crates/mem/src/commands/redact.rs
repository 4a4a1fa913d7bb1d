//! `mem redact`: remove content for good.

use std::io::Read as _;

use mem_agent::session::redact as sessions;
use mem_core::history::Proof;
use mem_core::inbox::RedactedEntries;
use mem_core::location::ProjectContext;
use mem_core::memory_path::{escaped, printable};
use mem_core::spellings::TextSpellings;
use mem_core::store::{
    DirectoryKind, LocalStore, Planned, Redaction, RedactionPlan, RevisionError, spellings,
};
use mem_core::{MemoryPath, Scope};
use serde_json::json;

use crate::attached::redaction::{self, TextTraces};
use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::counted::{self, format_count};
use crate::exit::Exit;
use crate::freshness;
use crate::leftovers;
use crate::named::RecoveredMemory;
use crate::opened::require_enabled;
use crate::records::User;
use crate::team::erase::{self, ForgetRequest};
use crate::transcripts::{self, Transcripts};
use crate::usage::UsageError;

/// Words for one of what is changed besides files, and for several.
const WRITES: (&str, &str) = ("write in the inbox", "writes in the inbox");
const FILES_OF_SESSIONS: (&str, &str) = ("file of a session", "files of sessions");
const TEXTS_ASIDE: (&str, &str) = (
    "text that gave way to attached stores",
    "texts that gave way to attached stores",
);

/// Remove content from the files and from every version, for good
///
/// A note: its file, every version it ever had, and the lines of the index that name it. A text: every occurrence in
/// every file and version, of this repository's notes and of your own across repositories, is replaced by `[redacted]`
/// (by `(redacted)` where brackets would make a list of a value in a note's head, or a link). Every form of the text
/// counts: escaped as in JSON, YAML, HTML and addresses, over a line end, and as a slug, where that has 8 characters in
/// two words or with a digit, else 12. A file with it in its name gets another name, in every version. In a folder
/// outside the host's directories, such as one that MEM_DIR named, only memories, indexes and logs that `mem` made are
/// changed; other files that hold the text are named and stay, and the command fails. Who changed what and when stays
/// on record. It ends with a search through every object of the history. It cannot be undone. A write in the inbox that
/// holds it waits on without it, under another id; one of which nothing is left then, or that is a colleague's, is
/// removed; one that cannot be read is named, and nothing is changed. Texts that gave way to an attached store are
/// cleaned too; its memories that hold a text are named, for `mem store` to clean at the server. A text also goes from
/// what is kept of sessions, of all projects: their notes, and what is remembered of them; and from the records of
/// every user of a host (`--user`). With --user, a note or a text goes from that user's records alone.
///
/// Give a secret on standard input (`--text -`), so that it stands neither in the history of your shell nor in the list
/// of processes. Copies elsewhere (backups, a team's server) are not reached, nor are transcripts of hosts: those that
/// hold it are named, each with a command that shows the lines. Replace a secret that leaked.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The note to remove
    #[arg(required_unless_present = "text", conflicts_with = "text")]
    name: Option<String>,
    /// The text to remove; `-` reads it from standard input, without its last newline
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    text: Option<String>,
    #[command(flatten)]
    choice: RemovalArgs,
    /// The note is one of your own across repositories
    #[arg(long, conflicts_with = "text")]
    global: bool,
    /// Only in the records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<User>,
}

/// One store and what is to be removed from it.
struct StoreRedaction {
    store: LocalStore,
    what: Redaction,
    planned: RedactionPlan,
    /// Where the note stands, or stood.
    path: Option<MemoryPath>,
}

impl StoreRedaction {
    fn new(
        store: LocalStore,
        what: Redaction,
        path: Option<MemoryPath>,
        context: &Context,
    ) -> anyhow::Result<Self> {
        let planned = store.plan_redaction(context.now, &what)?;
        Ok(Self {
            store,
            what,
            planned,
            path,
        })
    }

    /// Takes it out of what is remembered of remotes as well. Returns what those may have still.
    fn forget_shared(&self, text: Option<&TextSpellings>) -> anyhow::Result<erase::Remaining> {
        let what = match (text, &self.path) {
            (Some(text), _) => ForgetRequest::Text(text),
            (None, Some(path)) => ForgetRequest::Path(path),
            (None, None) => return Ok(erase::Remaining::default()),
        };
        let mut remaining = erase::forget_texts(&self.store, what)?;
        let files = self.planned.files.iter().map(|plan| &plan.path);
        let is_of_team = |path: &MemoryPath| self.store.tiers().scope_of(path) == Scope::Team;
        remaining.is_shared &= files.chain(&self.path).any(is_of_team);
        Ok(remaining)
    }
}

/// What is to be redacted, and what else holds it.
struct RedactCommandPlan {
    tasks: Vec<StoreRedaction>,
    /// The text, unless a note is meant.
    text: Option<TextSpellings>,
    /// Whether attached stores and what is kept of sessions lose the text, too: they are no user's.
    has_others: bool,
    sessions: usize,
    attached: TextTraces,
    hosts: Transcripts,
    /// Files that hold the text and stay as they are.
    left: Vec<String>,
}

/// Cleans files and histories, and tells the proof.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    require_enabled(&place)?;
    let plan = RedactCommandPlan::from_args(args, &place, context)?;
    let is_dry = args.choice.dry_run;
    plan.print_plan(is_dry, context);
    if is_dry {
        return plan.print_outcome(true, Proof::default(), context);
    }
    let files = counted::count_files(plan.planned_files().count());
    let question = format!("Change {files} and rewrite the history? It cannot be undone.");
    context.require_confirmation(&question, args.choice.yes)?;
    let proof = plan.carry_out(&place, context)?;
    plan.print_outcome(false, proof, context)
}

impl RedactCommandPlan {
    fn from_args(args: &Args, place: &ProjectContext, context: &Context) -> anyhow::Result<Self> {
        let (tasks, text) = match &args.name {
            Some(name) => (vec![of_name(name, args, place, context)?], None),
            None => {
                let text = read_text(args.text.as_deref().unwrap_or_default())?;
                (
                    of_text(&text, args, place, context)?,
                    Some(spellings(&text)),
                )
            }
        };
        let has_others = args.user.is_none();
        let (sessions, attached) = match &text {
            Some(text) if has_others => (
                sessions::count_files(context.dirs()?, text)?,
                redaction::redact_text(&context.attachment_file(place)?, text, true, context.now)?,
            ),
            _ => (0, TextTraces::default()),
        };
        let left = tasks.iter().flat_map(|task| {
            let root = &task.store.places().root;
            let left = task.planned.left.iter();
            left.map(|path| root.join(path.as_str()).to_string_lossy().into_owned())
        });
        Ok(Self {
            left: left.collect(),
            hosts: transcripts_of(text.as_ref(), &tasks, context)?,
            tasks,
            text,
            has_others,
            sessions,
            attached,
        })
    }

    fn planned_files(&self) -> impl Iterator<Item = &Planned> {
        self.tasks.iter().flat_map(|task| &task.planned.files)
    }

    /// How many writes in the inbox are cleaned, and how many are removed.
    fn inbox_entries(&self) -> RedactedEntries {
        let waiting = self.tasks.iter().map(|task| task.planned.waiting);
        waiting.fold(RedactedEntries::default(), |sum, one| RedactedEntries {
            cleaned: sum.cleaned + one.cleaned,
            removed: sum.removed + one.removed,
        })
    }

    /// Tells what is to be changed, and what is others' to change.
    fn print_plan(&self, is_dry: bool, context: &Context) {
        let printer = &context.printer;
        let files = self.planned_files().map(|plan| match plan.new {
            Some(_) => format!("clean {}", plan.path),
            None => format!("remove {}", plan.path),
        });
        let RedactedEntries { cleaned, removed } = self.inbox_entries();
        let others = [
            (cleaned, "clean", WRITES),
            (removed, "remove", WRITES),
            (self.sessions, "clean", FILES_OF_SESSIONS),
            (self.attached.aside, "clean", TEXTS_ASIDE),
        ];
        let others = others.into_iter().filter(|(count, ..)| *count > 0);
        let others = others.map(|(count, verb, (one, several))| {
            format!("{verb} {}", format_count(count, one, several))
        });
        for line in files.chain(others).filter(|_| !printer.json) {
            printer.say(line);
        }
        for (attachment, path) in self.attached.memories.iter().filter(|_| !is_dry) {
            printer.print_warning(format_args!(
                "{}{} has it, a memory of an attached store: write it anew (`mem store put {store}`), then take its \
                 old versions out (`mem store versions {store}`, `mem store redact {store} VERSION`)",
                attachment.mount_path(),
                escaped(path),
                store = printable(&attachment.store)
            ));
        }
        for path in &self.left {
            printer.print_warning(format_args!(
                "`{}` holds it and is not mem's own file: it stays as it is, change it yourself",
                escaped(path)
            ));
        }
    }

    /// Files first, then what is remembered of remotes, then the history: its proof is the last.
    fn carry_out(&self, place: &ProjectContext, context: &Context) -> anyhow::Result<Proof> {
        let (mut remaining, mut sum) = (erase::Remaining::default(), Proof::default());
        for task in &self.tasks {
            let order = context.change_metadata("redact").clearing_folders();
            task.store.redact_files(&order, &task.what)?;
            remaining = remaining.and_other(task.forget_shared(self.text.as_ref())?);
            let proof = task.store.redact_history(&task.what, context.now)?;
            sum.objects += proof.objects;
            sum.hits += proof.hits;
            sum.rewritten += proof.rewritten;
            sum.names += proof.names;
        }
        if let Some(text) = self.text.as_ref().filter(|_| self.has_others) {
            redaction::redact_text(&context.attachment_file(place)?, text, false, context.now)?;
            sessions::redact_files(context.dirs()?, text)?;
        }
        leftovers::remove_leftovers(context)?;
        freshness::forget_verdicts(context);
        remaining.print_remaining(&context.printer);
        if let Some(text) = &self.text {
            self.tell_names(text, context)?;
        }
        Ok(sum)
    }

    /// Names the files whose names may come from the text, and may as well not: a person has to look at them.
    fn tell_names(&self, text: &TextSpellings, context: &Context) -> anyhow::Result<()> {
        for task in &self.tasks {
            for path in task.store.snapshot()?.walk().files.keys() {
                let mut names = path.as_str().split('/');
                if names.any(|name| text.is_perhaps_in_name(name)) {
                    context.printer.print_warning(format_args!(
                        "the name of `{path}` may come from this text and is as it was: `mem rename` changes it"
                    ));
                }
            }
        }
        Ok(())
    }

    fn print_outcome(&self, is_dry: bool, proof: Proof, context: &Context) -> anyhow::Result<Exit> {
        let printer = &context.printer;
        let (count, waiting) = (self.planned_files().count(), self.inbox_entries());
        let attached = &self.attached.memories;
        if printer.json {
            printer.print_json(&json!({
                "dry_run": is_dry,
                "files": count,
                "inbox": waiting.total(),
                "inbox_removed": waiting.removed,
                "versions": proof.rewritten,
                "names": proof.names,
                "objects_scanned": proof.objects,
                "hits": proof.hits,
                "aside": self.attached.aside,
                "sessions": self.sessions,
                "left": self.left,
                "attached": attached.iter().map(|(attachment, path)| json!({
                    "memory_store_id": attachment.store, "path": path,
                })).collect::<Vec<_>>(),
                "transcripts": self.hosts.json(),
            }))?;
        } else if is_dry {
            let files = counted::count_files(count);
            printer.line(format_args!("{files} would be changed"))?;
        } else {
            printer.line(format_args!(
                "{} and {} cleaned; {} objects scanned, {}",
                counted::count_files(count),
                format_count(proof.rewritten, "version", "versions"),
                proof.objects,
                format_count(proof.hits, "hit", "hits")
            ))?;
            let (one, several) = WRITES;
            for (count, one, several, what) in [
                (
                    proof.names,
                    "name",
                    "names",
                    "of files changed, in all versions",
                ),
                (waiting.cleaned, one, several, "cleaned"),
                (waiting.removed, one, several, "removed"),
                (
                    self.left.len(),
                    "file",
                    "files",
                    "not mem's own left as they are",
                ),
            ] {
                if count > 0 {
                    let counted = format_count(count, one, several);
                    printer.line(format_args!("{counted} {what}"))?;
                }
            }
        }
        if !printer.json {
            self.hosts.print_transcripts(context);
        }
        if proof.hits > 0 {
            printer.print_warning(
                "other notes hold the very same content; redact them too, or use --text",
            );
        }
        let has_others = !(attached.is_empty() && self.left.is_empty());
        let is_left = proof.hits > 0 || has_others && !is_dry;
        Ok(if is_left { Exit::Failure } else { Exit::Ok })
    }
}

/// The transcripts of hosts that hold the text; or what a note says, and its name.
fn transcripts_of(
    text: Option<&TextSpellings>,
    tasks: &[StoreRedaction],
    context: &Context,
) -> anyhow::Result<Transcripts> {
    if let Some(text) = text {
        return Ok(transcripts::find_transcripts(context, &|bytes| {
            text.is_in(bytes)
        }));
    }
    let mut traces = mem_core::erasure::TracePatterns::default();
    for plan in tasks.iter().flat_map(|task| &task.planned.files) {
        if plan.new.is_none() {
            traces.add_content(plan.old.as_deref().unwrap_or_default());
            traces.add_name(plan.path.file_name());
        }
    }
    Ok(transcripts::find_transcripts(context, &traces.finder()?))
}

/// What there is to do for a note.
fn of_name(
    name: &str,
    args: &Args,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<StoreRedaction> {
    let (store, what, path) = match context.recall_for(args.user.as_ref(), place, name, args.global)
    {
        // What a colleague wrote may never have left the inbox.
        Err(error) if error.is::<RevisionError>() && args.user.is_none() && !args.global => {
            let (store, path) = context.recall_waiting(place, name)?.ok_or(error)?;
            (store, Redaction::Waiting(path.clone()), path)
        }
        found => {
            let RecoveredMemory { store, named, .. } = found?;
            (store, Redaction::Note(named.note), named.path)
        }
    };
    StoreRedaction::new(store, what, Some(path), context)
}

/// What there is to do for a text: in the records of one user, or everywhere, theirs too.
fn of_text(
    text: &str,
    args: &Args,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<Vec<StoreRedaction>> {
    let dirs = context.dirs()?;
    let mut stores = match &args.user {
        Some(user) => vec![user.user_store(dirs)],
        None => {
            let mut stores = vec![
                context.tier_store(place, false)?,
                context.tier_store(place, true)?,
            ];
            stores.extend(User::user_stores(dirs)?);
            stores
        }
    };
    // Files that no command has recorded yet have no history, and hold it all the same.
    stores.retain(|store| store.places().root.is_dir() || store.places().state.is_dir());
    let tasks = stores.into_iter().map(|store| {
        let what = match DirectoryKind::from_root(&store.places().root, dirs) {
            DirectoryKind::Host => Redaction::Text(text.to_owned()),
            DirectoryKind::Elsewhere => Redaction::OwnText(text.to_owned()),
        };
        StoreRedaction::new(store, what, None, context)
    });
    tasks.collect()
}

/// The text, read from standard input where it is `-`.
fn read_text(given: &str) -> anyhow::Result<String> {
    let mut text = given.to_owned();
    if given == "-" {
        text.clear();
        std::io::stdin().lock().read_to_string(&mut text)?;
        let line = text.strip_suffix('\n').map_or(text.len(), str::len);
        text.truncate(line);
        text.truncate(text.strip_suffix('\r').map_or(text.len(), str::len));
    }
    if LocalStore::is_redactable(&text) {
        Ok(text)
    } else {
        let hint = "give at least four characters that are no part of `[redacted]` and of no word of mem's own files \
                    (`name`, `description`, `project`), or the name of the memory";
        Err(UsageError::new("this text cannot be removed everywhere", hint).into())
    }
}
