//! `mem server token`: who may ask a server.

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use mem_core::Diagnose;
use mem_core::relative_time::Since;
use mem_server::access::{self, secret};
use mem_server::storage::{Database, Grant, Token, WorkspaceError, is_of_records};
use mem_server::tokens::{FreshToken, OVERLAP_SECONDS_MAX, token_json};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use super::place::Where;
use crate::commands::serve::place_hint;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// Make, list, grant, rotate and revoke tokens
    ///
    /// A token is 256 random bits; the server keeps a checksum of it. What it may do is said by grants: a
    /// resource and a verb. Resources are `team:acme/app` and `team:acme/*` (the memory of repositories),
    /// `store:*` (all other memory stores, new ones too), `store:memstore_...` (one of them), `records`, `*` (all
    /// of these), and `tokens` and `webhooks` (managing these over HTTP, which `*` leaves out). Verbs are
    /// `read` and `write`; write includes read. To delete or archive a whole memory store takes the grant that
    /// making one takes: `*:write`, or `store:*:write` for a store that is no repository's.
    struct Args;
    "Commands" {
        create(CreateArgs) => "Make a token and print it, once",
        list(ListArgs) => "List the tokens, without their secrets",
        grant(GrantArgs) => "Add grants to a token, at once",
        revoke(RevokeArgs) => "End a token, at once",
        rotate(RotateArgs) => "Replace a token, with an overlap",
    }
}

/// The public id of a token. A secret that was given by mistake is not to be repeated.
fn parse_id(text: &str) -> Result<&str, NoToken> {
    let rest = text.strip_prefix("apikey_");
    match rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric())) {
        true => Ok(text),
        false => Err(NoToken("…".to_owned())),
    }
}

/// There is no such token.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(NotFound, hint = "`mem server token list` has the ids")]
#[error("there is no valid token `{0}`")]
pub(crate) struct NoToken(String);

