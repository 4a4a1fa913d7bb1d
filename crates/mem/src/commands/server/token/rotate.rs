//! `mem server token rotate`: replace a token, with an overlap.

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use mem_server::tokens::{FreshToken, OVERLAP_SECONDS_MAX};
use serde_json::json;

use super::super::place::Where;
use super::{NoToken, parse_id, print_secret};
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;
use mem_core::relative_time::Since;

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
