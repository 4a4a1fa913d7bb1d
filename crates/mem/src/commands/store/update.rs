//! `mem store update`.

use anyhow::Result;
use mem_stores::wire::UpdateStore;

use super::StoreArgs;
use super::create::parse_pairs;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;
use crate::usage::UsageError;

/// Change the name, description or metadata of a store
///
/// What is not given stays. With --json: the store as the server shows it.
///
/// Example: mem store update "Release notes" --metadata team=core --without-metadata draft
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// Another name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Another description; an empty one takes it away
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Set a pair; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    metadata: Vec<String>,
    /// Take a pair away; may be given several times
    #[arg(long, value_name = "KEY")]
    without_metadata: Vec<String>,
}

/// Changes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let set = parse_pairs(&args.metadata)?;
    let set = set.into_iter().map(|(key, value)| (key, Some(value)));
    let gone = args.without_metadata.iter().map(|key| (key.clone(), None));
    let change = UpdateStore {
        name: args.name.clone(),
        description: args.description.clone(),
        metadata: set.chain(gone).collect(),
    };
    if change == UpdateStore::default() {
        let hint = "give --name, --description, --metadata or --without-metadata";
        return Err(UsageError::new("nothing to change", hint).into());
    }
    change.check()?;
    let desk = args.of.at.open_to_write(context)?;
    let texts = [&change.name, &change.description];
    let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
    // A key that goes may well be a secret that somebody put there.
    let set = change.metadata.iter();
    let set = set.filter_map(|(key, value)| Some((key, value.as_ref()?)));
    desk.outbound_scanner()?.require_of_store(&texts, set)?;
    let store = desk.open_store(&args.of.store)?;
    let store = desk.ask_server("changing the store", |client| {
        client.update_store(&store.id, &change)
    })?;
    context.print_answer(&store, shape::store_lines(&store))
}
