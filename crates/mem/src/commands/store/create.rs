//! `mem store create`.

use std::collections::BTreeMap;

use anyhow::Result;
use mem_stores::wire::CreateStore;

use super::At;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;
use crate::usage::UsageError;

/// Make a store
///
/// The description is what agents are told of it. With --json: the store as the server shows it.
///
/// Example: mem store create "Release notes" --description "What went out, and when" --metadata team=web
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What people call it; need not be unique
    #[arg(value_name = "NAME")]
    name: String,
    /// What agents are told of it
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    description: String,
    /// For programs; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    metadata: Vec<String>,
    #[command(flatten)]
    at: At,
}

/// Makes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let new = CreateStore {
        name: args.name.clone(),
        description: args.description.clone(),
        metadata: parse_pairs(&args.metadata)?,
    };
    new.check()?;
    let desk = args.at.open_to_write(context)?;
    let told = [new.name.as_str(), new.description.as_str()];
    desk.outbound_scanner()?
        .require_of_store(&told, new.metadata.iter())?;
    let store = desk.ask_server("making the store", |client| client.create_store(&new))?;
    context.print_answer(&store, shape::store_line(&store))
}

/// `KEY=VALUE`, each once.
pub(super) fn parse_pairs(given: &[String]) -> Result<BTreeMap<String, String>, UsageError> {
    let mut pairs = BTreeMap::new();
    for text in given {
        let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
        let Some((key, value)) = pair else {
            let hint = "write it as KEY=VALUE";
            return Err(UsageError::new("that is no pair of metadata", hint));
        };
        if pairs.insert(key.to_owned(), value.to_owned()).is_some() {
            let hint = "give each key once";
            return Err(UsageError::new("a key of metadata is there twice", hint));
        }
    }
    Ok(pairs)
}