/// Prints a secret, once: alone on standard output, what is to be known of it apart.
pub(super) fn print_secret(
    context: &Context,
    object: &Value,
    secret: &SecretString,
    remark: &str,
) -> Result<Exit> {
    if context.printer.json {
        context.print_json(object)?;
        return Ok(Exit::Ok);
    }
    context.line(secret.expose_secret())?;
    context.say(remark);
    Ok(Exit::Ok)
}

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
struct CreateArgs {
    /// Whose it is, or what for
    #[arg(long, default_value = "")]
    name: String,
    /// What it may do: RESOURCE:VERB; may be repeated
    #[arg(long = "grant", value_name = "GRANT", value_parser = access::grant::parse)]
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
fn create(args: &CreateArgs, context: &Context) -> Result<Exit> {
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

/// List the tokens, without their secrets
///
/// With --json: a list of {"id","name","workspace","grants","created_at","expires_at","revoked_at",
/// "last_used_at","rotated_from","session","valid"}. "session" says where a person signed in: `console` or `device`.
#[derive(clap::Args, Debug)]
struct ListArgs {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let task = async |database: &Database| database.tokens().await;
    let tokens = args.place.with_database(context, task)?;
    let now = context.now.0;
    let shown: Vec<Value> = tokens.iter().map(|token| token_json(token, now)).collect();
    let lines = tokens.iter().map(|token| {
        let grants: Vec<String> = token.grants.iter().map(Grant::to_string).collect();
        let (name, grants) = (clean(&token.name), grants.join(","));
        let state = token_state(token, now);
        let used = match token.last_used_at {
            Some(at) => format!("used {at}"),
            None => "never used".to_owned(),
        };
        format!("{}  {state}  {used}  {grants}  {name}", token.id)
    });
    context.print_list(&shown, lines, "there is no token")
}

fn token_state(token: &Token, now: Timestamp) -> String {
    match (token.revoked_at, token.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(end)) if end <= now => format!("expired {end}"),
        (None, Some(end)) => format!("valid until {end}"),
        (None, None) => "valid".to_owned(),
    }
}

/// Add grants to a token, at once
///
/// A grant is a resource and a verb, as `mem server token --help` lists them. The next request with the
/// token may do it, also at a server that runs already. `mem server token revoke` ends a token that may
/// do too much.
///
/// With --json: {"id","granted"}.
///
/// Example: mem server token grant apikey_0123 team:acme/app:write
#[derive(clap::Args, Debug)]
struct GrantArgs {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    /// What it may do: RESOURCE:VERB; may be repeated
    #[arg(value_name = "GRANT", value_parser = access::grant::parse, required = true)]
    grants: Vec<Grant>,
    #[command(flatten)]
    place: Where,
}

/// Adds them.
fn grant(args: &GrantArgs, context: &Context) -> Result<Exit> {
    let id = parse_id(&args.id)?;
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        if !database.grant(id, &args.grants).await? {
            return Err(NoToken(id.to_owned()).into());
        }
        let noted = database.note_administration("token.grant", id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    let granted: Vec<String> = args.grants.iter().map(Grant::to_string).collect();
    let text = format!("granted {} to {id}", granted.join(", "));
    context.print_answer(&json!({ "id": id, "granted": granted }), text)
}

/// End a token, at once
///
/// The next request with it is refused, also by a server that runs already.
#[derive(clap::Args, Debug)]
struct RevokeArgs {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Ends it.
fn revoke(args: &RevokeArgs, context: &Context) -> Result<Exit> {
    let id = parse_id(&args.id)?;
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        if !database.revoke_token(id, context.now.0).await? {
            return Err(NoToken(id.to_owned()).into());
        }
        let noted = database.note_administration("token.revoke", id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    context.print_answer(&json!({ "revoked": id }), format_args!("revoked {id}"))
}

/// Replace a token, with an overlap
///
/// Makes a token with the name, the workspace and the grants of the old one, and prints it, once. The old
/// one is valid until the overlap is over. The new one lasts as long as the old one was made for. Sessions
/// of people are not rotated: they are renewed.
///
/// With --json: {"token","id","name","workspace","grants","expires_at","replaces"}.
///
/// Example: mem server token rotate apikey_0123 --overlap 24h
#[derive(clap::Args, Debug)]
struct RotateArgs {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    /// How long both are valid: hours, days or weeks (12h, 2d, 1w), at most 30d; 0h: the old one ends at once
    #[arg(long, value_name = "SPAN", default_value = "24h")]
    overlap: Since,
    #[command(flatten)]
    place: Where,
}

/// Rotates it.
fn rotate(args: &RotateArgs, context: &Context) -> Result<Exit> {
    let id = parse_id(&args.id)?;
    let now = context.now.0;
    let overlap_end = overlap_end(args.overlap, now)?;
    args.place.require_there(context)?;
    let made = args.place.with_database(context, async |database| {
        let no_token = || NoToken(id.to_owned());
        let mut all = database.tokens().await?.into_iter();
        let old = all.find(|token| token.id == id && token.is_valid(now));
        let made = FreshToken::rotate(&old.ok_or_else(no_token)?, now)?;
        let done = database.rotate_token(id, &made.token, None, overlap_end, now);
        if !done.await? {
            return Err(no_token().into());
        }
        let noted = database.note_administration("token.rotate", &made.token.id, now);
        noted.await?;
        anyhow::Ok(made)
    })?;
    let mut shown = made.to_json();
    shown["replaces"] = json!(id);
    let remark = format!(
        "{} replaces {id}, which is valid until {overlap_end}. It is not shown again",
        made.token.id
    );
    print_secret(context, &shown, &made.secret, &remark)
}

fn overlap_end(overlap: Since, now: Timestamp) -> Result<Timestamp, UsageError> {
    match overlap {
        Since::Ago(seconds) if seconds <= OVERLAP_SECONDS_MAX => {
            Ok(now + SignedDuration::from_secs(seconds))
        }
        _ => {
            let hint = "write a span such as `24h`, at most `30d`";
            Err(UsageError::new("the overlap is no span, or too long", hint))
        }
    }
}
