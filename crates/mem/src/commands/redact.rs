//! `mem redact`: remove content for good.

use std::io::Read as _;

use mem_admin::redaction::{MemoryRedaction, RedactRequest, RedactSubject};
use mem_agent::session::transcript_search::TranscriptSearch;
use mem_core::Scope;
use mem_core::history::Proof;
use mem_core::host_user::HostUser;
use mem_core::memory_path::{escaped, printable};
use mem_core::plural::{self, format_count};
use mem_core::store::LocalStore;
use mem_team::erase::RemainingTraces;
use serde_json::json;

use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::transcripts;
use crate::usage::UsageError;

/// Words for one of what is changed besides files, and for several.
const WRITES: (&str, &str) = ("write in the inbox", "writes in the inbox");
const FILES_OF_SESSIONS: (&str, &str) = ("file of a session", "files of sessions");
const UNSAVED_TEXTS: (&str, &str) = ("unsaved text", "unsaved texts");
const TEXTS_ASIDE: (&str, &str) = (
    "text that gave way to attached stores",
    "texts that gave way to attached stores",
);

/// Remove content from the files and from every version, for good
///
/// A note: the whole file, every version it ever had, and the lines of the index that name it; to remove only a secret
/// from it, give the text. No index can be named. A text: every occurrence in
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
/// what is kept of sessions, of all projects: their notes, and what is remembered of them; from texts that could not be
/// written to their memories; and from the records of every user of a host (`--user`). With --user, a note or a text goes
/// from that user's records alone.
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

/// Cleans files and histories, and tells the proof.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let text;
    let what = match &args.name {
        Some(name) => RedactSubject::Note(name),
        None => {
            text = read_text(args.text.as_deref().unwrap_or_default())?;
            RedactSubject::Text(&text)
        }
    };
    let request = RedactRequest {
        what,
        user: args.user.as_ref(),
        is_global: args.global,
    };
    let plan = MemoryRedaction::plan(request, &place, context)?;
    let hosts = transcripts::find_transcripts(context, &*plan.trace_finder()?);
    let is_dry = args.choice.dry_run;
    print_plan(&plan, is_dry, context);
    if is_dry {
        return print_outcome(&plan, &hosts, true, Proof::default(), context);
    }
    let files = plural::count_files(plan.files);
    let question = match plan.whole_note() {
        Some(note) => format!(
            "Remove the whole note {note} with all its versions, change {files} and rewrite the history? It cannot be \
             undone."
        ),
        None => format!("Change {files} and rewrite the history? It cannot be undone."),
    };
    context.require_confirmation(&question, args.choice.yes)?;
    let (proof, remaining) = plan.carry_out(&place, context)?;
    warn_of_remaining(&remaining, plan.text.is_some(), context);
    for path in plan.names_to_check()? {
        context.print_warning(format_args!(
            "the name of `{path}` may come from this text and is as it was: `mem rename` changes it"
        ));
    }
    print_outcome(&plan, &hosts, false, proof, context)
}

/// Tells what is to be changed, and what is others' to change.
fn print_plan(plan: &MemoryRedaction, is_dry: bool, context: &Context) {
    let printer = &context.printer;
    let whole = plan.whole_note();
    let files = plan.tasks.iter().flat_map(|task| &task.planned.files);
    let files = files.filter(|file| whole != Some(&file.path));
    let files = files.map(|file| match file.new {
        Some(_) => format!("clean {}", file.path),
        None => format!("remove {}", file.path),
    });
    let others = count_lines(&[
        ("clean ", plan.waiting.cleaned, WRITES, ""),
        ("remove ", plan.waiting.removed, WRITES, ""),
        ("clean ", plan.sessions, FILES_OF_SESSIONS, ""),
        ("clean ", plan.unsaved, UNSAVED_TEXTS, ""),
        ("clean ", plan.attached.aside, TEXTS_ASIDE, ""),
    ]);
    let whole = whole.map(|note| format!("remove the whole note {note} with all its versions"));
    let lines = whole.into_iter().chain(files).chain(others);
    for line in lines.filter(|_| !printer.json) {
        printer.say(line);
    }
    for (attachment, path) in plan.attached.memories.iter().filter(|_| !is_dry) {
        printer.print_warning(format_args!(
            "{}{} has it, a memory of an attached store: write it anew (`mem store put {store}`), then take its \
             old versions out (`mem store versions {store}`, `mem store redact {store} VERSION`)",
            attachment.mount_path(),
            escaped(path),
            store = printable(&attachment.store)
        ));
    }
    for path in &plan.left {
        printer.print_warning(format_args!(
            "`{}` holds it and is not mem's own file: it stays as it is, change it yourself",
            escaped(path)
        ));
    }
}

