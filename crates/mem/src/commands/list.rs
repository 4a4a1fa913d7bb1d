//! `mem list`: all memories, one line each.

use anyhow::Result;
use mem_core::audit::shell_word;
use mem_core::compact_sort::CompactSort as _;
use mem_core::location::ProjectContext;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::{Scope, agent_memory};
use mem_drift::{NoteReport, Verdict};
use mem_find::verdicts::Verdicts;
use serde_json::json;

use crate::age::age_text;
use crate::context::Context;
use crate::exit::Exit;
use crate::freshness::verdict_text;
use crate::note_json::NoteJson;
use crate::sanitize::clean;
use crate::select::MemoryFilter;
use mem_core::plural::format_count;

/// List memories
///
/// Reads every tier (private, team, global) and prints one line for each memory: type, file,
/// age, description, whether it has expired, and which of them the code has left behind, as `mem verify` found it
/// last. Takes no lock and writes nothing. With --json --text each memory has its text and whether it is pinned.
///
/// With --json: {"memories":[..]}, each with "expires" and "expired", and with --limit {"memories":[..],"total"}, where
/// the total counts all that fit.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: MemoryFilter,
    /// The order
    #[arg(long, default_value = "file")]
    sort: Sort,
    /// With --json: each with its text, and whether it is pinned
    #[arg(long)]
    text: bool,
    /// Only those whose title, file, description and tags hold each of these words as letters
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    words: Option<String>,
    /// Only those with this verdict, as `mem verify` found it last
    #[arg(long)]
    verdict: Option<KnownVerdict>,
    /// At most N
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Leave out the first N
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

/// What is known of a memory, the worst last.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KnownVerdict {
    /// It was not checked
    Unknown,
    /// All of it is there
    Fresh,
    /// Something changed since
    Aging,
    /// Something moved
    Drifted,
    /// Something is gone
    Broken,
}

impl From<&Option<NoteReport>> for KnownVerdict {
    fn from(report: &Option<NoteReport>) -> Self {
        match report.as_ref().map(|report| report.verdict) {
            Some(Verdict::Fresh) => Self::Fresh,
            Some(Verdict::Aging) => Self::Aging,
            Some(Verdict::Drifted) => Self::Drifted,
            Some(Verdict::Broken) => Self::Broken,
            None => Self::Unknown,
        }
    }
}

/// Orders of a list.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// By tier, then by file
    File,
    /// The newest first
    Modified,
    /// By name
    Name,
    /// By type, then by file
    Type,
    /// The largest first
    Size,
    /// The worst verdict first
    Verdict,
}

/// Prints the memories that were chosen.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let listing = memory.list(&args.selection.scopes())?;
    for warning in &listing.warnings {
        context.print_warning(warning);
    }
    let mut notes = listing.notes;
    let is_narrow = args.selection.is_narrow() || args.words.is_some() || args.verdict.is_some();
    let nothing = match notes.is_empty() && !is_narrow {
        true if !listing.unreadable.is_empty() => "no memory here can be read",
        true => "no memories yet: `mem save` makes one",
        false => "no memory is of that kind: `mem list` shows all",
    };
    let words = args.words.as_deref().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    notes.retain(|note| args.selection.admits_note(note) && has_words(note, &words));
    sort_notes(&mut notes, args.sort);
    let verdicts = Verdicts::for_place(&place, context)?;
    if args.verdict.is_some() || args.sort == Sort::Verdict {
        let reports = verdicts.remembered_reports(&notes);
        let known = reports.iter().map(KnownVerdict::from);
        let mut judged: Vec<(KnownVerdict, Note)> = known.zip(notes).collect();
        judged.retain(|(verdict, _)| args.verdict.is_none_or(|wanted| *verdict == wanted));
        if args.sort == Sort::Verdict {
            judged.compact_sort_by_key(|(verdict, _)| std::cmp::Reverse(*verdict));
        }
        notes = judged.into_iter().map(|(_, note)| note).collect();
    }
    let total = notes.len();
    notes.drain(..args.offset.min(total));
    notes.truncate(args.limit.unwrap_or(total));
    let drift = verdicts.remembered_reports(&notes);
    if context.printer.json {
        let memories: Vec<NoteJson<'_>> = notes
            .iter()
            .zip(drift)
            .map(|(note, report)| {
                let json = NoteJson::from(note).with_expiry(note, context.now);
                let json = match args.text {
                    true => json.with_content(note),
                    false => json,
                };
                json.with_drift(report.map(|one| one.drift_summary()))
            })
            .collect();
        let mut answer = json!({ "memories": memories });
        if args.limit.is_some() {
            answer["total"] = total.into();
        }
        context.print_json(&answer)?;
    } else if notes.is_empty() {
        context.say(nothing);
    } else {
        context.line(notes_table(&notes, &drift, context))?;
    }
    if !context.printer.json {
        say_agents(&place, context)?;
    }
    Ok(Exit::Ok)
}

