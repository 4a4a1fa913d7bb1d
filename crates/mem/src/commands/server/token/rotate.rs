//! `mem server token rotate`: replace a token, with an overlap.

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use mem_server::access::grant;
use mem_server::tokens::{OVERLAP_SECONDS_MAX, rotation};
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::super::place::Where;
use super::{NoToken, is_id};
use crate::context::Context;
use crate::exit::Exit;
use crate::since::Since;
use crate::usage::UsageError;

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
pub(crate) struct Args {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    /// How long both are valid: hours, days or weeks (12h, 2d, 1w), at most 30d; 0h: the old one ends at once
    #[arg(long, value_name = "SPAN", default_value = "24h")]
    overlap: Since,
    #[command(flatten)]
    place: Where,
}

/// Rotates it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let id = args.id.as_str();
    if !is_id(id) {
        return Err(NoToken("…".to_owned()).into());
    }
    let now = context.now.0;
    let overlap_end = overlap_end(args.overlap, now)?;
    args.place.require_there(context)?;
    let rotated = args.place.with_database(context, async |database| {
        let all = database.tokens().await?;
        let Some(old) = all
            .iter()
            .find(|token| token.id == id && token.is_valid(now))
        else {
            return Ok(None);
        };
        let Ok(rotated) = rotation(old, now) else {
            return Ok(None);
        };
        let done = database.rotate_token(id, &rotated.token, None, overlap_end, now);
        if !done.await? {
            return Ok(None);
        }
        let noted = database.note_administration("token.rotate", &rotated.token.id, now);
        noted.await?;
        Ok(Some(rotated))
    });
    let rotated = rotated?.ok_or_else(|| NoToken(id.to_owned()))?;
    let (secret, token) = (rotated.secret.expose_secret(), &rotated.token);
    let grants: Vec<String> = token.grants.iter().map(grant::shown).collect();
    if context.printer.json {
        context.printer.print_json(&json!({
            "token": secret,
            "id": token.id,
            "name": token.name,
            "workspace": token.workspace,
            "grants": grants,
            "expires_at": token.expires_at,
            "replaces": id,
        }))?;
        return Ok(Exit::Ok);
    }
    context.printer.line(secret)?;
    let text = format_args!(
        "{} replaces {id}, which is valid until {overlap_end}. It is not shown again",
        token.id
    );
    context.printer.say(text);
    Ok(Exit::Ok)
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