fn print_outcome(
    plan: &MemoryRedaction,
    hosts: &TranscriptSearch,
    is_dry: bool,
    proof: Proof,
    context: &Context,
) -> anyhow::Result<Exit> {
    let (printer, waiting) = (&context.printer, plan.waiting);
    let files = plural::count_files(plan.files);
    let text = match is_dry {
        true => format!("{files} would be changed"),
        false => format!(
            "{files} and {} cleaned; {} objects scanned, {}",
            format_count(proof.rewritten, "version", "versions"),
            proof.objects,
            format_count(proof.hits, "hit", "hits")
        ),
    };
    let attached = plan.attached.memories.iter();
    let attached = attached
        .map(|(attachment, path)| json!({ "memory_store_id": attachment.store, "path": path }));
    let json = json!({
        "dry_run": is_dry, "files": plan.files, "paths": plan.paths(), "inbox": waiting.total(), "inbox_removed": waiting.removed,
        "versions": proof.rewritten, "names": proof.names, "objects_scanned": proof.objects, "hits": proof.hits,
        "aside": plan.attached.aside, "sessions": plan.sessions, "unsaved": plan.unsaved,
        "left": plan.left,
        "attached": attached.collect::<Vec<_>>(), "transcripts": hosts.to_json(),
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
                plan.left.len(),
                ("file", "files"),
                " not mem's own left as they are",
            ),
        ]);
        let mut rest = rest.iter().filter(|_| !is_dry);
        rest.try_for_each(|line| printer.line(line))?;
        transcripts::print_transcripts(hosts, context);
    }
    if proof.hits > 0 {
        printer.print_warning(
            "other notes hold the very same content; redact them too, or use --text",
        );
    }
    let has_others = !(plan.attached.memories.is_empty() && plan.left.is_empty());
    let is_left = proof.hits > 0 || has_others && !is_dry;
    Ok(if is_left { Exit::Failure } else { Exit::Ok })
}

/// A line for each number of things that is not 0, with what stands before and behind it.
fn count_lines(counts: &[(&str, usize, (&str, &str), &str)]) -> Vec<String> {
    let counts = counts.iter().filter(|(_, count, ..)| *count > 0);
    let lines = counts.map(|(before, count, (one, several), behind)| {
        format!("{before}{}{behind}", format_count(*count, one, several))
    });
    lines.collect()
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

/// Names what remotes may have still; `is_text`: files were cleaned, and no whole note was removed.
fn warn_of_remaining(remaining: &RemainingTraces, is_text: bool, context: &Context) {
    for scope in &remaining.in_names {
        let (command, scope, others) = remote_words(*scope);
        context.print_warning(format_args!(
            "the name of a file that was shared holds it, and is still at the remote, in its log and in what it keeps \
             of deletions; the next sync brings the file back. `{command} delete NAME{scope}` deletes it; `{command} \
             redact NAME --name{scope}` takes the name out once all machines have synchronised. {others} have it: \
             change the value"
        ));
    }
    for scope in &remaining.shared {
        let (command, scope, _) = remote_words(*scope);
        let sync = match command {
            "mem team" => "mem team sync",
            command => command,
        };
        match is_text {
            true => context.print_warning(format_args!(
                "the remote may have it still: send the cleaned files with `{sync}`, then take the earlier contents of \
                 each out with `{command} redact FILE{scope}`, also of `MEMORY.md`"
            )),
            false => context.print_warning(format_args!(
                "what was shared is still at the remote, and comes back from there: `{command} delete NAME{scope}` \
                 and `{command} redact NAME{scope}` take it out"
            )),
        }
    }
}

/// The command that shares a scope, its argument for the scope, and who has the files too.
fn remote_words(scope: Scope) -> (&'static str, &'static str, &'static str) {
    match scope {
        Scope::Team => ("mem team", "", "Colleagues"),
        Scope::Private => ("mem sync", "", "Your other machines"),
        Scope::Global => ("mem sync", " --scope global", "Your other machines"),
    }
}
