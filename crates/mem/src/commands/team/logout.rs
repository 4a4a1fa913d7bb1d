//! `mem team logout`: forget the token for a server.

use anyhow::Result;
use mem_team::tokens;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Forget the token for the server
///
/// The server still knows it: have it revoked where it may have leaked (`mem server token revoke`).
///
/// With --json: {"server","removed","dry_run"}.
///
/// Example: mem team logout
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address; that of the settings if it is not given
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Removes the token's file.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let server = super::login::server_address(args.server.as_deref(), &context.place()?)?;
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
