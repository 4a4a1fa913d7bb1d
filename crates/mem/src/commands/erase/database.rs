//! The database of a server, opened to take something out of it, and looked through afterwards.

use anyhow::Result;
use mem_core::erasure::{Found, Traces, search};
use mem_server::storage::{Database, OpenOptions, Place, Purpose, StorageError};

use super::Args;
use crate::commands::server::place::block_on;
use crate::context::Context;
use crate::master_key;

/// What is not looked through: it is another program's, and may be on another machine.
const POSTGRES: &str = "the files of PostgreSQL: they keep removed bytes until the space is used again (VACUUM \
                        FULL), and in the write-ahead log and backups for as long as these are kept";

/// Erases, and looks through the files of the database for what was to be erased.
///
/// # Errors
/// It cannot be opened, because a server is running for one thing, or the erasure fails.
pub(super) fn erased<T>(
    args: &Args,
    context: &Context,
    erase: impl AsyncFnOnce(&Database) -> Result<(Traces, T), StorageError>,
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
        let erased = erase(&database).await;
        database.close().await;
        erased
    })??;
    let found = match &place {
        Place::Directory(folder) => search(&traces, std::slice::from_ref(folder))?,
        Place::Url(_) => Found {
            not_searched: vec![POSTGRES.to_owned()],
            ..Found::default()
        },
    };
    Ok((traces, found, told))
}
