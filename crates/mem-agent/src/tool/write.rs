//! Commands that change files, over whatever changes them: [`Writer`].

use std::fs::File;

use mem_core::plain::{Kind, Links, PlainError, PlainRoot, Spot};
use unicode_normalization::UnicodeNormalization as _;

use super::edit::{inserted, replaced};
use super::view::as_text;
use super::{Dialect, Failure, MemoryTool, path};

/// Makes the new bytes of a file from those that stand there, `None` for nothing.
pub type Change<'c> = &'c mut dyn FnMut(Option<&[u8]>) -> Result<Vec<u8>, Failure>;

/// What changes files below a root.
pub trait Writer {
    /// Held while a command looks and writes, where the writer does not lock by itself.
    fn lock(&self, root: &PlainRoot) -> Option<File>;

    /// Writes a file. `source` is what is read, `target` what is written: the same, but for links.
    ///
    /// # Errors
    /// Those of the change; a refusal; whatever the system has against it. Nothing is written then.
    fn put(
        &self,
        root: &PlainRoot,
        source: &Spot,
        target: &Spot,
        change: Change<'_>,
    ) -> Result<(), Failure>;

    /// Removes a file, or a folder with all that is in it.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it.
    fn remove(&self, root: &PlainRoot, spot: &Spot) -> Result<(), Failure>;

    /// Moves a file or a folder to where nothing stands.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it. Nothing is left behind then.
    fn rename(&self, root: &PlainRoot, from: &Spot, to: &Spot) -> Result<(), Failure>;

    /// Takes a file that nobody looked at for long out of the root, in a way that can be undone.
    /// Returns how, for a person.
    ///
    /// # Errors
    /// A refusal; whatever the system has against it.
    fn expire(&self, root: &PlainRoot, spot: &Spot) -> Result<String, Failure>;

    /// Whether a file stays however long nobody looked at it.
    fn is_kept(&self, root: &PlainRoot, spot: &Spot) -> bool;
}

/// The text for the model and the file that was changed.
type Done = Result<(String, Option<String>), Failure>;

