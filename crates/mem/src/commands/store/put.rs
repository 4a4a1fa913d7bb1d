//! `mem store put`.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_stores::client::named::{self, NamedError};
use mem_stores::path::with_first_slash;
use mem_stores::wire::{CreateMemory, Precondition, StoreMemory, UpdateMemory};
use mem_stores::{StorePath, rules};
use serde_json::json;

use super::StoreArgs;
use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::error::StoreCommandError;
use crate::stores::{reserved, shape};

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
    reserved::require_free(&path)?;
    let content = body::read(args.body.as_deref())?;
    rules::content(&content)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), &content)?;
    let store = desk.open_store(&args.of.store)?;
    let (memory, created) = desk.ask_server("writing the memory", |client| async {
        let there = match args.new {
            true => None,
            false => named::memory_at(client, &store.id, &path).await?,
        };
        let Some(there) = there else {
            if args.if_sha256.is_some() {
                return Err(NamedError::NoMemory(path.as_str().to_owned()).into());
            }
            let new = CreateMemory {
                path: path.clone(),
                content,
                precondition: None,
            };
            let memory = client.create_memory(&store.id, &new).await?;
            return anyhow::Ok((memory, true));
        };
        let change = UpdateMemory {
            content: Some(content),
            path: None,
            precondition: Some(write_precondition(args.if_sha256, &there)?),
        };
        let memory = client.update_memory(&store.id, &there.id, &change).await?;
        Ok((memory, false))
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}

/// What has to be there still: what was expected, else what was read just now.
///
/// # Errors
/// What was read is not what was expected.
pub(super) fn write_precondition(
    expected: Option<Sha256>,
    there: &StoreMemory,
) -> Result<Precondition, StoreCommandError> {
    let content_sha256 = there.content_sha256.clone();
    match expected {
        Some(expected) if expected.to_string() != content_sha256 => Err(StoreCommandError::Stale {
            path: there.path.clone(),
            is: content_sha256,
        }),
        _ => Ok(Precondition::ContentSha256 { content_sha256 }),
    }
}
