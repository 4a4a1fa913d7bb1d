//! Commands that change files, over whatever changes them: [`ToolWriter`].

use std::fs::File;

use mem_core::plain::{Links, PathEnd, PlainError, PlainRoot, SpotKind};
use unicode_normalization::UnicodeNormalization as _;

use super::edit::{insert_at_line, replace_once};
use super::view::as_text;
use super::{MemoryTool, ToolDialect, ToolFailure, path};

/// Makes the new bytes of a file from those that stand there, `None` for nothing.
pub type Change<'c> = &'c mut dyn FnMut(Option<&[u8]>) -> Result<Vec<u8>, ToolFailure>;

/// What changes files below a root.
pub trait ToolWriter {
    /// Held while a command looks and writes, where the writer does not lock by itself.
    fn lock_root(&self, root: &PlainRoot) -> Option<File>;

    /// Writes a file. `source` is what is read, `target` what is written: the same, but for links.
    ///
    /// # Errors
    /// Those of the change; a refusal; whatever the system has against it. Nothing is written then.
    fn put_file(
        &self,
        root: &PlainRoot,
        source: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure>;

    /// Removes a file, or a folder with all that is in it.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it.
    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure>;

    /// Moves a file or a folder to where nothing stands.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it. Nothing is left behind then.
    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure>;

    /// Takes a file that nobody looked at for long out of the root, in a way that can be undone.
    /// Returns how, for a person.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it.
    fn expire_file(&self, root: &PlainRoot, spot: &PathEnd) -> Result<String, ToolFailure>;

    /// Whether a file stays however long nobody looked at it.
    fn is_kept(&self, root: &PlainRoot, spot: &PathEnd) -> bool;
}

/// The text for the model and the file that was changed.
pub(super) type Done = Result<(String, Option<String>), ToolFailure>;

impl MemoryTool<'_> {
    pub(super) fn create_file(&self, root: &PlainRoot, path: &str, text: &str) -> Done {
        let spot = self.written_place(root, path)?;
        let is_replaced = self.limits.replaces && spot.kind == SpotKind::File;
        if spot.kind != SpotKind::Missing && !is_replaced {
            return Err(ToolFailure::Exists(path.to_owned()));
        }
        no_twin(root, &spot, path)?;
        self.write_within_limits(root, path, &spot, &spot, &mut |old| match old {
            Some(_) if !self.limits.replaces => Err(ToolFailure::Exists(path.to_owned())),
            _ => Ok(text.as_bytes().to_vec()),
        })?;
        let said = format!("File created successfully at: {path}");
        Ok((said, Some(spot.path())))
    }

    pub(super) fn replace_text(&self, root: &PlainRoot, path: &str, old: &str, new: &str) -> Done {
        let missing = || ToolFailure::MissingForEdit(path.to_owned());
        let (source, target) = self.file_to_edit(root, path, &missing)?;
        let mut shown = String::new();
        self.write_within_limits(root, path, &source, &target, &mut |bytes| {
            let text = as_text(path, bytes.ok_or_else(missing)?.to_vec())?;
            let (edited, snippet) = replace_once(&text, path, old, new, self.dialect)?;
            shown = snippet;
            Ok(edited.into_bytes())
        })?;
        let said = format!(
            "The memory file has been edited. Here is the snippet showing the change (with line \
             numbers):\n{shown}"
        );
        Ok((said, Some(target.path())))
    }

    pub(super) fn insert_text(&self, root: &PlainRoot, path: &str, line: i64, new: &str) -> Done {
        // The page's text for insertions is shorter than that for edits.
        let missing = || match self.dialect {
            ToolDialect::Docs => ToolFailure::Absent(path.to_owned()),
            ToolDialect::Python | ToolDialect::TypeScript => ToolFailure::Missing(path.to_owned()),
        };
        let (source, target) = self.file_to_edit(root, path, &missing)?;
        self.write_within_limits(root, path, &source, &target, &mut |bytes| {
            let text = as_text(path, bytes.ok_or_else(missing)?.to_vec())?;
            Ok(insert_at_line(&text, line, new, self.dialect)?.into_bytes())
        })?;
        let said = format!("The file {path} has been edited.");
        Ok((said, Some(target.path())))
    }

    pub(super) fn delete_path(&self, root: &PlainRoot, path: &str) -> Done {
        let spot = self.find_place(root, path)?;
        let spot = spot.ok_or_else(|| ToolFailure::Absent(path.to_owned()))?;
        if spot.is_root() {
            return Err(ToolFailure::DeleteRoot);
        }
        let is_refused = match spot.kind {
            SpotKind::Missing => true,
            // Python takes pipes and devices for nothing.
            SpotKind::Special => self.dialect == ToolDialect::Python,
            SpotKind::File | SpotKind::Folder | SpotKind::Link => false,
        };
        if is_refused {
            return Err(ToolFailure::Absent(path.to_owned()));
        }
        self.writer.remove_path(root, &spot)?;
        Ok((format!("Successfully deleted {path}"), None))
    }

