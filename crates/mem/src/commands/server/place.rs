//! Where a server keeps what it is given, as a command line says it.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use mem_server::storage::{Database, DatabaseAddress, MasterSource, OpenOptions, Purpose};
use secrecy::SecretString;

use crate::context::Context;
use crate::usage::UsageError;
use mem_core::run::HomeError;

/// The variable that names a database; arguments are visible to every process of the machine.
const URL_VARIABLE: &str = "MEM_DATABASE_URL";

/// A place.
#[derive(clap::Args, Debug)]
pub(crate) struct Where {
    /// The directory with the server's data [default: `server` in mem's data directory]
    #[arg(long, value_name = "DIR", conflicts_with = "database_url")]
    data_dir: Option<PathBuf>,
    /// A PostgreSQL database, postgres://...; better given as MEM_DATABASE_URL, for it holds a password
    #[arg(long, value_name = "URL")]
    database_url: Option<SecretString>,
}

impl Where {
    /// The place: what the arguments say, what the environment says, the default.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn database_address(&self, context: &Context) -> Result<DatabaseAddress, HomeError> {
        if let Some(folder) = &self.data_dir {
            return Ok(DatabaseAddress::Directory(context.cwd.join(folder)));
        }
        let said = context.env.get(URL_VARIABLE).map(SecretString::from);
        if let Some(url) = self.database_url.clone().or(said) {
            return Ok(DatabaseAddress::Url(url));
        }
        // Fails where HOME is not one.
        context.dirs()?;
        let folder = crate::dirs::server_data().ok_or(HomeError::Missing)?;
        Ok(DatabaseAddress::Directory(folder))
    }

    /// Whether the arguments or the environment name a place.
    pub(crate) fn is_said(&self, context: &Context) -> bool {
        let is_said = self.data_dir.is_some() || self.database_url.is_some();
        is_said || context.env.get(URL_VARIABLE).is_some()
    }

    /// Refuses a directory that no server has kept anything in: opening it would make a database, and what is asked
    /// of an empty one always succeeds.
    ///
    /// # Errors
    /// There is none; there is no home directory.
    pub(crate) fn require_there(&self, context: &Context) -> Result<()> {
        let place = self.database_address(context)?;
        match &place {
            DatabaseAddress::Directory(folder) if place.is_new() => {
                let message = format!("no server has its data in `{}`", folder.display());
                let hint = "name the directory of the server: --data-dir DIR";
                Err(UsageError::new(message, hint).into())
            }
            _ => Ok(()),
        }
    }

    /// Opens the database for administration, and does something with it.
    ///
    /// # Errors
    /// It cannot be opened, or what is to be done fails.
    pub(crate) fn with_database<T, E: Into<anyhow::Error>>(
        &self,
        context: &Context,
        task: impl AsyncFnOnce(&Database) -> Result<T, E>,
    ) -> Result<T> {
        self.with_keys(context, MasterSource::none(), task)
    }

    /// The same, where contents are opened and sealed.
    ///
    /// # Errors
    /// As for [`Where::with_database`].
    pub(crate) fn with_keys<T, E: Into<anyhow::Error>>(
        &self,
        context: &Context,
        master: MasterSource,
        task: impl AsyncFnOnce(&Database) -> Result<T, E>,
    ) -> Result<T> {
        let place = self.database_address(context)?;
        let options = OpenOptions {
            purpose: Purpose::Administer,
            master,
            ..OpenOptions::for_run(context)
        };
        block_on(async {
            let database = Database::open(&place, &options).await?;
            let done = task(&database).await;
            database.close().await;
            done.map_err(Into::into)
        })?
    }
}

/// Waits for something on this thread.
///
/// # Errors
/// The system has no runtime to give.
pub(crate) fn block_on<T>(task: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start")?;
    Ok(runtime.block_on(task))
}
