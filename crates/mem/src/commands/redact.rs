//! `mem redact`: remove content for good.

use std::io::Read as _;

use mem_agent::session::redact as sessions;
use mem_agent::session::search_index::remove_session_index;
use mem_core::history::Proof;
use mem_core::inbox::RedactedEntries;
use mem_core::location::ProjectContext;
use mem_core::memory_path::{escaped, printable};
use mem_core::spellings::TextSpellings;
use mem_core::store::{
    DirectoryKind, LocalStore, Redaction, RedactionPlan, RevisionError, spellings,
};
use mem_core::{MemoryPath, Scope};
use mem_team::erase::{self, ForgetRequest};
use serde_json::json;

use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::freshness;
use mem_core::named::{NameError, RecoveredMemory};
use crate::transcripts;
use mem_agent::session::transcript_search::TranscriptSearch;
use crate::usage::UsageError;
use mem_core::counted::{self, format_count};
use mem_core::host_user::HostUser;
use mem_stores::attached::AttachmentFile;
use mem_stores::attached::redaction::{self, TextTraces};

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
    /// The text to remove, without blanks around it; `-` reads it from standard input
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    text: Option<String>,
    #[command(flatten)]
    choice: RemovalArgs,
    /// The note is one of your own across repositories
    #[arg(long, conflicts_with = "text")]
    global: bool,
    /// Only in the records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<HostUser>,
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

    /// Takes it out of what is remembered of remotes as well. Adds what those may have still.
    fn forget_shared(
        &self,
        text: Option<&TextSpellings>,
        remaining: &mut erase::RemainingTraces,
    ) -> anyhow::Result<()> {
        let what = match (text, &self.path) {
            (Some(text), _) => ForgetRequest::Text(text),
            (None, Some(path)) => ForgetRequest::Path(path),
            (None, None) => return Ok(()),
        };
        let here = erase::forget_texts(&self.store, what)?;
        let mut files = self
            .planned
            .files
            .iter()
            .map(|plan| &plan.path)
            .chain(&self.path);
        let is_of_team = |path: &MemoryPath| self.store.tiers().scope_of(path) == Scope::Team;
        remaining.is_shared |= here.is_shared && files.any(is_of_team);
        remaining.is_in_names |= here.is_in_names;
        Ok(())
    }
}

/// What is to be redacted, and what else holds it.
struct RedactCommandPlan {
    tasks: Vec<StoreRedaction>,
    /// The text, unless a note is meant.
    text: Option<TextSpellings>,
    /// How many files change.
    files: usize,
    /// How many writes in the inbox are cleaned, and how many are removed.
    waiting: RedactedEntries,
    /// Whether attached stores and what is kept of sessions lose the text, too: they are no user's.
    has_others: bool,
    sessions: usize,
    attached: TextTraces,
    hosts: TranscriptSearch,
    /// Files that hold the text and stay as they are.
    left: Vec<String>,
}

