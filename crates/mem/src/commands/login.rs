//! `mem login`: sign in to a server with its identity provider.

use anyhow::Result;
use mem_team::address::ServerAddress;
use mem_team::identity::{ANSWER, IdentityClient, LoginError};
use mem_team::tokens;
use serde_json::json;

use super::team::login::server_address;
use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::clean;

/// Sign in to a server with its identity provider
///
/// Prints an address and a code for a web browser, here or on another device, and waits until you have
/// signed in there. The session is kept like the token of `mem team login`: in a file that only you can
/// read, and goes to that server alone. The server renews it; it ends with `mem logout`, with your account,
/// or when the server wants you to sign in again. The grants follow your groups at the identity provider.
///
/// With --json: a line {"verification_uri","user_code"}, then {"server","name","grants"}; with --status
/// {"server","name","kind","expires_at","renew_until","grants"}.
///
/// Example: mem login --server "$MEM_SERVER"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The server's address; that of the settings if it is not given
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The workspace, where your groups give access to several
    #[arg(long, value_name = "NAME", conflicts_with = "status")]
    workspace: Option<String>,
    /// Show who is signed in, and sign nobody in
    #[arg(long)]
    status: bool,
}

/// Signs in, or shows who is.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let server = server_address(args.server.as_deref(), &context.place()?)?;
    tokens::refuse_listeners(&server)?;
    let client = IdentityClient::open(&server, ANSWER)?;
    if args.status {
        return show_session(&server, &client, context);
    }
    let code = client.begin()?;
    let address = code
        .verification_uri_complete
        .as_ref()
        .unwrap_or(&code.verification_uri);
    if context.printer.json {
        context.printer.print_json(&json!({
            "verification_uri": address,
            "user_code": code.user_code,
        }))?;
    } else {
        context.printer.write_stderr(&format_args!(
            "open {} in a web browser and check that it shows the code {}",
            clean(address),
            clean(&code.user_code)
        ));
    }
    let session = client.wait(&code, args.workspace.as_deref())?;
    let (name, grants) = (clean(&session.name).into_owned(), session.grants.clone());
    let dirs = context.dirs()?;
    let before = tokens::kept_for(&server, dirs).ok().flatten();
    tokens::store_token(&server, dirs, &session.into_token())?;
    if let Some(before) = before
        && let Err(error) = client.end(&before)
    {
        // It ends by itself: the new session is what was asked for.
        context.say(format_args!(
            "the session of before is still valid: {error}"
        ));
    }
    mem_daemon::ask::reload_daemon(context);
    let line = format!("signed in to {} as {name}", server.origin);
    context.print_answer(
        &json!({ "server": server.origin, "name": name, "grants": grants }),
        line,
    )
}

fn show_session(
    server: &ServerAddress,
    client: &IdentityClient,
    context: &Context,
) -> Result<Exit> {
    let token = tokens::token_for(server, context.dirs()?, &context.env)?;
    let token = token.ok_or_else(|| LoginError::NotSignedIn(server.origin.clone()))?;
    let waiting = Progress::waiting(&context.printer, "asking the server", server.origin.clone());
    let session = client.session(&token)?;
    drop(waiting);
    let name = clean(&session.name);
    let origin = &server.origin;
    let line = match (&session.kind, &session.renew_until) {
        (None, _) => format!("{origin}: a token called {name}"),
        (Some(_), Some(until)) => {
            let until = clean(until);
            format!("{origin}: signed in as {name}, renewed until {until}")
        }
        (Some(_), None) => {
            let end = clean(session.expires_at.as_deref().unwrap_or_default());
            format!("{origin}: signed in as {name}, until {end}")
        }
    };
    let mut shown = serde_json::to_value(&session)?;
    shown["server"] = json!(server.origin);
    context.print_answer(&shown, line)
}
