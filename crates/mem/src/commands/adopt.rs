//! `mem adopt`: memories that were kept for this repository elsewhere, taken over.

use mem_team::write_gates::SecretGate;
use std::path::Path;

use anyhow::Result;
use mem_core::adopt::{self, AdoptError, Adoption, AdoptionOutcome, AdoptionSource, Offer};
use mem_core::audit::shell_word;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::ADOPT;
use mem_core::{Scope, registry};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::team::remarks;
use mem_core::plural::{count_files, format_count};
use mem_core::recognition::Recognition;

/// Take over memories that were kept elsewhere
///
/// For a repository that was moved, renamed or cloned again, and for memories that were keyed by
/// a worktree or a subdirectory. Nothing is lost: the same file is taken once, different files
/// of one name are both kept, indexes and logs are united, ids, ages and the whole history come
/// along. Writes of agents that wait there for a person move to the inbox here. The source stays
/// otherwise until --delete-source. Doing it twice changes nothing; `mem undo` takes it back.
///
/// With --json: {"source","files":[{"file","fate","target"}],"waiting","change","deleted"}; fate is one of
/// taken, identical, known, newer, renamed, united.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Which: a slug, a memory directory, or the folder of before; not needed where there is one
    #[arg(long, value_name = "SLUG|PATH", allow_hyphen_values = true)]
    from: Option<String>,
    /// Show what would be done, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Then empty the source, once everything in it is certainly here
    #[arg(long)]
    delete_source: bool,
}

/// Adopts, and says what became of each file.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let dirs = context.dirs()?;
    let source = match &args.from {
        Some(name) => adopt::find_source(name, &context.cwd, dirs)?,
        None => the_one(args, &place, context)?,
    };
    if args.delete_source {
        source.require_hosts(dirs)?;
    }
    let memory = ProjectMemory::new(&place.location, dirs);
    let target = memory.store(Scope::Private);
    let order = context
        .change_metadata(ADOPT)
        .because(Some(adopt::adoption_reason(&source.memory_dir)));
    let adoption = match args.dry_run {
        true => adopt::preview_adoption(target, &source.store)?,
        false => adopt::adopt_store(
            target,
            &source.store,
            &order,
            &SecretGate::for_place(&place, context),
        )?,
    };
    let is_deleted = args.delete_source && !args.dry_run;
    if is_deleted {
        adopt::remove_source(target, &source.store, &order)?;
        registry::forget(dirs, &source.memory_dir)?;
    }
    if !args.dry_run {
        context.remember_project(&place);
    }
    if context.printer.json {
        context.print_json(&adoption_json(&source, &adoption, is_deleted))?;
    } else {
        print_adoption(context, args, &source, &adoption)?;
    }
    if let Some(change) = &adoption.change {
        let written = change.versions.iter().map(|version| &version.path);
        remarks::say_what_waits(&place, written, context);
    }
    Ok(Exit::Ok)
}

/// The only candidate.
fn the_one(args: &Args, place: &ProjectContext, context: &Context) -> Result<AdoptionSource> {
    let by = match args.dry_run {
        true => Recognition::Look,
        false => Recognition::Renew,
    };
    let offers = context.adoption_offers(place, by)?;
    match offers.as_slice() {
        [] => Ok(context.adopted_source(place)?),
        [offer] => Ok(AdoptionSource::from_memory_dir(
            &offer.candidate.memory_dir,
            context.dirs()?,
        )),
        several => {
            list_offers(several, context)?;
            let slugs = several.iter().map(|offer| offer.candidate.slug.clone());
            Err(AdoptError::Several(slugs.collect()).into())
        }
    }
}

/// The candidates, as data.
fn list_offers(offers: &[Offer], context: &Context) -> Result<()> {
    if context.printer.json {
        let shapes: Vec<Value> = offers.iter().map(Offer::to_json).collect();
        return Ok(context.print_json(&json!({ "adoptable": shapes }))?);
    }
    for offer in offers {
        let (slug, reason) = (&offer.candidate.slug, offer.reason_text());
        let text = format!("{slug}  {}  {reason}", count_files(offer.fresh));
        context.line(clean(&text))?;
    }
    Ok(())
}

fn adoption_json(source: &AdoptionSource, adoption: &Adoption, is_deleted: bool) -> Value {
    let files: Vec<Value> = adoption
        .files
        .iter()
        .map(|file| {
            json!({ "file": file.path, "fate": file.fate.as_str(), "target": file.target_path() })
        })
        .collect();
    json!({
        "source": source.memory_dir,
        "files": files,
        "waiting": adoption.waiting,
        "change": adoption.change.as_ref().map(|change| change.id.as_str()),
        "deleted": is_deleted,
    })
}

fn print_adoption(
    context: &Context,
    args: &Args,
    source: &AdoptionSource,
    adoption: &Adoption,
) -> Result<()> {
    for file in adoption.files.iter().filter(|file| !file.fate.is_settled()) {
        let note = match &file.fate {
            AdoptionOutcome::Renamed(path) => format!(" -> {path} (another file has the name)"),
            AdoptionOutcome::Newer(path) => format!(" -> {path} (newer)"),
            AdoptionOutcome::United => " (united)".to_owned(),
            AdoptionOutcome::Taken | AdoptionOutcome::Identical | AdoptionOutcome::Known(_) => {
                String::new()
            }
        };
        context.line(format_args!("{}{note}", file.path))?;
    }
    let (fresh, all) = (adoption.fresh_count(), adoption.files.len());
    let from = shown_path(&source.memory_dir);
    match (args.dry_run, fresh) {
        (_, 0) => context.say(format_args!("everything of `{from}` is here already")),
        (true, _) => context.say(format_args!(
            "would take {fresh} of {all} files from `{from}`"
        )),
        (false, _) => context.say(format_args!("took {fresh} of {all} files from `{from}`")),
    }
    if adoption.waiting > 0 {
        let verb = if args.dry_run { "would move" } else { "moved" };
        let what = format_count(adoption.waiting, "write of agents", "writes of agents");
        let printer = &context.printer;
        printer.say(format_args!("{verb} {what} to the inbox here"));
    }
    match (args.dry_run, args.delete_source) {
        (false, true) => context.say("the source is empty now; its own history keeps everything"),
        (false, false) if source.require_hosts(context.dirs()?).is_ok() => {
            context.say(format_args!(
                "the source is as it was; `mem adopt --from={} --delete-source` empties it",
                name_of(source)
            ));
        }
        (false, false) => context.say("the source is as it was"),
        (true, _) => {}
    }
    Ok(())
}

/// What to give to `--from`: the slug of a project's directory, else the path.
fn name_of(source: &AdoptionSource) -> String {
    let directory = &source.memory_dir;
    let project = directory.parent().and_then(Path::file_name);
    let is_slug = directory.ends_with("memory");
    let name = project.filter(|name| is_slug && name.to_string_lossy().starts_with('-'));
    shell_word(&shown_path(name.map_or(directory.as_path(), Path::new)))
}

fn shown_path(path: &Path) -> String {
    clean(&path.to_string_lossy()).into_owned()
}
