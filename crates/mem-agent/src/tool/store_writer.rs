//! A memory directory with its history, and its index where it has one: [`StoreWriter`].

use std::fs::File;

use mem_core::MemoryPath;
use mem_core::Now;
use mem_core::history::Author;
use mem_core::memory::StoreMemories;
use mem_core::notes::{INDEX_FILE, is_index};
use mem_core::plain::{PathEnd, PlainRoot, SpotKind};
use mem_core::store::{ChangeMetadata, WriteGate};
use mem_core::topic::TopicFile;

use super::{Change, ToolFailure, ToolWriter, view};

/// Writes through the one door of the store, under the name of an author.
pub struct StoreWriter<'k> {
    /// The files.
    pub files: &'k StoreMemories,
    /// Who may object.
    pub gate: &'k dyn WriteGate,
    /// Who writes.
    pub author: Author,
    /// The present.
    pub now: Now,
    /// Is told what the gates had to say.
    pub warn: &'k dyn Fn(&[String]),
}

impl StoreWriter<'_> {
    fn change_metadata(&self, verb: &'static str) -> ChangeMetadata {
        ChangeMetadata::new(verb, self.author.clone(), self.now)
    }

    fn report_warnings<E>(&self, warnings: Result<Vec<String>, E>) -> Result<(), ToolFailure>
    where
        ToolFailure: From<E>,
    {
        (self.warn)(&warnings?);
        Ok(())
    }

    /// The path in the store of what is about to leave its place, which an index that is kept never does: without it its
    /// memories would have no entries.
    fn movable_path(&self, spot: &PathEnd, verb: &str) -> Result<MemoryPath, ToolFailure> {
        let path = store_path(spot)?;
        match self.files.has_index() && is_index(&path) {
            true => Err(ToolFailure::Said(format!(
                "Cannot {verb} the memory index /memories/{path}: edit its lines instead"
            ))),
            false => Ok(path),
        }
    }
}

/// The path in the store. Hidden files are none of memory's: they would be in no history.
fn store_path(spot: &PathEnd) -> Result<MemoryPath, ToolFailure> {
    if spot.names.iter().any(|name| name.starts_with('.')) {
        let path = format!("/memories/{}", spot.path());
        return Err(ToolFailure::NotAllowed(
            path,
            "names that begin with a dot are not kept in memory",
        ));
    }
    MemoryPath::parse(&spot.path()).map_err(|error| ToolFailure::Said(error.to_string()))
}

impl ToolWriter for StoreWriter<'_> {
    fn lock_root(&self, _: &PlainRoot) -> Option<File> {
        // The store has its own.
        None
    }

    fn put_file(
        &self,
        _: &PlainRoot,
        _: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure> {
        let order = self.change_metadata(match target.kind {
            SpotKind::Missing => "save",
            _ => "edit",
        });
        let written = self
            .files
            .write(&store_path(target)?, &order, self.gate, change);
        self.report_warnings::<ToolFailure>(written)
    }

    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure> {
        let path = self.movable_path(spot, "delete")?;
        let removed = self
            .files
            .remove(&path, &self.change_metadata("remove"), self.gate);
        self.report_warnings(removed)?;
        root.prune(spot);
        Ok(())
    }

    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure> {
        let order = self.change_metadata("rename");
        let source = self.movable_path(from, "rename")?;
        let renamed = self
            .files
            .rename(&source, &store_path(to)?, &order, self.gate);
        self.report_warnings(renamed)?;
        root.prune(from);
        Ok(())
    }

    fn expire_file(&self, _: &PlainRoot, spot: &PathEnd) -> Result<String, ToolFailure> {
        let removed = self.files.remove(
            &store_path(spot)?,
            &self.change_metadata("expire"),
            self.gate,
        );
        self.report_warnings(removed)?;
        Ok("`mem undo` brings it back".to_owned())
    }

    fn is_kept(&self, root: &PlainRoot, spot: &PathEnd) -> bool {
        let is_index = spot.names.last().is_some_and(|name| name == INDEX_FILE);
        let is_pinned = || {
            let bytes = view::read_bytes(root, "", spot).ok().flatten();
            bytes.is_some_and(|bytes| TopicFile::parse(&bytes).pinned)
        };
        is_index || store_path(spot).is_err() || is_pinned()
    }
}
