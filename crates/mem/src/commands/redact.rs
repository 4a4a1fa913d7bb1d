//! `mem redact`: remove content for good.

use std::io::Read as _;

use mem_agent::session::redact as sessions;
use mem_core::history::Proof;
use mem_core::inbox::Redacted;
use mem_core::location::Place;
use mem_core::memory_path::{escaped, printable};
use mem_core::spellings::Spellings;
use mem_core::store::{DirectoryKind, Planned, Redaction, RevisionError, Store, spellings};
use mem_core::{MemoryPath, Scope};
use serde_json::{Value, json};

use crate::attached::redaction::{self, Traces};
use crate::context::Context;
use crate::counted;
use crate::exit::Exit;
use crate::freshness;
use crate::leftovers;
use crate::named::Recalled;
use crate::opened::require_enabled;
use crate::records::User;
use crate::team::erase::{self, Forgotten};
use crate::transcripts::{self, Transcripts};
use crate::usage::UsageError;

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
    /// Do not ask
    #[arg(long, short = 'y')]
    yes: bool,
    /// Say which files would be changed, and change nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// The note is one of your own across repositories
    #[arg(long, conflicts_with = "text")]
    global: bool,
    /// Only in the records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<User>,
}

/// One store and what is to be removed from it.
struct Task {
    store: Store,
    what: Redaction,
    files: Vec<Planned>,
    /// How many writes in the inbox hold it.
    waiting: Redacted,
    /// Where the note stands, or stood.
    path: Option<MemoryPath>,
    /// Files that hold the text and are not the store's own.
    left: Vec<MemoryPath>,
}

impl Task {
    /// Takes it out of what is remembered of remotes as well. Returns what those may have still.
    fn forget_shared(&self) -> anyhow::Result<erase::Remaining> {
        let remaining = match (self.what.text(), &self.path) {
            (Some(text), _) => erase::forget(&self.store, Forgotten::Text(&spellings(text)))?,
            (_, Some(path)) => erase::forget(&self.store, Forgotten::Path(path))?,
            _ => erase::Remaining::default(),
        };
        let is_of_team = |path: &MemoryPath| self.store.tiers().scope_of(path) == Scope::Team;
        let mut paths = self.files.iter().map(|plan| &plan.path).chain(&self.path);
        let is_shared = remaining.is_shared && paths.any(is_of_team);
        Ok(erase::Remaining {
            is_shared,
            ..remaining
        })
    }
}

/// What was done, and what was found where nothing is done.
struct Outcome {
    is_dry: bool,
    proofs: Vec<Proof>,
    attached: Traces,
    hosts: Transcripts,
    /// Files that hold the text and stay as they are.
    left: Vec<String>,
}

/// How much is to be changed.
struct Count {
    files: usize,
    waiting: Redacted,
    sessions: usize,
}

impl Count {
    /// Those writes in the inbox that are cleaned, and those that are removed, each with what is done to it.
    fn waiting(&self) -> impl Iterator<Item = (String, [&'static str; 2])> {
        let Redacted { cleaned, removed } = self.waiting;
        let parts = [
            (cleaned, ["clean", "cleaned"]),
            (removed, ["remove", "removed"]),
        ];
        parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, verbs)| {
                let what = counted::counted(count, "write in the inbox", "writes in the inbox");
                (what, verbs)
            })
    }
}

/// Cleans files and histories, and tells the proof.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    require_enabled(&place)?;
    let text = match args.name {
        Some(_) => None,
        None => Some(text(args.text.as_deref().unwrap_or_default())?),
    };
    let tasks = tasks(args, text.as_deref(), context, &place)?;
    let text = text.as_deref().map(spellings);
    // What is kept of sessions and of attached stores is no user's.
    let beside = text.as_ref().filter(|_| args.user.is_none());
    let count = Count {
        files: tasks.iter().map(|task| task.files.len()).sum(),
        waiting: Redacted {
            cleaned: tasks.iter().map(|task| task.waiting.cleaned).sum(),
            removed: tasks.iter().map(|task| task.waiting.removed).sum(),
        },
        sessions: of_sessions(beside, context)?,
    };
    if !context.printer.json {
        for plan in tasks.iter().flat_map(|task| &task.files) {
            let verb = if plan.new.is_some() {
                "clean"
            } else {
                "remove"
            };
            context.printer.say(format_args!("{verb} {}", plan.path));
        }
        for (writes, [verb, _]) in count.waiting() {
            context.printer.say(format_args!("{verb} {writes}"));
        }
    }
    let attached = attached(beside, context, &place)?;
    tell_attached(&attached, args.dry_run, context);
    let left = left(&tasks, context);
    let hosts = transcripts_of(text.as_ref(), &tasks, context)?;
    let mut outcome = Outcome {
        is_dry: args.dry_run,
        proofs: Vec::new(),
        attached,
        hosts,
        left,
    };
    if args.dry_run {
        return tell(context, &count, &outcome);
    }
    let question = format!(
        "Change {} and rewrite the history? It cannot be undone.",
        counted::files(count.files)
    );
    context.confirm(&question, args.yes)?;
    let mut remaining = erase::Remaining::default();
    for task in &tasks {
        let order = context.order("redact").clearing_folders();
        task.store.redact_files(&order, &task.what)?;
        remaining = remaining.and(task.forget_shared()?);
        let proof = task.store.redact_history(&task.what, context.now)?;
        outcome.proofs.push(proof);
    }
    if let Some(text) = beside {
        redaction::clean(&context.book(&place)?, text, context.now)?;
        sessions::redact(context.dirs()?, text)?;
    }
    leftovers::end(context)?;
    freshness::forget(context);
    remaining.tell(&context.printer);
    if let Some(text) = &text {
        tell_names(text, &tasks, context)?;
    }
    tell(context, &count, &outcome)
}

