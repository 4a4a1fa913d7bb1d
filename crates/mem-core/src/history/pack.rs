//! Many objects at once: written as one pack instead of one file each.

use std::path::Path;

use git2::{Buf, Repository};

use super::error::HistoryError;

/// Runs `work` on the bare repository at `path` with all new objects kept in memory, then writes
/// them as one pack.
pub(super) fn in_one_pack<T>(
    path: &Path,
    work: impl FnOnce(&Repository) -> Result<T, HistoryError>,
) -> Result<T, HistoryError> {
    let repo = Repository::open_bare(path)?;
    let odb = repo.odb()?;
    let memory = odb.add_new_mempack_backend(1000)?;
    let value = work(&repo)?;
    let mut pack = Buf::new();
    memory.dump(&repo, &mut pack)?;
    let mut writer = odb.packwriter()?;
    std::io::Write::write_all(&mut writer, &pack).map_err(HistoryError::io("write", path))?;
    writer.commit()?;
    drop(writer);
    memory.reset()?;
    Ok(value)
}
