//! What an administrator asks of a database about its encryption. Beside servers, too.

use super::sealing::{self, Checked, Encryption, Sealing};
use super::{Database, StorageError};

impl Database {
    /// Seals all contents that are there, and those that are written from now on.
    ///
    /// # Errors
    /// See [`StorageError`]; without the master key nothing is changed. Run again after an interruption.
    pub async fn encrypt(&self) -> Result<Sealing, StorageError> {
        sealing::on(&self.0.engine).await
    }

    /// Opens all contents again.
    ///
    /// # Errors
    /// As for [`Database::encrypt`]. A content that cannot be opened stays as it is.
    pub async fn decrypt(&self) -> Result<Sealing, StorageError> {
        sealing::off(&self.0.engine).await
    }

    /// Gives every store a new data key, wrapped by the first master key, and seals all contents with it.
    ///
    /// # Errors
    /// As for [`Database::encrypt`].
    pub async fn rotate(&self) -> Result<Sealing, StorageError> {
        sealing::rotate(&self.0.engine).await
    }

    /// How much is sealed.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn encryption(&self) -> Result<Encryption, StorageError> {
        sealing::status(&self.0.engine).await
    }

    /// Opens every content there is, and tells which do not open.
    ///
    /// # Errors
    /// See [`StorageError`]; without the master key there is nothing to open with.
    pub async fn check_contents(&self) -> Result<Checked, StorageError> {
        sealing::check_all(&self.0.engine).await
    }

    /// Whether the master key that is there opens what is sealed.
    ///
    /// # Errors
    /// See [`StorageError::Vault`].
    pub async fn check_master_key(&self) -> Result<(), StorageError> {
        sealing::check(&self.0.engine).await
    }
}
