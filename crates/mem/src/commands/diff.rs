//! `mem diff`: what changed.

use mem_core::file_diff::{FileDiff, diff_last, diff_named};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;
use mem_core::host_user::HostUser;

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

/// Prints a unified diff of every file that differs.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let (user, revision) = (args.user.as_ref(), args.revision.as_deref());
    let sides = match &args.name {
        Some(name) => diff_named(name, revision, user, args.global, &place, context)?,
        None => {
            let store = context.store_of(user, &place, args.global)?;
            diff_last(&store, &place, context)?
        }
    };
    let printer = &context.printer;
    if printer.json {
        let files: Vec<Value> = sides.iter().map(diff_json).collect();
        printer.print_json(&json!({ "files": files }))?;
        return Ok(Exit::Ok);
    }
    let text: String = sides.iter().map(render_unified).collect();
    if text.is_empty() {
        printer.say("nothing differs");
    } else {
        printer.line(paint_diff(&text))?;
    }
    Ok(Exit::Ok)
}

fn render_unified(diff: &FileDiff) -> String {
    let renamed = match &diff.renamed_from {
        Some(from) => format!("rename from {from}\nrename to {}\n", diff.file),
        None => String::new(),
    };
    renamed + &diff.unified()
}

fn diff_json(diff: &FileDiff) -> Value {
    json!({ "file": diff.file, "renamed_from": diff.renamed_from, "diff": diff.unified() })
}