impl MemoryTool<'_> {
    pub(super) fn create(&self, root: &PlainRoot, path: &str, text: &str) -> Done {
        let spot = self.spot(root, path)?;
        let is_replaced = self.limits.replaces && spot.kind == Kind::File;
        if spot.kind != Kind::Missing && !is_replaced {
            return Err(Failure::Exists(path.to_owned()));
        }
        no_twin(root, &spot, path)?;
        self.put(root, path, &spot, &spot, &mut |old| match old {
            Some(_) if !self.limits.replaces => Err(Failure::Exists(path.to_owned())),
            _ => Ok(text.as_bytes().to_vec()),
        })?;
        let said = format!("File created successfully at: {path}");
        Ok((said, Some(spot.path())))
    }

    pub(super) fn replace(&self, root: &PlainRoot, path: &str, old: &str, new: &str) -> Done {
        let missing = || Failure::MissingForEdit(path.to_owned());
        let (source, target) = self.file(root, path, &missing, Failure::NotAFile)?;
        let mut shown = String::new();
        self.put(root, path, &source, &target, &mut |bytes| {
            let text = as_text(path, bytes.ok_or_else(missing)?.to_vec())?;
            let (edited, snippet) = replaced(&text, path, old, new, self.dialect)?;
            shown = snippet;
            Ok(edited.into_bytes())
        })?;
        let said = format!(
            "The memory file has been edited. Here is the snippet showing the change (with line \
             numbers):\n{shown}"
        );
        Ok((said, Some(target.path())))
    }

    pub(super) fn insert(&self, root: &PlainRoot, path: &str, line: i64, new: &str) -> Done {
        let missing = || Failure::MissingForInsert(path.to_owned());
        let (source, target) = self.file(root, path, &missing, Failure::NotAFileForInsert)?;
        self.put(root, path, &source, &target, &mut |bytes| {
            let text = as_text(path, bytes.ok_or_else(missing)?.to_vec())?;
            Ok(inserted(&text, line, new, self.dialect)?.into_bytes())
        })?;
        let said = format!("The file {path} has been edited.");
        Ok((said, Some(target.path())))
    }

    pub(super) fn delete(&self, root: &PlainRoot, path: &str) -> Done {
        let spot = self.place(root, path)?;
        let spot = spot.ok_or_else(|| Failure::Absent(path.to_owned()))?;
        if spot.is_root() {
            return Err(Failure::DeleteRoot);
        }
        let is_refused = match spot.kind {
            Kind::Missing => true,
            // Python takes pipes and devices for nothing.
            Kind::Special => self.dialect == Dialect::Python,
            Kind::File | Kind::Folder | Kind::Link => false,
        };
        if is_refused {
            return Err(Failure::Absent(path.to_owned()));
        }
        self.writer.remove(root, &spot)?;
        Ok((format!("Successfully deleted {path}"), None))
    }

    pub(super) fn rename(&self, root: &PlainRoot, old: &str, new: &str) -> Done {
        let (from, to) = (self.place(root, old)?, self.place(root, new)?);
        if from.as_ref().is_some_and(Spot::is_root) {
            return Err(Failure::RenameRoot);
        }
        let to = to.ok_or_else(|| below_a_file(new))?;
        if to.kind != Kind::Missing {
            return Err(Failure::DestinationExists(new.to_owned()));
        }
        let from = from.filter(|from| from.kind != Kind::Missing);
        let from = from.ok_or_else(|| Failure::Absent(old.to_owned()))?;
        if to.names.starts_with(&from.names) {
            return Err(Failure::Said(format!(
                "The path {old} cannot be moved into itself"
            )));
        }
        no_twin_but(root, &to, new, from.names.last())?;
        self.writer.rename(root, &from, &to)?;
        let said = format!("Successfully renamed {old} to {new}");
        Ok((said, Some(to.path())))
    }

    /// The place that a command writes.
    fn spot(&self, root: &PlainRoot, path: &str) -> Result<Spot, Failure> {
        self.place(root, path)?.ok_or_else(|| below_a_file(path))
    }

    /// The place that a command is about; `None` below a file, where nothing can be.
    fn place(&self, root: &PlainRoot, path: &str) -> Result<Option<Spot>, Failure> {
        let names = path::names(path, self.dialect)?;
        // A link that leads out is refused even where only the link itself would change.
        let followed = root.reach(&names, Links::Follow);
        let reached = followed.and_then(|followed| match self.dialect.links() {
            Links::Follow => Ok(followed),
            Links::Keep => root.reach(&names, Links::Keep),
        });
        match reached {
            Err(PlainError::NotAFolder(_)) => Ok(None),
            reached => reached.map(Some).map_err(|error| Failure::at(path, &error)),
        }
    }

    /// The file that an edit reads, and the place that it writes.
    fn file(
        &self,
        root: &PlainRoot,
        path: &str,
        missing: &dyn Fn() -> Failure,
        other: fn(String) -> Failure,
    ) -> Result<(Spot, Spot), Failure> {
        let names = path::names(path, self.dialect)?;
        let source = match root.reach(&names, Links::Follow) {
            Err(PlainError::NotAFolder(_)) => return Err(missing()),
            reached => reached.map_err(|error| Failure::at(path, &error))?,
        };
        match source.kind {
            Kind::Missing => Err(missing()),
            Kind::File => Ok((source, self.spot(root, path)?)),
            Kind::Folder | Kind::Link | Kind::Special => Err(other(path.to_owned())),
        }
    }

    /// Has a file written, within the limits of the host.
    fn put(
        &self,
        root: &PlainRoot,
        path: &str,
        source: &Spot,
        target: &Spot,
        change: Change<'_>,
    ) -> Result<(), Failure> {
        self.writer.put(root, source, target, &mut |old| {
            let new = change(old)?;
            self.admit(root, path, &new, old)?;
            Ok(new)
        })
    }

    fn admit(
        &self,
        root: &PlainRoot,
        path: &str,
        new: &[u8],
        old: Option<&[u8]>,
    ) -> Result<(), Failure> {
        let (size, old_size) = (new.len() as u64, old.map_or(0, |old| old.len() as u64));
        let said = |text: String| Err(Failure::Said(text));
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

fn below_a_file(path: &str) -> Failure {
    Failure::NotAllowed(path.to_owned(), "a part of it is a file")
}

/// Refuses a new name that differs from one beside it only in how letters are composed.
fn no_twin(root: &PlainRoot, spot: &Spot, path: &str) -> Result<(), Failure> {
    no_twin_but(root, spot, path, None)
}

fn no_twin_but(
    root: &PlainRoot,
    spot: &Spot,
    path: &str,
    leaving: Option<&String>,
) -> Result<(), Failure> {
    let Some(name) = spot.names.last() else {
        return Ok(());
    };
    let is_twin =
        |other: &String| other != name && Some(other) != leaving && other.nfc().eq(name.nfc());
    match root.names_beside(spot).iter().any(is_twin) && !name.is_ascii() {
        true => Err(Failure::Said(format!(
            "A file whose name looks the same as {path} exists already: its letters are composed \
             differently. Use the name as it is listed."
        ))),
        false => Ok(()),
    }
}
