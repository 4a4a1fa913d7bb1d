//! `mem server token create`: make a token and print it, once.

use anyhow::Result;
use jiff::Timestamp;
use mem_server::access::{grant, secret};
use mem_server::storage::{Grant, WorkspaceError, is_of_records};
use mem_server::tokens::FreshToken;

use super::super::place::Where;
use super::print_secret;
use crate::commands::serve::place_hint;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;
use mem_core::relative_time::Since;

/// Make a token and print it, once
///
/// The token stands on standard output, alone, and nowhere else: the server keeps a checksum. Its name
/// is what others see as the author of what is written with it. Without --grant it may do nothing until
/// `mem server token grant` gives it something.
///
/// With --json: {"token","id","name","workspace","grants","expires_at"}.
///
/// Example: mem server token create --name dana --grant team:acme/app:write --expires 90d
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose it is, or what for
    #[arg(long, default_value = "")]
    name: String,
    /// What it may do: RESOURCE:VERB; may be repeated
    #[arg(long = "grant", value_name = "GRANT", value_parser = grant::parse)]
    grants: Vec<Grant>,
    /// Which workspace it is for
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    /// When it ends: in so many hours, days or weeks (12h, 90d, 8w), or an instant
    #[arg(long, value_name = "WHEN")]
    expires: Option<Since>,
    #[command(flatten)]
    place: Where,
}

/// Makes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (name, end) = (
        parse_name(&args.name)?,
        expiry_instant(args.expires, context)?,
    );
    let mut made = FreshToken::generate(String::new(), name, args.grants.clone(), end)?;
    args.place.with_database(context, async |database| {
        let found = database.find_workspace(&args.workspace).await?;
        if is_of_records(&found.name) {
            return Err(WorkspaceError::OfRecords(found.name).into());
        }
        made.token.workspace = found.id;
        database.create_token(&made.token, context.now.0).await?;
        let noted = database.note_administration("token.create", &made.token.id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    let token = &made.token;
    let (id, until) = (
        &token.id,
        token.expires_at.map(|end| format!(", until {end}")),
    );
    let grants: Vec<String> = token.grants.iter().map(Grant::to_string).collect();
    let grants = match grants.as_slice() {
        [] => "no grant, so that it may do nothing".to_owned(),
        some => some.join(", "),
    };
    let until = until.unwrap_or_default();
    let more = match token.grants.is_empty() {
        false => String::new(),
        true => {
            let place = place_hint(&args.place.database_address(context)?);
            format!("\n`mem server token grant{place} {id} team:OWNER/REPO:write` gives it one")
        }
    };
    let remark = format!("{id}: {grants}{until}. It is not shown again{more}");
    print_secret(context, &made.to_json(), &made.secret, &remark)
}

fn parse_name(text: &str) -> Result<String, UsageError> {
    secret::name(text).ok_or_else(|| {
        let hint = "write at most 100 characters, on one line";
        UsageError::new("the name of the token is not one", hint)
    })
}

/// The instant that `--expires` names; it has to be yet to come.
fn expiry_instant(
    expires: Option<Since>,
    context: &Context,
) -> Result<Option<Timestamp>, UsageError> {
    let Some(expires) = expires else {
        return Ok(None);
    };
    let now = context.now.0;
    let end = match expires {
        Since::At(instant) => Some(instant),
        Since::Ago(seconds) => Timestamp::from_second(now.as_second().saturating_add(seconds)).ok(),
    };
    match end {
        Some(end) if end > now => Ok(Some(end)),
        _ => {
            let hint = "write a span such as `90d`, or an instant that is yet to come";
            Err(UsageError::new("the token would have ended already", hint))
        }
    }
}
