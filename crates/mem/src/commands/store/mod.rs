//! `mem store`: stores of versioned memories, at any server of the memory stores API.

pub(crate) mod archive;
pub(crate) mod cat;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod memories;
pub(crate) mod mv;
pub(crate) mod put;
pub(crate) mod redact;
pub(crate) mod rm;
pub(crate) mod rollback;
pub(crate) mod show;
pub(crate) mod update;
pub(crate) mod versions;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_scan::outbound::OutboundScanner;
use mem_stores::client::edits::require_open;
use mem_stores::client::{Blocking, Patience, StoresClient, name_lookup};
use mem_stores::wire::MemoryStore;

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::one_line;
use mem_team::stores_server::StoresServer;

crate::table::commands! {
    "Stores" {
        create => "Make a store",
        list => "List the stores",
        show => "Show what is known of a store",
        update => "Change the name, description or metadata of a store",
        archive => "Close a store for good; it can still be read",
        delete => "Delete a store with all its memories and versions",
        import => "Fill a store from a directory",
        export => "Copy all memories of a store into a directory",
    }
    "Memories" {
        memories => "List the memories of a store",
        cat => "Print a memory",
        put => "Write a memory",
        mv => "Move a memory to another path",
        rm => "Delete a memory; its versions stay",
        versions => "List the versions, the newest first",
        diff => "Show how two versions differ",
        rollback => "Write an old version anew",
        redact => "Take the content of a version out for good",
    }
}

/// Work with stores of versioned memories
///
/// Talks to any server of the memory stores API: `mem serve`, or the vendor's. The server is that of
/// --base-url, else of the setting stores.base_url, else `https://api.anthropic.com` where ANTHROPIC_API_KEY is set.
/// That key goes there alone; for another server `mem team login --server URL` keeps one. A STORE is an id, or a
/// name that only one store has. What is written is scanned for secrets first.
///
/// Example: mem store create "User preferences" --description "What each user likes"
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}

/// Which server.
#[derive(clap::Args, Debug)]
pub(crate) struct At {
    /// The server's address, as SDKs take it
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// A store of a server.
#[derive(clap::Args, Debug)]
pub(crate) struct StoreArgs {
    /// The id or the name of the store
    #[arg(value_name = "STORE")]
    store: String,
    #[command(flatten)]
    at: At,
}

impl StoreArgs {
    /// The server, open for looking, and the store.
    fn open_named_store<'c>(
        &self,
        context: &'c Context,
    ) -> Result<(StoreCommandContext<'c>, MemoryStore)> {
        let desk = self.at.open_server(context)?;
        let store = desk.find_store(&self.store)?;
        Ok((desk, store))
    }
}

/// A store that something is done to for good.
#[derive(clap::Args, Debug)]
pub(crate) struct ForGood {
    #[command(flatten)]
    of: StoreArgs,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl ForGood {
    /// The server and the store, once a person wants that; `question` is given what the store is called.
    fn open_confirmed<'c>(
        &self,
        question: impl FnOnce(&str) -> String,
        context: &'c Context,
    ) -> Result<(StoreCommandContext<'c>, MemoryStore)> {
        let (desk, store) = self.of.open_named_store(context)?;
        context.require_confirmation(&question(&one_line(&store.name)), self.yes)?;
        Ok((desk, store))
    }
}

/// A server that is open for one command.
struct StoreCommandContext<'c> {
    context: &'c Context,
    place: ProjectContext,
    client: Blocking,
}

impl At {
    /// Opens the server for looking.
    fn open_server<'c>(&self, context: &'c Context) -> Result<StoreCommandContext<'c>> {
        let place = context.place()?;
        let asked = StoresServer::choose(self.base_url.as_deref(), &place, context)?;
        let client = asked.open_client(&place, context, Patience::default())?;
        Ok(StoreCommandContext {
            context,
            place,
            client,
        })
    }

    /// Opens it for changing something.
    fn open_to_write<'c>(&self, context: &'c Context) -> Result<StoreCommandContext<'c>> {
        let desk = self.open_server(context)?;
        context.require_person_to_store(&desk.place)?;
        Ok(desk)
    }
}

impl StoreCommandContext<'_> {
    /// Asks the server, and says so on a terminal where it takes long.
    fn ask_server<'d, T, F>(
        &'d self,
        text: &'static str,
        ask: impl FnOnce(&'d StoresClient) -> F,
    ) -> T
    where
        F: Future<Output = T> + 'd,
    {
        let _progress = Progress::saying(&self.context.printer, text);
        self.client.run(ask)
    }

    /// The store that is named.
    fn find_store(&self, named: &str) -> Result<MemoryStore> {
        Ok(self.ask_server("asking for the store", |client| {
            name_lookup::find_store(client, named)
        })?)
    }

    /// The same, which has to be open.
    fn open_store(&self, named: &str) -> Result<MemoryStore> {
        Ok(require_open(self.find_store(named)?)?)
    }

    /// What may leave.
    fn outbound_scanner(&self) -> Result<OutboundScanner> {
        Ok(OutboundScanner::for_project(
            &self.place.project,
            self.context.dirs()?,
        )?)
    }
}
