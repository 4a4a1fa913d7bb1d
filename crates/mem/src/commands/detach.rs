//! `mem detach`: take a store away from the agents of a repository.

use anyhow::Result;
use mem_stores::attached::{
    AttachError, Attachment, AttachmentFile, OfflineCopy, StoreAccess, resources,
};
use serde_json::{Value, json};

use crate::context::Context;
use crate::counted::format_count;
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
    let list = context.attachment_file(&context.place()?)?;
    let attachment = list.find_attachment(&args.store)?;
    let copy = OfflineCopy::for_attachment(&attachment, &list);
    if !args.discard {
        require_empty(&attachment, &list, &copy)?;
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

/// Refuses to lose what only stands here, and says what can be done about it.
fn require_empty(
    attachment: &Attachment,
    list: &AttachmentFile,
    copy: &OfflineCopy,
) -> Result<(), AttachError> {
    let (waiting, status) = (copy.unsent_changes().paths.len(), copy.read_status());
    if waiting == 0 {
        let aside = status.aside.len();
        let what = format_count(aside, "text that gave way", "texts that gave way");
        return match aside {
            0 => Ok(()),
            _ => Err(AttachError::GaveWay(what)),
        };
    }
    let what = format_count(waiting, "change", "changes");
    let why = if attachment.access == StoreAccess::ReadOnly {
        "nothing is sent to a store that is read only"
    } else if status.is_archived {
        "the store is archived"
    } else if status.is_turned_away {
        "it has no such store, or not for this key"
    } else if !copy.has_unsent() {
        "does not take it"
    } else {
        return Err(AttachError::Unsent(what));
    };
    let folder = list.view_folder().join(&attachment.slug);
    let folder = folder.to_string_lossy().into_owned();
    Err(AttachError::Stuck { what, why, folder })
}
