//! After a crash: a change that was begun is finished, objects that a power failure lost are
//! made again.

use super::apply::{self, Step};
use super::error::StoreError;
use super::folders::{Folders, Making};
use super::locked::Locked;
use super::record::{FileRecord, Record};
use super::stage::Staged;
use crate::history::{HistoryError, Sha256};

impl Locked<'_> {
    /// Brings journal, history, files and catalog in step.
    pub(super) fn recover(&mut self) -> Result<(), StoreError> {
        if self.journal.is_from_other_boot()? {
            self.replay()?;
        }
        let head = self.history.head()?;
        match self.journal.last()? {
            Some(record) if Some(record.commit) != head => {
                self.finish(&record)?;
                self.checkpoint()?;
            }
            Some(_) => {}
            // Killed between emptying the journal and moving the history.
            None if self.journal.begins_elsewhere(head)? => self.checkpoint()?,
            None => {}
        }
        if self.catalog.commit != self.history.head()? {
            self.rebuild_catalog()?;
        }
        Ok(())
    }

    /// Makes the objects of every change since the last checkpoint again, where a power failure
    /// lost them.
    ///
    /// Files need no such care: they were synced before their change counted. Only the last
    /// change may not have got that far, and only if the history does not end with it.
    fn replay(&mut self) -> Result<(), StoreError> {
        let Some(contents) = self.journal.contents()? else {
            return Ok(());
        };
        // A reference that was being written when the power went may be unreadable.
        self.history.drop_broken_head();
        let recorded_head = self.history.head()?;
        self.history.drop_broken_objects()?;
        let mut head = contents
            .checkpoint
            .filter(|&commit| self.history.is_whole(commit));
        let mut before_last = head;
        for record in &contents.records {
            if !self.history.is_whole(record.commit) {
                self.remake(record, head)?;
            }
            before_last = head;
            head = Some(record.commit);
        }
        if recorded_head == head || contents.records.is_empty() {
            self.history.set_head(head.or(recorded_head))?;
            return self.checkpoint();
        }
        Ok(self.history.set_head(before_last)?)
    }

    /// Writes the objects of a record again.
    fn remake(&self, record: &Record, parent: Option<git2::Oid>) -> Result<(), StoreError> {
        let contents: Vec<_> = record.files.iter().map(FileRecord::content).collect();
        let parents: Vec<_> = parent.into_iter().collect();
        let Some(change) = &record.change else {
            // Its pack was synced before it was recorded: what is lost is lost to more than a crash.
            return Err(HistoryError::Gone(self.history.path().to_owned()).into());
        };
        self.history.prepare(change, &contents, &parents, false)?;
        Ok(())
    }

    /// Carries a change out that a crash stopped between its intent and its end.
    fn finish(&mut self, record: &Record) -> Result<(), StoreError> {
        self.roll_forward(record)?;
        self.history.set_head(Some(record.commit))?;
        Ok(())
    }

    /// Puts into place what is not there yet. What someone wrote since then is left as it is:
    /// it becomes a foreign change.
    fn roll_forward(&self, record: &Record) -> Result<(), StoreError> {
        let mut steps = Vec::new();
        let mut folders = Folders::new(Making::InPlace);
        for file in &record.files {
            let old = self.tree.read(&file.path)?.map(|(old, _)| old);
            let digest = old.as_deref().map(Sha256::of);
            if digest != file.before || file.before == file.after {
                continue;
            }
            let staged = match file.after {
                None => None,
                Some(_) => {
                    folders.open(&self.tree, &file.path)?;
                    Some(self.restage(record, file, &folders, old.as_deref())?)
                }
            };
            steps.push(Step {
                path: file.path.clone(),
                before: file.before,
                before_bytes: old.as_ref().map_or(0, Vec::len),
                staged,
            });
        }
        apply::apply(&self.tree, &steps)?;
        apply::sync_folders(&self.tree, &steps)
    }

    fn restage(
        &self,
        record: &Record,
        file: &FileRecord,
        folders: &Folders,
        old: Option<&[u8]>,
    ) -> Result<Staged, StoreError> {
        let recorded = match &file.bytes {
            Some(bytes) => Some(bytes.clone()),
            None => self.history.content(record.commit, &file.path)?,
        };
        let bytes = recorded.ok_or_else(|| StoreError::NotFound(file.path.clone()))?;
        let before = file.before.zip(old.map(<[u8]>::len));
        let after = Some((Sha256::of(&bytes), bytes.len()));
        let contents = (before, after);
        Staged::write(&self.tree, folders, &file.path, &bytes, contents, true)
    }

    /// Makes the catalog again from the changes of this directory, oldest first.
    fn rebuild_catalog(&mut self) -> Result<(), StoreError> {
        let entries: Vec<_> = self.history.own_entries().collect::<Result<_, _>>()?;
        self.catalog = super::catalog::Catalog::default();
        for entry in entries.iter().rev() {
            self.catalog.apply(&entry.change, entry.commit);
        }
        // Saved now: readers without the lock tell ids by it.
        self.catalog.save(&self.store.places.catalog())
    }
}