    pub(super) fn move_path(&self, root: &PlainRoot, old: &str, new: &str) -> Done {
        let (from, to) = (self.find_place(root, old)?, self.find_place(root, new)?);
        if from.as_ref().is_some_and(PathEnd::is_root) {
            return Err(ToolFailure::RenameRoot);
        }
        let to = to.ok_or_else(|| below_a_file(new))?;
        if to.kind != SpotKind::Missing {
            return Err(ToolFailure::DestinationExists(new.to_owned()));
        }
        let from = from.filter(|from| from.kind != SpotKind::Missing);
        let from = from.ok_or_else(|| ToolFailure::Absent(old.to_owned()))?;
        if to.names.starts_with(&from.names) {
            return Err(ToolFailure::Said(format!(
                "The path {old} cannot be moved into itself"
            )));
        }
        no_twin_but(root, &to, new, from.names.last())?;
        self.writer.rename_path(root, &from, &to)?;
        let said = format!("Successfully renamed {old} to {new}");
        Ok((said, Some(to.path())))
    }

    /// The place that a command writes.
    fn written_place(&self, root: &PlainRoot, path: &str) -> Result<PathEnd, ToolFailure> {
        self.find_place(root, path)?
            .ok_or_else(|| below_a_file(path))
    }

    /// The place that a command is about; `None` below a file, where nothing can be.
    fn find_place(&self, root: &PlainRoot, path: &str) -> Result<Option<PathEnd>, ToolFailure> {
        let names = path::path_names(path, self.dialect)?;
        // A link that leads out is refused even where only the link itself would change.
        let followed = root.reach(&names, Links::Follow);
        let reached = followed.and_then(|followed| match self.dialect.link_handling() {
            Links::Follow => Ok(followed),
            Links::Keep => root.reach(&names, Links::Keep),
        });
        match reached {
            Err(PlainError::NotAFolder(_)) => Ok(None),
            reached => reached.map(Some).map_err(ToolFailure::for_path(path)),
        }
    }

    /// The file that an edit reads, and the place that it writes.
    fn file_to_edit(
        &self,
        root: &PlainRoot,
        path: &str,
        missing: &dyn Fn() -> ToolFailure,
    ) -> Result<(PathEnd, PathEnd), ToolFailure> {
        let names = path::path_names(path, self.dialect)?;
        let source = match root.reach(&names, Links::Follow) {
            Err(PlainError::NotAFolder(_)) => return Err(missing()),
            reached => reached.map_err(ToolFailure::for_path(path))?,
        };
        match source.kind {
            SpotKind::Missing => Err(missing()),
            SpotKind::File => Ok((source, self.written_place(root, path)?)),
            SpotKind::Folder | SpotKind::Link | SpotKind::Special => Err(match self.dialect {
                ToolDialect::Docs => missing(),
                _ => ToolFailure::Said(format!("The path {path} is not a file.")),
            }),
        }
    }

    /// Has a file written, within the limits of the host.
    fn write_within_limits(
        &self,
        root: &PlainRoot,
        path: &str,
        source: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure> {
        self.writer.put_file(root, source, target, &mut |old| {
            let new = change(old)?;
            self.check_limits(root, path, &new, old)?;
            Ok(new)
        })
    }

    fn check_limits(
        &self,
        root: &PlainRoot,
        path: &str,
        new: &[u8],
        old: Option<&[u8]>,
    ) -> Result<(), ToolFailure> {
        let (size, old_size) = (new.len() as u64, old.map_or(0, |old| old.len() as u64));
        let said = |text: String| Err(ToolFailure::Said(text));
        if let Some(max) = self.limits.file_bytes_max
            && size > max
        {
            return said(format!(
                "File {path} would be {size} bytes, over the limit of {max}. Keep files short and \
                 split what is long."
            ));
        }
        if let Some(max) = self.limits.total_bytes_max {
            let total = root
                .total_bytes()
                .saturating_sub(old_size)
                .saturating_add(size);
            if total > max && size > old_size {
                return said(format!(
                    "All files would be {total} bytes, over the limit of {max}. Delete what is no \
                     longer needed."
                ));
            }
        }
        (self.objection)(path, new, old).map_or(Ok(()), said)
    }
}

fn below_a_file(path: &str) -> ToolFailure {
    ToolFailure::NotAllowed(path.to_owned(), "a part of it is a file")
}

/// Refuses a new name that differs from one beside it only in how letters are composed.
fn no_twin(root: &PlainRoot, spot: &PathEnd, path: &str) -> Result<(), ToolFailure> {
    no_twin_but(root, spot, path, None)
}

fn no_twin_but(
    root: &PlainRoot,
    spot: &PathEnd,
    path: &str,
    leaving: Option<&String>,
) -> Result<(), ToolFailure> {
    let Some(name) = spot.names.last() else {
        return Ok(());
    };
    let is_same_name =
        |other: &String| other != name && Some(other) != leaving && other.nfc().eq(name.nfc());
    match root.names_beside(spot).iter().any(is_same_name) && !name.is_ascii() {
        true => Err(ToolFailure::Said(format!(
            "A file whose name looks the same as {path} exists already: its letters are composed \
             differently. Use the name as it is listed."
        ))),
        false => Ok(()),
    }
}
