//! `mem record`: structured memories.

pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod retrieve;
pub(crate) mod store;

use anyhow::Result;
use mem_core::Scope;
use mem_records::{InvalidRecord, title};

use crate::sanitize::clean;
use crate::usage::UsageError;
use mem_core::host_user::{HostUser, undo_command};

crate::table::noun! {
    /// Store, retrieve and delete structured memories
    ///
    /// A record is a content with a category, tags, an importance from 1 to 5 and perhaps an end: a topic
    /// file like every other memory, made from the content. What says about the same as a record of its
    /// category takes its place. Categories and the types of their files: user_preference and relationship
    /// (user), project_context, decision_log and task_progress (project), factual_knowledge (reference).
    ///
    /// With `records.backend` at qdrant, records are kept in a Qdrant (`records.qdrant_url`, its key in
    /// MEM_QDRANT_API_KEY) in a collection for each project and user. They are no memories like the others there: no tier,
    /// history, `mem undo`, `mem log-audit`, recall, `mem prune` or `mem erase`; deleting the collection erases them. What
    /// holds a secret is refused.
    struct Args;
    "Records" {
        store => "Store a record",
        retrieve => "Retrieve the records that fit a query",
        list => "List records",
        delete => "Delete a record",
    }
}

/// Reads what was typed. What is no record, id or query was not understood, as any other word of a command line.
fn usage_error<T>(read: Result<T, InvalidRecord>) -> Result<T, UsageError> {
    read.map_err(|error| {
        let hint = "`mem record list` has the ids";
        match &error {
            InvalidRecord::Id(_) => UsageError::new(error.to_string(), hint),
            error => UsageError::invalid_value(error),
        }
    })
}

/// A content in a line of output, cut and without secrets.
fn brief_content(content: &str) -> String {
    let line = title::description(&mem_secrets::redacted(content));
    clean(&line).into_owned()
}

/// Whose records.
#[derive(clap::Args, Debug)]
struct Whose {
    /// The records of this user of a host, apart from the project's and from everybody else's
    #[arg(long, value_name = "USER")]
    user: Option<HostUser>,
}

impl Whose {
    /// The command that takes back what was done to a tier of theirs.
    fn undo_command(&self, scope: Scope) -> String {
        undo_command(self.user.as_ref(), scope)
    }
}
