//! A user of a server, in its database.

use anyhow::Result;
use mem_core::erasure::{Traces, Unended};
use mem_server::storage::{Database, DoomedUser, StorageError};
use serde_json::{Value, json};

use super::listed::Listed;
use super::{Args, UNENDED, database, proof, store};
use crate::commands::server::workspace::{self, WorkspaceError};
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key;
use crate::usage::UsageError;

/// The workspace that is meant where none is named.
const WORKSPACE: &str = "default";

/// Lists, asks, erases, looks through the files of the database.
pub(super) fn run(args: &Args, name: &str, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let workspace = args.workspace.as_deref().unwrap_or(WORKSPACE);
    let source = master_key::source(context)?;
    let look = async |database: &Database| match workspace::find(database, workspace).await? {
        Some(found) => database.doomed_user(&found.id, name).await.map(Some),
        None => Ok(None),
    };
    let user = args.place.with_keys(context, source, look)?;
    let user = user.ok_or_else(|| WorkspaceError::Unknown(workspace.to_owned()))?;
    let what = ["user", &user.workspace, name];
    let unended = database::unended(args, context, &what)?;
    if user.is_nothing() && !unended.is_there() {
        let hint =
            "`mem server token list` has the names of tokens; --workspace names another workspace";
        return Err(UsageError::new("nothing is kept there for this user", hint).into());
    }
    let listed = Listed::at_server(lines(&user, &unended), shape(&user));
    if !listed.is_to_go(
        "erase all of this for good?",
        args.dry_run,
        args.yes,
        context,
    )? {
        return Ok(Exit::Ok);
    }
    let now = context.now.0;
    let gather = async |database: &Database| {
        // What came while somebody was asked goes too.
        let user = database.doomed_user(&user.workspace, name).await?;
        Ok((traces(database, &user).await?, user))
    };
    let erase = async |database: &Database, user: DoomedUser| {
        database.erase_user(&user, now).await?;
        let left = database.doomed_user(&user.workspace, name).await?;
        let naming = database.stores_naming(&user.workspace, name).await?;
        Ok((left, naming))
    };
    let (traces, mut found, (left, naming)) =
        database::erased(args, context, unended, gather, erase)?;
    found.stays.extend(naming.iter().map(|store| {
        format!("name, description or metadata of `{store}`, which name the user: `mem store update {store}`")
    }));
    let exit = proof::tell(args, context, &listed.shape, &traces, &found)?;
    if left.is_nothing() {
        return Ok(exit);
    }
    let again = "something of theirs was written meanwhile: run it again";
    context.printer.warn(again);
    Ok(Exit::Failure)
}

async fn traces(database: &Database, user: &DoomedUser) -> Result<Traces, StorageError> {
    let (mut ids, mut contents) = (Vec::new(), Traces::default());
    let id = |id: &str| ids.push(id.to_owned());
    let content = |content: &str| contents.add_content(content.as_bytes());
    database.show_user(user, id, content).await?;
    for id in ids {
        contents.add_id(&id);
    }
    Ok(contents)
}

fn lines(user: &DoomedUser, unended: &Unended) -> Vec<String> {
    let mut lines = Vec::new();
    if unended.is_there() {
        lines.push(UNENDED.to_owned());
    }
    for records in &user.records {
        let (memories, versions) = (records.memories, records.versions);
        lines.push(format!("records: {memories} memories, {versions} versions"));
    }
    if user.trail > 0 {
        lines.push(format!(
            "records that went: {} entries of the audit trail",
            user.trail
        ));
    }
    let alone = user.alone.iter().map(store::line);
    lines.extend(alone.map(|line| format!("{line}, nobody else's")));
    if user.versions > 0 {
        lines.push(format!(
            "where others write too: {} memories go, {} go back to what somebody else wrote last, {} versions lose \
             their content",
            user.going(),
            user.going_back(),
            user.versions
        ));
    }
    if user.tokens > 0 {
        lines.push(format!("{} tokens", user.tokens));
    }
    lines
}

fn shape(user: &DoomedUser) -> Value {
    let all = |stores: &[_]| stores.iter().map(store::shape).collect::<Vec<_>>();
    json!({
        "workspace": user.workspace, "records": all(&user.records), "trail": user.trail, "stores": all(&user.alone),
        "memories": user.going(), "memories_back": user.going_back(), "versions": user.versions,
        "tokens": user.tokens,
    })
}
