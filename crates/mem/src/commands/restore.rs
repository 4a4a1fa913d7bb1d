//! `mem restore`: bring an older version, or a note that is gone, back.

use mem_core::history::Change;
use mem_core::store::{Planned, RestoreError, Restored};
use mem_team::write_gates::SecretGate;
use serde_json::json;

use crate::changes::{plans_json, short_id, utc_time};
use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;
use crate::user_errors::about_user;
use mem_core::host_user::HostUser;
use mem_core::name_resolution::MemoryInStore;
use mem_core::unified_diff::plan_diff;
use mem_tools::records::OpenRecords;

/// Bring a note, or an older version of it, back
///
/// A note that is gone comes back with its id, its age and its line in the index. One that
/// stands gets its newest content that differs from what stands there, unless --rev says which; it
/// is named as it is called now. The id of a version of an earlier note of the same file counts too.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The note
    name: String,
    /// The version: the beginning of its id or of its change's, or how many back (0 the newest)
    #[arg(id = "revision", long = "rev", value_name = "R")]
    revision: Option<String>,
    /// Show what would be written, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Your own notes across repositories
    #[arg(long)]
    global: bool,
    /// The records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<HostUser>,
}

/// Writes the version as a change of its own.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let user = args.user.as_ref();
    if let Some(user) = user {
        OpenRecords::open_for(Some(user), &context.tools)?.require_writable()?;
    }
    let found = context.resolve_memory(user, &place, &args.name, args.global)?;
    let MemoryInStore { store, named, .. } = found;
    let note = named.note;
    if named.is_former_name
        && let Some(path) = store.snapshot()?.catalog().path_of(&note)
    {
        let name = args.name.clone();
        return Err(about_user(user, RestoreError::Renamed { name, path }));
    }
    let revision = args.revision.as_deref();
    let (restored, change, plans) = if args.dry_run {
        let preview = store.preview_restore(context.now, &note, revision);
        let (restored, plans) = preview.map_err(|error| about_user(user, error))?;
        (restored, None, plans)
    } else {
        let gate = SecretGate::for_place(&place, context).of_user(user);
        let written = store.restore(&context.change_metadata("restore"), &gate, &note, revision);
        let written = written.map_err(|error| about_user(user, error))?;
        context.warn_all(&written.warnings);
        (written.value, written.change, Vec::new())
    };
    print_restored(args, context, &restored, change.as_ref(), &plans)
}

fn print_restored(
    args: &Args,
    context: &Context,
    restored: &Restored,
    change: Option<&Change>,
    plans: &[Planned],
) -> anyhow::Result<Exit> {
    let printer = &context.printer;
    let version = &restored.revision.version;
    if printer.json {
        printer.print_json(&json!({
            "file": restored.path,
            "note": restored.note,
            "version": version.id,
            "index": restored.pointer,
            "change": change.map(|change| &change.id),
            "dry_run": args.dry_run,
            "files": plans_json(plans),
        }))?;
        return Ok(Exit::Ok);
    }
    let (path, id) = (&restored.path, short_id(version.id.as_str()));
    let time = utc_time(restored.revision.entry.change.time);
    match (args.dry_run, change) {
        (true, _) => {
            let diff: String = plans.iter().map(plan_diff).collect();
            printer.say(format_args!("would restore {path} to {id} of {time}"));
            if !diff.is_empty() {
                printer.line(paint_diff(&diff))?;
            }
        }
        (false, Some(_)) => printer.line(format_args!("restored {path} to {id} of {time}"))?,
        (false, None) => printer.line(format_args!("{path} is already as in {id} of {time}"))?,
    }
    Ok(Exit::Ok)
}
