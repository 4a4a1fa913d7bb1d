//! `mem server webhook dead`: what could not be delivered.

use anyhow::Result;

use super::super::place::Where;
use super::parse_id;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// List what could not be delivered to a webhook
///
/// An event is given up after ten attempts in about three and a half days, and kept for 30 days more. The newest
/// 100 are listed.
///
/// With --json: a list of {"event_id","type","subject","created_at","dead_at","attempts","last_outcome"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Lists it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let letters = args.place.with_database(context, async |database| {
        database.dead_letters(None, &args.id).await
    })?;
    let lines = letters.iter().map(|letter| {
        let outcome = clean(letter.last_outcome.as_deref().unwrap_or_default()).into_owned();
        format!(
            "{}  {}  {}  {}  {outcome}",
            letter.event_id, letter.event_type, letter.subject, letter.dead_at
        )
    });
    context.print_list(&letters, lines, "there is none")
}
