//! `mem detach`: take a store away from the agents of a repository.

use anyhow::Result;
use mem_stores::attached::{AttachmentFile, OfflineCopy, resources};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
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
    let list = AttachmentFile::for_place(&context.place()?, context)?;
    let attachment = list.find_attachment(&args.store)?;
    let copy = OfflineCopy::for_attachment(&attachment, &list);
    if !args.discard {
        copy.require_settled(&attachment, &list)?;
    }
    // First the entry: a copy without one is nobody's.
    list.remove_attachment(&attachment)?;
    copy.remove_copy()?;
    let text = format!(
        "{} is no longer at {}",
        one_line(&attachment.name),
        attachment.mount_path()
    );
    let shape = Value::Object(resources::attachment_json(&attachment));
    context.print_answer(&json!({ "detached": shape }), text)
}
