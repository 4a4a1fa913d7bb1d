//! `mem server webhook`: who is told what happens.

mod create;
mod dead;
mod delete;
mod list;
mod retry;
mod rotate;
mod test;

crate::table::noun! {
    /// Make, list, test and delete webhooks
    ///
    /// A webhook is an address that a running server tells what happens in one workspace: stores and memories
    /// that are made, changed, deleted or redacted, and conflicts. It is told ids, paths and who, never contents.
    /// Deliveries are signed as Standard Webhooks has it. docs/events.md describes them.
    struct Args;
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
