//! Whether everything that the history holds can be read.

use git2::ObjectType;

use super::error::HistoryError;
use super::form;
use super::repository::History;
use super::torn;

/// What a look at every object found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// Objects that were read and hashed.
    pub objects: usize,
    /// Changes that were read, those that an adoption brought along included.
    pub changes: usize,
    /// What is missing or damaged, for a person to read.
    pub broken: Vec<String>,
}

impl History {
    /// Reads and hashes every object, and follows every change to its files.
    ///
    /// # Errors
    /// The objects cannot be listed, or are sealed by a key that cannot be had.
    pub fn verify(&self) -> Result<Integrity, HistoryError> {
        let odb = self.repo.odb()?;
        let mut ids = Vec::new();
        odb.foreach(|oid| {
            ids.push(*oid);
            true
        })?;
        let mut broken = Vec::new();
        // A newest change that cannot be read is among what is broken.
        let is_sealed = self.is_sealed().unwrap_or(false);
        if is_sealed && let Some(head) = self.head()? {
            // Said once, and not of every object: without its key nobody knows whether it is whole.
            let commit = self.repo.find_commit(head)?;
            form::key_of(&commit, &self.seal)?;
        }
        for oid in &ids {
            match torn::require_whole(&self.repo, *oid).and_then(|()| odb.read(*oid)) {
                Ok(object) if is_sealed && object.kind() == ObjectType::Blob => {
                    if let Err(error) = form::opened_file(object.data(), &self.seal) {
                        broken.push(format!("object {oid}: {error}"));
                    }
                }
                Ok(_) => {}
                Err(error) => broken.push(format!("object {oid}: {}", error.message())),
            }
        }
        let changes = match self.entries() {
            Ok(entries) => {
                let parted = entries.iter().filter(|one| !self.is_whole(one.commit));
                broken.extend(parted.map(|one| format!("{} lacks files", one.change.id)));
                entries.len()
            }
            Err(error) => {
                broken.push(error.to_string());
                0
            }
        };
        Ok(Integrity {
            objects: ids.len(),
            changes,
            broken,
        })
    }
}
