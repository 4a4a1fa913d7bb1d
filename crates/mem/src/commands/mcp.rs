//! `mem mcp`: a server of the Model Context Protocol.

use anyhow::Result;
use mem_core::Scope;

use crate::context::Context;
use crate::exit::Exit;
use mem_core::host_user::HostUser;
use mem_hosts::{HostScope, Installation, InstallationKind, McpClient, ProgramDirs};
use mem_tools::mcp::{self, ClientPermissions};

/// Serve the memories to a client of the Model Context Protocol
///
/// Speaks JSON-RPC over standard input and output until the client goes; a client starts it by
/// itself once `mem install mcp --client NAME` has told it to. Serves the memory of the directory
/// that it is started in (`-C DIR` for another one). Whatever a client writes passes the same gates
/// as everything else, is recorded as an agent's, and can be undone.
///
/// Example: mem mcp --read-only --scope private --scope team
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Write nothing: tools that write are not even listed
    #[arg(long)]
    read_only: bool,
    /// Only this tier: private, team or global; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<Scope>,
    /// Serve the records of this user of a host, and nothing else
    #[arg(long, value_name = "USER", conflicts_with = "scopes")]
    user: Option<HostUser>,
    /// Offer nothing where the settings of Claude Code have the server already: its plugin starts this
    #[arg(long, hide = true)]
    plugin: bool,
}

/// Serves until the client goes.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.plugin && is_in_settings(context) {
        mcp::serve_nothing()?;
        return Ok(Exit::Ok);
    }
    // A user of a host has no tier of the project, with none of its notes and resources.
    let is_open = args.user.is_none();
    let wanted = |scope: &Scope| is_open && (args.scopes.is_empty() || args.scopes.contains(scope));
    let terms = ClientPermissions {
        is_read_only: args.read_only,
        scopes: Scope::ALL.into_iter().filter(wanted).collect(),
        user: args.user.clone(),
    };
    mcp::serve_client(context.tools.clone(), terms)?;
    Ok(Exit::Ok)
}

/// Whether `mem install mcp --client claude` has entered the server, with a program that is there: every tool would be
/// listed twice. The entry of a project counts once a person has allowed it, which only the host knows.
fn is_in_settings(context: &Context) -> bool {
    let Ok(dirs) = context.dirs() else {
        return false;
    };
    let places = ProgramDirs {
        dirs,
        env: &context.env,
        project: &context.cwd,
    };
    let path = McpClient::Claude.file(HostScope::User, &places);
    path.is_ok_and(|path| {
        let what = InstallationKind::Server(McpClient::Claude);
        Installation { what, path }.is_running()
    })
}
