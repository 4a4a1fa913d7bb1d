//! A directory of its own, without an index or a history: [`DirWriter`].

use std::fs::File;

use mem_core::Now;
use mem_core::plain::{PathEnd, PlainRoot};

use super::{Change, ToolFailure, ToolWriter, view};

/// The folder beside the root that expired files are moved to.
const TRASH: &str = "expired";

/// Writes files as they are.
#[derive(Clone, Copy, Debug)]
pub struct DirWriter {
    /// The present.
    pub now: Now,
}

impl ToolWriter for DirWriter {
    fn lock_root(&self, root: &PlainRoot) -> Option<File> {
        root.lock()
    }

    fn put_file(
        &self,
        root: &PlainRoot,
        source: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure> {
        let old = view::read_bytes(root, &model_path(source), source)?;
        let new = change(old.as_deref())?;
        let written = match old {
            None => root.create(target, &new),
            Some(_) => root.replace(target, &new),
        };
        written.map_err(ToolFailure::for_path(&model_path(target)))
    }

    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure> {
        root.remove(spot)
            .map_err(ToolFailure::for_path(&model_path(spot)))
    }

    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure> {
        root.rename(from, to)
            .map_err(ToolFailure::for_path(&model_path(from)))
    }

    fn expire_file(&self, root: &PlainRoot, spot: &PathEnd) -> Result<String, ToolFailure> {
        let day = self.now.0.strftime("%Y-%m-%d");
        let moved = root.put_aside(spot, &format!("{TRASH}/{day}"));
        let place = moved.map_err(ToolFailure::for_path(&spot.path()))?;
        Ok(format!("moved to `{}`", place.display()))
    }

    fn is_kept(&self, _: &PlainRoot, _: &PathEnd) -> bool {
        false
    }
}

/// A place as the model calls it.
fn model_path(spot: &PathEnd) -> String {
    format!("/memories/{}", spot.path())
}
