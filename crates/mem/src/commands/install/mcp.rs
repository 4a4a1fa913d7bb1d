//! `mem install mcp`: the entry of the MCP server in a client's settings.

use anyhow::Result;

use super::InstallReport;
use super::values::{parse_client, parse_scope};
use crate::context::Context;
use crate::exit::Exit;
use mem_hosts::{HostScope, Installation, InstallationKind, McpClient};

/// Enter the MCP server in a client's settings
///
/// Writes where each client documents it: Claude Code `~/.claude.json` or `.mcp.json`, Codex
/// `config.toml` in `~/.codex` or `.codex`, Cursor `mcp.json` in `~/.cursor` or `.cursor`, Gemini CLI
/// `settings.json` in `~/.gemini` or `.gemini`, Visual Studio Code `.vscode/mcp.json`.
///
/// Example: mem install mcp --client codex
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    target: ClientTarget,
    /// Let the client only read
    #[arg(long)]
    read_only: bool,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

/// Which client, and whose settings of it.
#[derive(clap::Args, Debug)]
pub(crate) struct ClientTarget {
    /// The client
    #[arg(long, value_parser = parse_client())]
    client: McpClient,
    /// Whose settings: user (all your projects) or project (all who work on it)
    /// [default: user; project for vscode]
    #[arg(long, hide_possible_values = true, value_parser = parse_scope())]
    scope: Option<HostScope>,
}

impl ClientTarget {
    /// The scope that was said, or the client's own.
    pub(crate) fn host_scope(&self) -> HostScope {
        self.scope.unwrap_or_else(|| self.client.default_scope())
    }

    /// The entry in its file.
    ///
    /// # Errors
    /// The client has no file for the scope; there is no home directory, or no project.
    pub(crate) fn client_installation(&self, context: &Context) -> Result<Installation> {
        let what = InstallationKind::Server(self.client);
        Ok(Installation::for_run(what, self.host_scope(), context)?)
    }
}

/// Enters the server, or prints how.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let report = InstallReport {
        installation: args.target.client_installation(context)?,
        scope: args.target.host_scope(),
        is_read_only: args.read_only,
        on_failure: None,
        next: format!(
            "restart {} to make it take effect",
            args.target.client.name()
        ),
    };
    report.carry_out(context, args.print)
}
