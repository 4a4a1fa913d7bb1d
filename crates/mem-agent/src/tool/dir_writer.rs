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
        let given = |spot: &PathEnd| format!("/memories/{}", spot.path());
        let old = view::read_bytes(root, &given(source), source)?;
        let new = change(old.as_deref())?;
        let written = match old {
            None => root.create(target, &new),
            Some(_) => root.replace(target, &new),
        };
        written.map_err(|error| ToolFailure::for_path(&given(target), &error))
    }

    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure> {
        let removed = root.remove(spot);
        removed
            .map_err(|error| ToolFailure::for_path(&format!("/memories/{}", spot.path()), &error))
    }

    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure> {
        let renamed = root.rename(from, to);
        renamed
            .map_err(|error| ToolFailure::for_path(&format!("/memories/{}", from.path()), &error))
    }

    fn expire_file(&self, root: &PlainRoot, spot: &PathEnd) -> Result<String, ToolFailure> {
        let day = self.now.0.strftime("%Y-%m-%d");
        let moved = root.put_aside(spot, &format!("{TRASH}/{day}"));
        let place = moved.map_err(|error| ToolFailure::for_path(&spot.path(), &error))?;
        Ok(format!("moved to `{}`", place.display()))
    }

    fn is_kept(&self, _: &PlainRoot, _: &PathEnd) -> bool {
        false
    }
}
