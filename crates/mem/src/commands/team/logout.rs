//! `mem team logout`: forget the token for a server.

use anyhow::Result;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::person::ForAPerson;
use crate::team::tokens;

/// Forget the token for the server
///
/// The server still knows it: have it revoked where it may have leaked (`mem server token revoke`).
///
/// Example: mem team logout
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address; that of the settings if it is not given
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

/// Removes the token's file.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Sharing)?;
    let server = super::login::server(args.server.as_deref(), &context.place()?)?;
    let was_there = tokens::forget(&server, context.dirs()?)?;
    let printer = &context.printer;
    if printer.json {
        printer.json(&json!({ "server": server.origin, "removed": was_there }))?;
        return Ok(Exit::Ok);
    }
    printer.line(match was_there {
        true => format!("the token for {} is forgotten", server.origin),
        false => format!("there was no token for {}", server.origin),
    })?;
    Ok(Exit::Ok)
}