/// Cleans files and histories, and tells the proof.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let plan = RedactCommandPlan::from_args(args, &place, context)?;
    let is_dry = args.choice.dry_run;
    plan.print_plan(is_dry, context);
    if is_dry {
        return plan.print_outcome(true, Proof::default(), context);
    }
    let files = counted::count_files(plan.files);
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
                let tasks = of_text(&text, args, place, context)?;
                (tasks, Some(spellings(&text)))
            }
        };
        let has_others = args.user.is_none();
        let (sessions, attached) = match &text {
            Some(text) if has_others => (
                sessions::count_files(context.dirs()?, text)?,
                redaction::redact_text(&AttachmentFile::for_place(place, context)?, text, true, context.now)?,
            ),
            _ => (0, TextTraces::default()),
        };
        let hosts = transcripts_of(text.as_ref(), &tasks, context)?;
        let (mut files, mut waiting, mut left) = (0, RedactedEntries::default(), Vec::new());
        for StoreRedaction { store, planned, .. } in &tasks {
            files += planned.files.len();
            waiting.cleaned += planned.waiting.cleaned;
            waiting.removed += planned.waiting.removed;
            let paths = planned.left.iter().map(MemoryPath::as_str);
            let paths = paths.map(|path| store.places().root.join(path));
            left.extend(paths.map(|path| path.to_string_lossy().into_owned()));
        }
        Ok(Self {
            tasks,
            text,
            files,
            waiting,
            has_others,
            sessions,
            attached,
            hosts,
            left,
        })
    }

    /// The files that change, each within its directory.
    fn paths(&self) -> Vec<&str> {
        let files = self.tasks.iter().flat_map(|task| &task.planned.files);
        files.map(|plan| plan.path.as_str()).collect()
    }

    /// Tells what is to be changed, and what is others' to change.
    fn print_plan(&self, is_dry: bool, context: &Context) {
        let printer = &context.printer;
        let files = self.tasks.iter().flat_map(|task| &task.planned.files);
        let files = files.map(|plan| match plan.new {
            Some(_) => format!("clean {}", plan.path),
            None => format!("remove {}", plan.path),
        });
        let others = count_lines(&[
            ("clean ", self.waiting.cleaned, WRITES, ""),
            ("remove ", self.waiting.removed, WRITES, ""),
            ("clean ", self.sessions, FILES_OF_SESSIONS, ""),
            ("clean ", self.attached.aside, TEXTS_ASIDE, ""),
        ]);
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
        let (mut remaining, mut sum) = (erase::RemainingTraces::default(), Proof::default());
        for task in &self.tasks {
            let order = context.change_metadata("redact").clearing_folders();
            task.store.redact_files(&order, &task.what)?;
            task.forget_shared(self.text.as_ref(), &mut remaining)?;
            let proof = task.store.redact_history(&task.what, context.now)?;
            sum.objects += proof.objects;
            sum.hits += proof.hits;
            sum.rewritten += proof.rewritten;
            sum.names += proof.names;
        }
        if let Some(text) = self.text.as_ref().filter(|_| self.has_others) {
            redaction::redact_text(&AttachmentFile::for_place(place, context)?, text, false, context.now)?;
            sessions::redact_files(context.dirs()?, text)?;
            // Transcripts are not changed: what is indexed of them goes.
            remove_session_index(context.dirs()?)?;
        }
        mem_vault::remove_leftovers(context)?;
        freshness::forget_verdicts(context);
        warn_of_remaining(remaining, context);
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
                    context.print_warning(format_args!(
                        "the name of `{path}` may come from this text and is as it was: `mem rename` changes it"
                    ));
                }
            }
        }
        Ok(())
    }

    fn print_outcome(&self, is_dry: bool, proof: Proof, context: &Context) -> anyhow::Result<Exit> {
        let (printer, waiting) = (&context.printer, self.waiting);
        let files = counted::count_files(self.files);
        let text = match is_dry {
            true => format!("{files} would be changed"),
            false => format!(
                "{files} and {} cleaned; {} objects scanned, {}",
                format_count(proof.rewritten, "version", "versions"),
                proof.objects,
                format_count(proof.hits, "hit", "hits")
            ),
        };
        let attached = self.attached.memories.iter();
        let attached = attached
            .map(|(attachment, path)| json!({ "memory_store_id": attachment.store, "path": path }));
        let json = json!({
            "dry_run": is_dry, "files": self.files, "paths": self.paths(), "inbox": waiting.total(), "inbox_removed": waiting.removed,
            "versions": proof.rewritten, "names": proof.names, "objects_scanned": proof.objects, "hits": proof.hits,
            "aside": self.attached.aside, "sessions": self.sessions, "left": self.left,
            "attached": attached.collect::<Vec<_>>(), "transcripts": self.hosts.to_json(),
        });
        printer.print_answer(&json, text)?;
        if !printer.json {
            let rest = count_lines(&[
                (
                    "",
                    proof.names,
                    ("name", "names"),
                    " of files changed, in all versions",
                ),
                ("", waiting.cleaned, WRITES, " cleaned"),
                ("", waiting.removed, WRITES, " removed"),
                (
                    "",
                    self.left.len(),
                    ("file", "files"),
                    " not mem's own left as they are",
                ),
            ]);
            let mut rest = rest.iter().filter(|_| !is_dry);
            rest.try_for_each(|line| printer.line(line))?;
            transcripts::print_transcripts(&self.hosts, context);
        }
        if proof.hits > 0 {
            printer.print_warning(
                "other notes hold the very same content; redact them too, or use --text",
            );
        }
        let has_others = !(self.attached.memories.is_empty() && self.left.is_empty());
        let is_left = proof.hits > 0 || has_others && !is_dry;
        Ok(if is_left { Exit::Failure } else { Exit::Ok })
    }
}

/// A line for each number of things that is not 0, with what stands before and behind it.
fn count_lines(counts: &[(&str, usize, (&str, &str), &str)]) -> Vec<String> {
    let counts = counts.iter().filter(|(_, count, ..)| *count > 0);
    let lines = counts.map(|(before, count, (one, several), behind)| {
        format!("{before}{}{behind}", format_count(*count, one, several))
    });
    lines.collect()
}

/// The transcripts of hosts that hold the text; or what a note says, and its name.
fn transcripts_of(
    text: Option<&TextSpellings>,
    tasks: &[StoreRedaction],
    context: &Context,
) -> anyhow::Result<TranscriptSearch> {
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
        Err(error @ NameError::Unknown(_)) if args.user.is_none() && !args.global => {
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
            stores.extend(HostUser::user_stores(dirs)?);
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
    }
    // Copied along with a text, blanks around it would keep every place as it was where a line ends there.
    let text = text.trim();
    if LocalStore::is_redactable(text) {
        Ok(text.to_owned())
    } else {
        let hint = "give at least four characters that are no part of `[redacted]` and of no word of mem's own files \
                    (`name`, `description`, `project`), or the name of the memory";
        Err(UsageError::new("this text cannot be removed everywhere", hint).into())
    }
}

/// Names what a remote may have still.
fn warn_of_remaining(remaining: erase::RemainingTraces, context: &Context) {
    if remaining.is_in_names {
        context.print_warning(
            "the name of a file that was shared holds it, and is still at the remote, in its log and in what it \
             keeps of deletions: `mem team delete` and `mem team redact --name` take it out. Colleagues have it: \
             change the value",
        );
    }
    if remaining.is_shared {
        context.print_warning(
            "what was shared is still at the remote, and comes back from there: `mem team delete` and \
             `mem team redact` take it out",
        );
    }
}