/// Says which subagents have memories of their own: they are no memories of the project, and not listed with them.
fn say_agents(place: &ProjectContext, context: &Context) -> Result<()> {
    let dirs = context.dirs()?;
    let agents = agent_memory::list_below(dirs, [place.project.workdir.as_path()]).into_iter();
    for agent in agents.filter(|agent| agent.memory_dir != place.location.memory_dir) {
        let memory = ProjectMemory::at(&agent.memory_dir, dirs);
        // What is wrong with one of them is for an audit to tell.
        let listing = memory.list(&[Scope::Private]);
        let count = listing.map_or(0, |listing| listing.notes.len());
        if count > 0 {
            let name = agent.memory_dir.file_name().unwrap_or_default();
            let (name, folder) = (name.to_string_lossy(), agent.memory_dir.to_string_lossy());
            let (name, folder) = (clean(&name), clean(&folder));
            let memories = format_count(count, "memory", "memories");
            let folder = shell_word(&folder);
            context.say(format_args!(
                "the subagent `{name}` has {memories} of its own: `MEM_DIR={folder} mem list`"
            ));
        }
    }
    Ok(())
}

/// Whether each of these words, in lower case, is in what a list says of a memory.
fn has_words(note: &Note, words: &[&str]) -> bool {
    let topic = &note.topic;
    let parts = [
        Some(note.title()),
        Some(&*note.file),
        topic.description.as_deref(),
    ];
    let mut text: Vec<&str> = parts.into_iter().flatten().collect();
    text.extend(topic.tags.iter().map(String::as_str));
    words.is_empty() || {
        let text = text.join("\n").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

fn sort_notes(notes: &mut [Note], by: Sort) {
    match by {
        Sort::File | Sort::Verdict => {}
        Sort::Modified => notes.compact_sort_by_key(|note| std::cmp::Reverse(note.modified)),
        Sort::Name => notes.compact_sort_by_key(|note| note.title().to_lowercase()),
        Sort::Type => {
            notes.compact_sort_by_key(|note| (note.topic.kind.is_none(), note.topic.kind));
        }
        Sort::Size => notes.compact_sort_by_key(|note| std::cmp::Reverse(note.bytes.len())),
    }
}

/// Aligned columns, no line break at the end.
fn notes_table(notes: &[Note], drift: &[Option<NoteReport>], context: &Context) -> String {
    let kind = |note: &Note| note.topic.kind.map_or("-", mem_core::MemoryType::as_str);
    let rows: Vec<[String; 4]> = notes
        .iter()
        .map(|note| {
            let text = note
                .topic
                .description
                .as_deref()
                .unwrap_or_else(|| note.title());
            let expired = note.topic.expires.filter(|one| one.is_past(context.now.0));
            let expired = expired.map_or_else(String::new, |one| format!("(expired {one}) "));
            [
                kind(note).to_owned(),
                clean(&note.label()).into_owned(),
                age_text(context.now, note.modified),
                match note.is_plain_text() {
                    true => expired + &clean(text).replace(['\n', '\t'], " "),
                    false => "(no text: `mem check`)".to_owned(),
                },
            ]
        })
        .collect();
    let width = |at: usize| {
        rows.iter()
            .map(|row| row[at].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (kinds, files, ages) = (width(0), width(1), width(2));
    let bad = |report: &NoteReport| (report.verdict >= Verdict::Drifted).then_some(report.verdict);
    let marks: Vec<Option<Verdict>> = drift.iter().map(|one| one.as_ref().and_then(bad)).collect();
    let is_marked = marks.iter().any(Option::is_some);
    let lines = rows
        .iter()
        .zip(&marks)
        .map(|([kind, file, age, text], mark)| {
            let mark = match is_marked {
                true => format!("{}  ", verdict_text::verdict_mark(*mark)),
                false => String::new(),
            };
            format!("{kind:kinds$}  {file:files$}  {age:ages$}  {mark}{text}")
                .trim_end()
                .to_owned()
        });
    lines.collect::<Vec<_>>().join("\n")
}
