//! `mem team resolve`: texts that gave way to the remote.

use mem_team::write_gates::ProjectGate;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mem_core::config::WriteMode;
use mem_core::limits::TOPIC_BYTES_MAX;
use mem_core::location::ProjectContext;
use mem_core::regular_file;
use mem_team::conflicts::{self, ConflictSides};
use mem_team::error::TeamError;
use mem_team::named_key::parse_key;
use mem_team::outbound_scan::shown_key;
use mem_team::settings::{self, TeamShare};
use serde_json::{Value, json};

use crate::body;
use crate::context::Context;
use crate::editor::{self, EditedText};
use crate::exit::Exit;
use crate::person::PersonOnlyError;
use crate::style::STRONG;
use crate::unified::paint_diff;
use mem_core::run::require_enabled;
use mem_core::unified_diff::unified_diff;

/// Decide about texts that gave way
///
/// Where both ends changed the same lines, the remote's text stands in the memory and yours is kept
/// aside. Without a choice this shows both as changes of what they came from, and how they differ. Every
/// choice goes for one text; `mem undo` takes what it wrote back, the next sync shares it. Where the
/// remote's text changed meanwhile nothing is written, and the exit code is 4.
///
/// With --json: {"conflicts":[{"file","base","mine","theirs","diff","both"}]}, null where there is none, or
/// {"resolved","with","dry_run"}. `both` has the lines in which the texts differ between marks, for --merged.
///
/// Example: mem team resolve project_freeze.md --mine
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file; all of them are shown if none is named
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// Put your text in the place of the remote's
    #[arg(long, group = "choice", requires = "key")]
    mine: bool,
    /// Keep the remote's text and forget yours
    #[arg(long, group = "choice", requires = "key")]
    theirs: bool,
    /// Put the text of a file there, which must have no marks of `both` left
    #[arg(long, group = "choice", requires = "key", value_name = "FILE")]
    merged: Option<PathBuf>,
    /// Put both into your editor, and there what you make of them
    #[arg(long, group = "choice", requires = "key")]
    edit: bool,
    /// Tell what the choice would do, and do nothing: no editor is opened
    #[arg(long)]
    dry_run: bool,
}

/// Shows, or settles one.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = settings::team_share(&place, context)?;
    of_share(args, &share, &place, context)
}

/// The same of any shared tier.
pub(crate) fn of_share(
    args: &Args,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    let mut found = conflicts::all(share, place, context)?;
    if let Some(text) = &args.key {
        let key = parse_key(text)?;
        found.retain(|one| one.key == key);
        if found.is_empty() {
            let (key, command) = (shown_key(&key), share.resolve());
            return Err(TeamError::NoConflict { key, command }.into());
        }
    }
    match (found.first(), chosen_word(args)) {
        (Some(first), Some(word)) => {
            require_enabled(place)?;
            if args.theirs && place.config.values.memory.write != WriteMode::Auto {
                // It forgets a text, which no gate is asked about.
                context.require_person(PersonOnlyError::Sharing)?;
            }
            resolve_conflict(args, word, first, share, place, context)?;
            if found.len() > 1 {
                let text = format_args!("another text of {} waits", shown_key(&first.key));
                context.printer.say(text);
            }
        }
        _ => print_conflicts(&found, &share.resolve(), context)?,
    }
    Ok(Exit::Ok)
}

fn chosen_word(args: &Args) -> Option<&'static str> {
    match args {
        Args { mine: true, .. } => Some("mine"),
        Args { theirs: true, .. } => Some("theirs"),
        Args {
            merged: Some(_), ..
        } => Some("merged"),
        Args { edit: true, .. } => Some("edit"),
        _ => None,
    }
}

