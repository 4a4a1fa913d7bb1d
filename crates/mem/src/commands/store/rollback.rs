//! `mem store rollback`.

use anyhow::Result;
use mem_stores::client::edits::require_content;
use mem_stores::wire::ContentView;
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// Write an old version anew
///
/// The memory gets the content of the version, as a new version: only if nobody changes it meanwhile. One that
/// was deleted is made again at the path of the version. With --json: {"memory":{as the server shows it},
/// "created"}.
///
/// Example: mem store rollback "Release notes" memver_01A
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
}

/// Looks at the version and at the memory, and writes on that condition.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.of.at.open_to_write(context)?;
    let screen = desk.outbound_scanner()?;
    let store = desk.open_store(&args.of.store)?;
    let (memory, created) = desk.ask_server("writing the memory", |client| async {
        let version = client
            .version(&store.id, &args.version, ContentView::Full)
            .await?;
        // What was written when the rules were others is not written again unseen.
        let path = version.path.as_deref().unwrap_or_default();
        screen.require(path, require_content(&version)?)?;
        anyhow::Ok(client.roll_back(&store.id, &version).await?)
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}
