//! `mem detach`: take a store away from the agents of a repository.

use anyhow::Result;
use serde_json::{Value, json};

use crate::attached::copy::Copy;
use crate::attached::error::AttachError;
use crate::attached::resources;
use crate::context::Context;
use crate::counted::counted;
use crate::exit::Exit;
use crate::person::ForAPerson;
use crate::sanitize::one_line;

/// Take a store away again
///
/// The store itself stays as it is; its offline copy here goes. What has not been sent yet, and texts that gave
/// way, keep it from going unless --discard is given. With --json: {"detached":{as in `mem attachments`}}.
///
/// Example: mem detach release-notes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Its folder below /memories, its id or its name
    #[arg(value_name = "STORE")]
    store: String,
    /// Give up what only stands here
    #[arg(long)]
    discard: bool,
}

/// Takes it out.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Sharing)?;
    let book = context.book(&context.place()?)?;
    let attachment = book.find(&args.store)?;
    let copy = Copy::of(&attachment, &book);
    let (waiting, aside) = (copy.waiting().paths.len(), copy.standing().aside.len());
    if waiting + aside > 0 && !args.discard {
        let what = match (waiting, aside) {
            (0, aside) => counted(aside, "text that gave way", "texts that gave way"),
            (waiting, _) => counted(waiting, "change", "changes"),
        };
        return Err(AttachError::Unsent(what).into());
    }
    // First the entry: a copy without one is nobody's.
    book.remove(&attachment)?;
    copy.remove()?;
    let printer = &context.printer;
    match printer.json {
        true => {
            let shape = Value::Object(resources::shape(&attachment));
            printer.json(&json!({ "detached": shape }))?;
        }
        false => printer.line(format_args!(
            "{} is no longer at {}",
            one_line(&attachment.name),
            attachment.mount()
        ))?,
    }
    Ok(Exit::Ok)
}
