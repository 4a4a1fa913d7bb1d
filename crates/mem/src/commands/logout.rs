//! `mem logout`: end the session of a server.

use std::time::Duration;

use anyhow::Result;
use mem_team::identity::{IdentityClient, LoginError};
use mem_team::tokens;
use serde_json::json;

use super::team::login::server_address;
use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;

/// For the server to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sign out of a server
///
/// Ends the session at the server, at once, and removes it here. A token that `mem team login` keeps is
/// removed here too, and stays valid at the server. A server that does not answer within 10 seconds cannot be
/// told: the session is removed here, and stays valid at the server until it ends by itself (exit code 5).
///
/// With --json: {"server","ended","removed"}.
///
/// Example: mem logout
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address; that of the settings if it is not given
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Remove the session here without asking the server to end it
    #[arg(long)]
    local: bool,
}

/// Ends it there, and removes it here.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let server = server_address(args.server.as_deref(), &context.place()?)?;
    let dirs = context.dirs()?;
    // What cannot be read is removed all the same with --local.
    let token = match args.local {
        true => None,
        false => tokens::kept_for(&server, dirs)?,
    };
    let ended = match token {
        None => Ok(false),
        Some(token) => {
            tokens::refuse_listeners(&server)?;
            let origin = server.origin.clone();
            let _waiting = Progress::waiting(&context.printer, "signing out", origin);
            IdentityClient::open(&server, PATIENCE)?.end(&token)
        }
    };
    // A server that refuses says why, and can be asked again.
    let ended = match ended {
        Err(refused @ LoginError::Refused(_)) => return Err(refused.into()),
        ended => ended,
    };
    let removed = tokens::forget_token(&server, dirs)?;
    let ended = ended.map_err(LoginError::into_untold)?;
    let origin = &server.origin;
    context.print_answer(
        &json!({ "server": origin, "ended": ended, "removed": removed }),
        match (ended, removed) {
            (true, _) => format!("signed out of {origin}"),
            (false, true) => format!("the token for {origin} is removed here"),
            (false, false) => format!("there was no token for {origin}"),
        },
    )
}
