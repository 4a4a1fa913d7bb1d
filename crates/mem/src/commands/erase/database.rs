//! The database of a server, opened to take something out of it, and looked through afterwards.

use anyhow::Result;
use mem_core::erasure::{Found, Traces, Unended, search};
use mem_server::storage::{Database, OpenOptions, Place, Purpose, StorageError};

use super::Args;
use crate::commands::server::place::block_on;
use crate::context::Context;
use crate::master_key;

/// What is not looked through: it is another program's, and may be on another machine.
const POSTGRES: &str = "the files of PostgreSQL: they keep removed bytes until the space is used again (VACUUM \
                        FULL), and in the write-ahead log and backups for as long as these are kept";

/// What an erasure looked for that did not end, so that the next one can: beside the database, or among one's own
/// state where that is another program's.
///
/// # Errors
/// There is no place for it.
pub(super) fn unended(args: &Args, context: &Context, what: &[&str]) -> Result<Unended> {
    let folder = match args.place.place(context)? {
        Place::Directory(folder) => folder,
        Place::Url(_) => context.dirs()?.state.clone(),
    };
    Ok(Unended::of(&folder, &what.join("\0")))
}

/// Gathers what is looked for, erases, and looks through the files of the database for it.
///
/// # Errors
/// It cannot be opened, because a server is running for one thing, or the erasure fails.
pub(super) fn erased<U, T>(
    args: &Args,
    context: &Context,
    unended: Unended,
    gather: impl AsyncFnOnce(&Database) -> Result<(Traces, U), StorageError>,
    erase: impl AsyncFnOnce(&Database, U) -> Result<T, StorageError>,
) -> Result<(Traces, Found, T)> {
    let place = args.place.place(context)?;
    // As a server: beside one, its clients would be told a state that is gone. Without the key, too.
    let options = OpenOptions {
        purpose: Purpose::Erase,
        master: master_key::source(context)?,
        ..OpenOptions::default()
    };
    let (traces, told) = block_on(async {
        let database = Database::open(&place, &options).await?;
        let work = async {
            let (mut traces, what) = gather(&database).await?;
            unended.begin(&mut traces)?;
            anyhow::Ok((traces, erase(&database, what).await?))
        };
        let erased = work.await;
        database.close().await;
        erased
    })??;
    let mut found = match &place {
        Place::Directory(folder) => search(&traces, std::slice::from_ref(folder))?,
        Place::Url(_) => Found {
            not_searched: vec![POSTGRES.to_owned()],
            ..Found::default()
        },
    };
    unended.end(&mut found)?;
    Ok((traces, found, told))
}
