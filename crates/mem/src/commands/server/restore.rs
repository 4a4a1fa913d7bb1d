//! `mem server restore`: a backup in the place of a server's data.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::Diagnose;
use mem_server::storage::{self, Database, DatabaseAddress};
use serde_json::json;

use super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Put a backup in the place of a server's data
///
/// The backup is checked first, and nothing is touched while a server uses the data. Clients notice
/// that the server is another state than the one they knew, and send again what it has lost.
///
/// A PostgreSQL database is restored with pg_restore; run this after it, without --from and before a
/// server runs, so that clients notice.
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
}

/// Restores.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (folder, from) = match (args.place.database_address(context)?, &args.from) {
        (DatabaseAddress::Url(_), Some(_)) => return Err(RestoreRefused::Postgres.into()),
        (DatabaseAddress::Url(_), None) => return begin_epoch(args, context),
        (DatabaseAddress::Directory(_), None) => return Err(nothing_named().into()),
        (DatabaseAddress::Directory(folder), Some(from)) => (folder, context.cwd.join(from)),
    };
    let restored = super::place::block_on(storage::restore(&folder, &from, args.replace))?;
    match restored {
        Err(storage::StorageError::Exists(_)) => {
            return Err(RestoreRefused::Occupied(folder.display().to_string()).into());
        }
        restored => restored?,
    }
    if context.printer.json {
        let folder = folder.to_string_lossy();
        context.print_json(&json!({ "restored": folder }))?;
    } else {
        let text = format_args!("restored {}", folder.display());
        context.line(text)?;
    }
    Ok(Exit::Ok)
}

/// What `pg_restore` has put back gets new epochs.
fn begin_epoch(args: &Args, context: &Context) -> Result<Exit> {
    let task = async |database: &Database| database.begin_new_epoch().await;
    args.place.with_database(context, task)?;
    context.say("clients will notice that the database was restored");
    Ok(Exit::Ok)
}

fn nothing_named() -> UsageError {
    let hint = "name a file that `mem server backup` has made, with `--from FILE`";
    UsageError::new("there is no backup named", hint)
}