/// Names the files that hold the text and are not `mem`'s to change.
fn left(tasks: &[Task], context: &Context) -> Vec<String> {
    let mut left = Vec::new();
    for task in tasks {
        for path in &task.left {
            let path = task.store.places().root.join(path.as_str());
            let path = path.to_string_lossy();
            context.printer.warn(format_args!(
                "`{}` holds it and is not mem's own file: it stays as it is, change it yourself",
                escaped(&path)
            ));
            left.push(path.into_owned());
        }
    }
    left
}

/// Names the files whose names may come from the text, and may as well not: a person has to look at them.
fn tell_names(text: &Spellings, tasks: &[Task], context: &Context) -> anyhow::Result<()> {
    for task in tasks {
        for path in task.store.snapshot()?.walk().files.keys() {
            if path
                .as_str()
                .split('/')
                .any(|name| text.is_perhaps_in_name(name))
            {
                context.printer.warn(format_args!(
                    "the name of `{path}` may come from this text and is as it was: `mem rename` changes it"
                ));
            }
        }
    }
    Ok(())
}

/// The transcripts of hosts that hold the text; or what a note says, and its name.
fn transcripts_of(
    text: Option<&Spellings>,
    tasks: &[Task],
    context: &Context,
) -> anyhow::Result<Transcripts> {
    if let Some(text) = text {
        return Ok(transcripts::find(context, &|bytes| text.is_in(bytes)));
    }
    let mut traces = mem_core::erasure::Traces::default();
    for task in tasks {
        for plan in task.files.iter().filter(|plan| plan.new.is_none()) {
            traces.add_content(plan.old.as_deref().unwrap_or_default());
            traces.add_name(plan.path.file_name());
        }
    }
    Ok(transcripts::find(context, &traces.finder()?))
}

/// How many files of sessions have the text.
fn of_sessions(text: Option<&Spellings>, context: &Context) -> anyhow::Result<usize> {
    let Some(text) = text else { return Ok(0) };
    let count = sessions::count(context.dirs()?, text)?;
    if count > 0 && !context.printer.json {
        let what = counted::counted(count, "file of a session", "files of sessions");
        context.printer.say(format_args!("clean {what}"));
    }
    Ok(count)
}

/// Where the stores that are attached have the text.
fn attached(text: Option<&Spellings>, context: &Context, place: &Place) -> anyhow::Result<Traces> {
    match text {
        None => Ok(Traces::default()),
        Some(text) => redaction::find(&context.book(place)?, text, context.now),
    }
}

/// Names what is cleaned of attached stores, and what is the server's to clean.
fn tell_attached(attached: &Traces, dry_run: bool, context: &Context) {
    let printer = &context.printer;
    if attached.aside > 0 && !printer.json {
        printer.say(format_args!(
            "clean {} to attached stores",
            counted::counted(attached.aside, "text that gave way", "texts that gave way")
        ));
    }
    for (attachment, path) in attached.memories.iter().filter(|_| !dry_run) {
        printer.warn(format_args!(
            "{}{} has it, a memory of an attached store: write it anew (`mem store put {store}`), then take its old \
             versions out (`mem store versions {store}`, `mem store redact {store} VERSION`)",
            attachment.mount(),
            escaped(path),
            store = printable(&attachment.store)
        ));
    }
}

