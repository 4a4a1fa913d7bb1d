//! `mem team logout`: forget the token for a server.

use anyhow::Result;
use mem_team::address::ServerAddress;
use mem_team::tokens;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Forget the token for the server
///
/// The server still knows it: have it revoked where it may have leaked (`mem server token revoke`).
///
/// With --json: {"server","removed","dry_run"}.
///
/// Example: mem team logout
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address [default: that of the settings, else the only one that a token is kept for]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Removes the token's file.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let server = server_to_forget(args.server.as_deref(), context)?;
    let dirs = context.dirs()?;
    let was_there = match args.dry_run {
        true => tokens::is_kept(&server, dirs),
        false => tokens::forget_token(&server, dirs)?,
    };
    context.print_answer(
        &json!({
            "server": server.origin, "removed": was_there, "dry_run": args.dry_run,
        }),
        match (was_there, args.dry_run) {
            (true, true) => format!("would forget the token for {}", server.origin),
            (true, false) => format!("the token for {} is forgotten", server.origin),
            (false, _) => format!("there was no token for {}", server.origin),
        },
    )
}

/// The server that was named, that of the settings, or the only one that a token is kept for.
fn server_to_forget(named: Option<&str>, context: &Context) -> Result<ServerAddress> {
    let place = context.place()?;
    if named.is_some() || !place.config.values.team.remote.is_empty() {
        return super::login::server_address(named, &place);
    }
    let mut kept = tokens::servers(context.dirs()?);
    match (kept.pop(), kept.as_slice()) {
        (Some(only), []) => Ok(only),
        (Some(last), others) => {
            let named = others.iter().chain([&last]);
            let named = named.map(|one| format!("`mem team logout --server {}`", one.origin));
            let hint = format!("name one: {}", named.collect::<Vec<_>>().join(", "));
            Err(UsageError::new("tokens are kept for several servers", hint).into())
        }
        (None, _) => {
            let hint = "`mem team login --server URL` keeps one";
            Err(UsageError::new("no token is kept here", hint).into())
        }
    }
}
