//! `mem server restore`: a backup in the place of a server's data.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::Diagnose;
use mem_core::memory_path::printable;
use mem_server::storage::{self, Database, DatabaseAddress, MasterSource, StorageError};
use mem_vault::VaultError;
use serde_json::json;

use super::place::Where;
use crate::commands::serve::place_hint;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Put a backup in the place of a server's data
///
/// The backup is checked first, with the master key that it needs where it is encrypted, and nothing is touched while a
/// server uses the data. Clients of a team memory notice that the server is another state than the one they knew, and send
/// again what it has lost; copies of attached stores keep that aside (`mem attachments`).
///
/// Tokens and people stand as when the backup was made: what was revoked or rotated since is valid again, and so is a
/// token of a user who was erased. Such tokens are named by comparison with the replaced data; revoke them with
/// `mem server token revoke`.
///
/// A PostgreSQL database is restored with pg_restore; run this after it, without --from and before a
/// server runs, so that clients notice.
///
/// With --json: {"restored","valid_again":[{"id","name"}]}; `null` where no data is replaced whose tokens can be read.
///
/// Example: mem server restore --from /var/backups/mem.sqlite --replace
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The backup
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Give up the data that is there
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    place: Where,
}

/// It is not done here.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum RestoreRefused {
    /// PostgreSQL.
    #[error("a PostgreSQL database is restored with its own tools")]
    #[diagnose(
        Refused,
        hint = "use `pg_restore` into an empty database, then this command without `--from`"
    )]
    Postgres,
    /// There is something to lose.
    #[error("`{0}` has the data of a server already")]
    #[diagnose(
        Refused,
        hint = "`--replace` gives that up; make a backup of it before"
    )]
    Occupied(String),
    /// Nobody could read it.
    #[error("the backup cannot be opened, and nothing was replaced: {0}")]
    #[diagnose(kind = _0.kind(), hint = _0.hint())]
    NoKey(VaultError),
}

/// Restores.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (folder, from) = match (args.place.database_address(context)?, &args.from) {
        (DatabaseAddress::Url(_), Some(_)) => return Err(RestoreRefused::Postgres.into()),
        (DatabaseAddress::Url(_), None) => return begin_epoch(args, context),
        (DatabaseAddress::Directory(_), None) => return Err(nothing_named().into()),
        (DatabaseAddress::Directory(folder), Some(from)) => (folder, context.cwd.join(from)),
    };
    let master = MasterSource::for_run(context)?;
    let restored = storage::restore(&folder, &from, args.replace, master, context.now.0);
    let valid_again = match super::place::block_on(restored)? {
        Err(StorageError::Exists(_)) => {
            return Err(RestoreRefused::Occupied(folder.display().to_string()).into());
        }
        Err(StorageError::Vault(error)) => return Err(RestoreRefused::NoKey(error).into()),
        restored => restored?,
    };
    if context.printer.json {
        let folder = folder.to_string_lossy();
        context.print_json(&json!({ "restored": folder, "valid_again": valid_again }))?;
    } else {
        let text = format_args!("restored {}", folder.display());
        context.line(text)?;
    }
    if valid_again.is_none() {
        context.print_warning(
            "which tokens are valid again is not known: no data was replaced whose tokens can be read",
        );
    }
    for token in valid_again.iter().flatten() {
        let (id, name) = (&token.id, printable(&token.name));
        context.say(format_args!(
            "token `{id}` (`{name}`) is valid again: the replaced data had ended it, would have ended it earlier, or \
             did not have it"
        ));
    }
    print_tokens_note(&place_hint(&DatabaseAddress::Directory(folder)), context);
    Ok(Exit::Ok)
}

/// Tokens that were revoked after the backup work again.
fn print_tokens_note(place: &str, context: &Context) {
    context.say(format_args!(
        "tokens stand as when the backup was made: `mem server token list{place}` lists them, \
         `mem server token revoke{place} ID` ends one"
    ));
}

/// What `pg_restore` has put back gets new epochs.
fn begin_epoch(args: &Args, context: &Context) -> Result<Exit> {
    let task = async |database: &Database| database.begin_new_epoch().await;
    args.place.with_database(context, task)?;
    context.say("clients will notice that the database was restored");
    print_tokens_note("", context);
    Ok(Exit::Ok)
}

fn nothing_named() -> UsageError {
    let hint = "name a file that `mem server backup` has made, with `--from FILE`";
    UsageError::new("there is no backup named", hint)
}