/// What there is to do, in which stores.
fn tasks(
    args: &Args,
    text: Option<&str>,
    context: &Context,
    place: &Place,
) -> anyhow::Result<Vec<Task>> {
    let task = |store: Store, what: Redaction, path| {
        let (files, waiting) = store.preview_redaction(context.now, &what)?;
        let left = store.left_by_redaction(context.now, &what)?;
        anyhow::Ok(Task {
            store,
            what,
            files,
            waiting,
            path,
            left,
        })
    };
    if let Some(name) = &args.name {
        let found = context.recall_for(args.user.as_ref(), place, name, args.global);
        let found = match found {
            // What a colleague wrote may never have left the inbox.
            Err(error) if error.is::<RevisionError>() && args.user.is_none() && !args.global => {
                let (store, path) = context.recall_waiting(place, name)?.ok_or(error)?;
                let what = Redaction::Waiting(path.clone());
                return Ok(vec![task(store, what, Some(path))?]);
            }
            found => found?,
        };
        let Recalled { store, named, .. } = found;
        return Ok(vec![task(
            store,
            Redaction::Note(named.note),
            Some(named.path),
        )?]);
    }
    let text = text.unwrap_or_default();
    let mut tasks = Vec::new();
    for store in stores(args, context, place)? {
        // Files that no command has recorded yet have no history, and hold it all the same.
        let places = store.places();
        if places.root.is_dir() || places.state.is_dir() {
            let text = text.to_owned();
            let what = match DirectoryKind::of(&places.root, context.dirs()?) {
                DirectoryKind::Host => Redaction::Text(text),
                DirectoryKind::Elsewhere => Redaction::OwnText(text),
            };
            tasks.push(task(store, what, None)?);
        }
    }
    Ok(tasks)
}

/// Where a text is looked for: in the records of one user, or everywhere, theirs too.
fn stores(args: &Args, context: &Context, place: &Place) -> anyhow::Result<Vec<Store>> {
    let dirs = context.dirs()?;
    if let Some(user) = &args.user {
        return Ok(vec![user.store(dirs)]);
    }
    let mut stores = vec![context.store(place, false)?, context.store(place, true)?];
    stores.extend(User::stores(dirs)?);
    Ok(stores)
}

/// The text, read from standard input where it is `-`.
fn text(given: &str) -> anyhow::Result<String> {
    let mut text = given.to_owned();
    if given == "-" {
        text.clear();
        std::io::stdin().lock().read_to_string(&mut text)?;
        let line = text.strip_suffix('\n').map_or(text.len(), str::len);
        text.truncate(line);
        text.truncate(text.strip_suffix('\r').map_or(text.len(), str::len));
    }
    if Store::is_redactable(&text) {
        Ok(text)
    } else {
        let hint = "give at least four characters that are no part of `[redacted]` and of no word of mem's own files \
                    (`name`, `description`, `project`), or the name of the memory";
        Err(UsageError::new("this text cannot be removed everywhere", hint).into())
    }
}

fn tell(context: &Context, count: &Count, outcome: &Outcome) -> anyhow::Result<Exit> {
    let (dry_run, attached) = (outcome.is_dry, &outcome.attached);
    let sum = |part: fn(&Proof) -> usize| outcome.proofs.iter().map(part).sum::<usize>();
    let (objects, hits) = (sum(|proof| proof.objects), sum(|proof| proof.hits));
    let (rewritten, names) = (sum(|proof| proof.rewritten), sum(|proof| proof.names));
    let printer = &context.printer;
    if printer.json {
        let answer: Value = json!({
            "dry_run": dry_run,
            "files": count.files,
            "inbox": count.waiting.total(),
            "inbox_removed": count.waiting.removed,
            "versions": rewritten,
            "names": names,
            "objects_scanned": objects,
            "hits": hits,
            "aside": attached.aside,
            "sessions": count.sessions,
            "left": outcome.left,
            "attached": attached.memories.iter().map(|(attachment, path)| json!({
                "memory_store_id": attachment.store, "path": path,
            })).collect::<Vec<_>>(),
            "transcripts": outcome.hosts.json(),
        });
        printer.json(&answer)?;
    } else if dry_run {
        let files = counted::files(count.files);
        printer.line(format_args!("{files} would be changed"))?;
    } else {
        printer.line(format_args!(
            "{} and {} cleaned; {objects} objects scanned, {}",
            counted::files(count.files),
            counted::counted(rewritten, "version", "versions"),
            counted::counted(hits, "hit", "hits")
        ))?;
        if names > 0 {
            let names = counted::counted(names, "name", "names");
            printer.line(format_args!("{names} of files changed, in all versions"))?;
        }
        for (writes, [_, done]) in count.waiting() {
            printer.line(format_args!("{writes} {done}"))?;
        }
        if !outcome.left.is_empty() {
            let files = counted::files(outcome.left.len());
            printer.line(format_args!("{files} not mem's own left as they are"))?;
        }
    }
    if !printer.json {
        outcome.hosts.tell(context);
    }
    if hits > 0 {
        printer.warn("other notes hold the very same content; redact them too, or use --text");
    }
    let has_others = !(attached.memories.is_empty() && outcome.left.is_empty());
    let is_left = hits > 0 || has_others && !dry_run;
    Ok(if is_left { Exit::Failure } else { Exit::Ok })
}
