//! An export as a directory: written beside its target, renamed when it is whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Export, ExportError, ExportManifest, ExportedFile, MANIFEST_FILE};
use crate::atomic::{TEMP_PREFIX, create_dirs, sync_dir};
use crate::memory::ProjectMemory;
use crate::{Now, regular_file};

/// Writes an export to a directory that does not exist yet, or is empty. Directories get mode
/// 0700, files 0600 and the time of their content.
///
/// # Errors
/// Something stands at `target`, it lies inside the memory, or it cannot be written. Nothing is
/// left behind then.
pub fn write(
    export: &Export,
    memory: &ProjectMemory,
    target: &Path,
    now: Now,
) -> Result<PathBuf, ExportError> {
    let target = free_target(memory, target)?;
    let fail = |source| ExportError::Write {
        path: target.clone(),
        source,
    };
    let mut half = UnfinishedExport::beside(&target).map_err(fail)?;
    half.fill(export, now).map_err(fail)?;
    crate::platform::sync_tree(&half.path).map_err(fail)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "a whole directory, synced just above"
    )]
    fs::rename(&half.path, &target).map_err(|error| match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            ExportError::Exists(target.clone())
        }
        _ => fail(error),
    })?;
    half.renamed = true;
    sync_dir(target.parent().unwrap_or(&target)).map_err(fail)?;
    Ok(target)
}

/// The target below its real parent, which is made where it is missing.
fn free_target(memory: &ProjectMemory, target: &Path) -> Result<PathBuf, ExportError> {
    let nameless = || ExportError::Nameless(target.to_owned());
    let name = target.file_name().ok_or_else(nameless)?;
    let parent = target.parent().ok_or_else(nameless)?;
    let fail = |source| ExportError::Write {
        path: target.to_owned(),
        source,
    };
    let inside = |parent: &Path| {
        memory
            .stores()
            .iter()
            .any(|store| parent.starts_with(&store.places().root))
    };
    if inside(parent) {
        return Err(ExportError::Inside(target.to_owned()));
    }
    create_dirs(parent).map_err(fail)?;
    let parent = parent.canonicalize().map_err(fail)?;
    let real = parent.join(name);
    if inside(&real) {
        return Err(ExportError::Inside(target.to_owned()));
    }
    let exists = || ExportError::Exists(target.to_owned());
    match fs::symlink_metadata(&real) {
        Ok(meta) if !meta.is_dir() => return Err(exists()),
        Ok(_) if fs::read_dir(&real).map_err(fail)?.next().is_some() => return Err(exists()),
        Ok(_) | Err(_) => {}
    }
    Ok(real)
}

/// A directory in the making; it goes again unless it was renamed.
struct UnfinishedExport {
    path: PathBuf,
    renamed: bool,
}

impl Drop for UnfinishedExport {
    fn drop(&mut self) {
        if !self.renamed {
            // Best effort: the name says that it is temporary.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl UnfinishedExport {
    fn beside(target: &Path) -> io::Result<Self> {
        let name = format!("{TEMP_PREFIX}export-{}", std::process::id());
        let path = target.with_file_name(name);
        #[cfg_attr(not(unix), expect(unused_mut, reason = "it is set on Unix alone"))]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        Ok(Self {
            path,
            renamed: false,
        })
    }

    fn fill(&mut self, export: &Export, now: Now) -> io::Result<()> {
        for file in &export.files {
            self.put(file)?;
        }
        let mut manifest =
            serde_json::to_vec_pretty(&ExportManifest::for_export(export, now, false))?;
        manifest.push(b'\n');
        create(&self.path.join(MANIFEST_FILE), &manifest).map(drop)
    }

    fn put(&self, file: &ExportedFile) -> io::Result<()> {
        let path = self.path.join(file.scope.as_str()).join(file.file.as_str());
        create_dirs(path.parent().unwrap_or(&self.path))?;
        let written = create(&path, &file.bytes)?;
        // For people and for copies without the manifest; not every file system can.
        if let Some(time) = file.content_time {
            let _ = written.set_modified(time.into());
        }
        Ok(())
    }
}

fn create(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = regular_file::create_new(path)?;
    file.write_all(bytes)?;
    Ok(file)
}
