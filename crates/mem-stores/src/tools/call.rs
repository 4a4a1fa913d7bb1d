//! One call of a tool: its arguments, its store, its answer.

use serde_json::Value;

use super::arguments::{self, ArgumentMap, MemoryWrite, StoreToolCall, TextEdit};
use super::store::{OpenStore, StorePage, ToolAccess, ToolStores, ToolWrite};
use super::{ToolDefinition, ToolError, answer, edit};

/// An edit that says no precondition is made again on what somebody else left, so many times.
const EDITS_MAX: usize = 64;

/// Carries out a call.
///
/// # Errors
/// See [`ToolError`]; nothing was changed, but for [`ToolError::Unavailable`], after which it may have been.
pub async fn call(
    tool: ToolDefinition,
    given: ArgumentMap,
    stores: &impl ToolStores,
) -> Result<Value, ToolError> {
    let (named, call) = arguments::read(tool, given)?;
    require_free(&call)?;
    let access = match tool.writes() {
        true => ToolAccess::Write,
        false => ToolAccess::Read,
    };
    let store = stores.open(named.as_deref(), access).await?;
    let name = store.name();
    Ok(match call {
        StoreToolCall::List(asked) => {
            let one_more = StorePage {
                limit: asked.limit + 1,
                ..asked.clone()
            };
            answer::list(name, &asked, store.list(&one_more).await?)
        }
        StoreToolCall::Search(asked) => answer::found(name, &store.search(&asked).await?),
        StoreToolCall::Read(path) => {
            let memory = store.read(&path).await?;
            let missing = || ToolError::NotFound(path.as_str().to_owned());
            answer::memory(name, &memory.ok_or_else(missing)?)
        }
        StoreToolCall::Write(write) => {
            let written = store.write(&write.path, write.content, write.expected);
            answer::written(name, &written.await?)
        }
        StoreToolCall::Edit(asked) => answer::written(name, &edited(&store, &asked).await?),
        StoreToolCall::Delete(path, expected) => {
            store.delete(&path, expected).await?;
            answer::deleted(name, &path)
        }
    })
}

/// Refuses to write what the SDKs would take for their own. Reading and deleting what somebody else wrote there is
/// fine.
fn require_free(call: &StoreToolCall) -> Result<(), ToolError> {
    match call {
        StoreToolCall::Write(MemoryWrite { path, .. })
        | StoreToolCall::Edit(TextEdit { path, .. })
            if path.is_reserved() =>
        {
            Err(ToolError::Reserved(path.as_str().to_owned()))
        }
        _ => Ok(()),
    }
}

/// Reads, replaces and writes on the condition that nobody wrote in between.
async fn edited(store: &impl OpenStore, asked: &TextEdit) -> Result<ToolWrite, ToolError> {
    let path = asked.path.as_str();
    let mut tries = 1;
    loop {
        let memory = store.read(&asked.path).await?;
        let memory = memory.ok_or_else(|| ToolError::NotFound(path.to_owned()))?;
        let is = memory.info.sha256;
        if asked.expected.is_some_and(|expected| expected != is) {
            return Err(ToolError::Stale {
                path: path.to_owned(),
                is: Some(is),
            });
        }
        let content = edit::replaced(&memory.content, &asked.old, &asked.new);
        let content = content.map_err(|count| ToolError::NotOnce {
            path: path.to_owned(),
            count,
        })?;
        arguments::check_size(&content)?;
        match store.write(&asked.path, content, Some(is)).await {
            Err(ToolError::Stale { .. }) if asked.expected.is_none() && tries < EDITS_MAX => {
                tries += 1;
            }
            written => return written,
        }
    }
}
