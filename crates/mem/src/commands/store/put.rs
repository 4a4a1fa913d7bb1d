//! `mem store put`.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_stores::client::edits::require_free;
use mem_stores::path::with_first_slash;
use mem_stores::{StorePath, rules};
use serde_json::json;

use super::StoreArgs;
use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// Write a memory
///
/// Makes one at the path, or gives the one that is there another content: only if nobody changes it meanwhile.
/// The text is that of --body, or of standard input. With --json: {"memory":{as the server shows it},"created"}.
///
/// Example: mem store put "Release notes" /2026/spring.md < spring.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// Where, such as /notes/release.md
    #[arg(value_name = "PATH")]
    path: String,
    /// The text; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// Only make one; never replace
    #[arg(long, conflicts_with = "if_sha256")]
    new: bool,
    /// Only replace a content with this sha256
    #[arg(long, value_name = "SHA256")]
    if_sha256: Option<Sha256>,
}

/// Looks at what is there, and writes on that condition.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let path = StorePath::parse(&with_first_slash(&args.path))?;
    require_free(&path)?;
    let content = body::read(args.body.as_deref())?;
    rules::content(&content)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), &content)?;
    let store = desk.open_store(&args.of.store)?;
    let (replace, expected) = (!args.new, args.if_sha256);
    let (memory, created) = desk.ask_server("writing the memory", |client| {
        client.put_text(&store.id, &path, content, replace, expected)
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}
