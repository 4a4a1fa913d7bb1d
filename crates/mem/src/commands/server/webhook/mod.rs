//! `mem server webhook`: who is told what happens.

mod create;
mod dead;
mod delete;
mod list;
mod retry;
mod rotate;
mod test;

use anyhow::Result;
use mem_server::storage::{StorageError, WebhookError};

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

crate::table::commands! {
    "Commands" {
        create => "Make a webhook and print its secret, once",
        list => "List the webhooks and how they do",
        test => "Send a test event to a webhook",
        rotate => "Make a new secret for a webhook",
        dead => "List what could not be delivered to a webhook",
        retry => "Deliver again what could not be delivered",
        delete => "Delete a webhook",
    }
}

/// Make, list, test and delete webhooks
///
/// A webhook is an address that a running server tells what happens in one workspace: stores and memories
/// that are made, changed, deleted or redacted, and conflicts. It is told ids, paths and who, never contents.
/// Deliveries are signed as Standard Webhooks has it. docs/events.md describes them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}

/// The id of a webhook. A secret that was given by mistake is not to be repeated.
fn parse_id(text: &str) -> Result<String, String> {
    let is_id = text
        .strip_prefix("webhook_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric()));
    match is_id {
        true => Ok(text.to_owned()),
        false => Err("`mem server webhook list` has the ids, webhook_...".to_owned()),
    }
}

/// A database that answers, apart from what it answers.
fn split<T>(done: Result<T, WebhookError>) -> Result<Result<T, WebhookError>, StorageError> {
    match done {
        Err(WebhookError::Storage(error)) => Err(error),
        done => Ok(done),
    }
}

fn description(text: &str) -> Result<String, UsageError> {
    mem_server::access::secret::name(text).ok_or_else(|| {
        let hint = "write at most 100 characters, on one line";
        UsageError::new("the description of the webhook is not one", hint)
    })
}