fn resolve_conflict(
    args: &Args,
    word: &str,
    sides: &ConflictSides,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<()> {
    let given = |bytes| EditedText::new(sides.key.path(), bytes);
    let edited = match (&args.merged, word) {
        (Some(file), _) if file.as_os_str() == "-" => {
            Some(given(body::read(Some("-"))?.into_bytes()))
        }
        (Some(file), _) => {
            let file = context.cwd.join(file);
            let bytes = read(&file);
            let bytes = bytes.with_context(|| format!("cannot read `{}`", file.display()))?;
            Some(given(bytes))
        }
        (None, "mine") => Some(given(sides.mine.clone())),
        (None, "edit") if !args.dry_run => Some(edit_text(sides, place, context)?),
        _ => None,
    };
    let text = edited.as_ref().map(|edited| edited.bytes.as_slice());
    if args.merged.is_some() && text.is_some_and(conflicts::has_marks) {
        return Err(TeamError::MarksLeft(shown_key(&sides.key)).into());
    }
    let (order, gate) = (
        context.change_metadata("resolve"),
        ProjectGate::for_place(place, context),
    );
    if args.dry_run {
        conflicts::check(sides, text, share, &gate, context)?;
    } else if let Err(error) =
        conflicts::resolve_conflict(sides, text, share, &order, &gate, context)
    {
        if let (true, Some(edited)) = (args.edit, edited) {
            edited.keep(context);
        }
        return Err(error.into());
    }
    let (key, is_dry) = (shown_key(&sides.key), args.dry_run);
    let would = match word {
        "mine" => "put your text into",
        "theirs" => "forget your text of",
        "merged" => "put the text of that file into",
        _ => "put what you make of both into",
    };
    let text = match is_dry {
        true => format!("would {would} {key}"),
        false => format!("resolved {key}"),
    };
    let json = json!({ "resolved": key, "with": word, "dry_run": is_dry });
    context.print_answer(&json, text).map(drop)
}

/// One byte over the limit at the most: the limit itself is the store's to enforce.
fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = TOPIC_BYTES_MAX as u64 + 1;
    regular_file::open(file)?
        .take(limit)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a person leaves of both texts in an editor.
fn edit_text(
    sides: &ConflictSides,
    place: &ProjectContext,
    context: &Context,
) -> Result<EditedText> {
    let both = sides.marked_text();
    let edited = editor::edit_copy(context, &place.config, sides.key.path(), &both)?;
    if !conflicts::has_marks(&edited.bytes) {
        return Ok(edited);
    }
    if edited.bytes != both {
        edited.keep(context);
    }
    Err(TeamError::MarksLeft(shown_key(&sides.key)).into())
}

fn print_conflicts(found: &[ConflictSides], command: &str, context: &Context) -> Result<()> {
    let printer = &context.printer;
    if printer.json {
        let shown: Vec<Value> = found.iter().map(conflict_json).collect();
        printer.print_json(&json!({ "conflicts": shown }))?;
        return Ok(());
    }
    if found.is_empty() {
        printer.say("nothing gave way");
        return Ok(());
    }
    for sides in found {
        let (key, mine) = (shown_key(&sides.key), Some(sides.mine.as_slice()));
        let (base, theirs) = (sides.base.as_deref(), sides.theirs.as_deref());
        if base.is_some() {
            printer.line(format_args!("{STRONG}{key}: what you changed{STRONG:#}"))?;
            printer.line(paint_diff(&unified_diff(&key, base, mine)))?;
            printer.line(format_args!("{STRONG}{key}: what they changed{STRONG:#}"))?;
            printer.line(paint_diff(&unified_diff(&key, base, theirs)))?;
        }
        printer.line(format_args!(
            "{STRONG}{key}: from theirs to yours{STRONG:#}"
        ))?;
        printer.line(paint_diff(&unified_diff(&key, theirs, mine)))?;
    }
    printer.say(format_args!(
        "`{command} KEY` with --mine, --theirs, --merged FILE or --edit decides"
    ));
    Ok(())
}

fn conflict_json(sides: &ConflictSides) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (base, theirs) = (sides.base.as_deref(), sides.theirs.as_deref());
    json!({
        "file": shown_key(&sides.key), "base": base.map(text), "mine": text(&sides.mine),
        "theirs": theirs.map(text),
        "diff": unified_diff(&shown_key(&sides.key), theirs, Some(&sides.mine)),
        "both": text(&sides.marked_text()),
    })
}
