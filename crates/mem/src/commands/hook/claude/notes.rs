//! `pre-compact`, `stop`, `session-end`: the notes of the session, in a process that outlives the
//! host. The hook itself does not even open the transcript: it may be large, and still be written.

use anyhow::{Context as _, Result, bail};

use super::asked::Asked;
use super::reply::Reply;
use crate::commands::session::update::BACKGROUND;
use crate::detached;

/// Sends the process, which finds out by itself whether an update is due.
pub(super) fn answer(asked: &Asked<'_>) -> Result<Reply> {
    let Some(transcript) = asked.event.transcript() else {
        bail!("the event names no transcript");
    };
    let mut args = ["session", "update", "--quiet", BACKGROUND]
        .map(str::to_owned)
        .to_vec();
    args.push(format!("--transcript={}", transcript.display()));
    args.extend(
        asked
            .event
            .session()
            .map(|session| format!("--session={session}")),
    );
    detached::send(args, &asked.context.cwd).context("cannot start the update of the notes")?;
    Ok(Reply::default())
}
