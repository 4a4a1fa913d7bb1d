//! Whether a "local" settings file came with the repository after all.

use std::path::Path;

use crate::project::Project;

/// Whether git tracks the settings file, so that whoever writes to the repository wrote it.
///
/// Asks the index of the file's checkout. Names are compared without regard to case, since the
/// file system may do so, and a tracked `.claude` (a link or a submodule) counts for what is in
/// it. An index that cannot be read, and a refused `.git`, count as tracking it: only a clear no
/// is a no.
pub fn is_tracked(project: &Project, file: &Path) -> bool {
    let (Some(git_dir), Some(common)) = (&project.git_dir, &project.git_common_dir) else {
        return project.is_refused();
    };
    let (checkout, index_dir) = if file.starts_with(&project.workdir) {
        (&project.workdir, git_dir)
    } else {
        (&project.root, common)
    };
    let path = index_dir.join("index");
    if !path.exists() {
        return false;
    }
    // Of a pipe, opening would wait for ever.
    let Some(Ok(index)) = path.is_file().then(|| git2::Index::open(&path)) else {
        return true;
    };
    let aliases = aliases(checkout, file);
    index.iter().any(|entry| {
        let entry = String::from_utf8_lossy(&entry.path).to_lowercase();
        aliases.iter().any(|alias| {
            let inside = alias.strip_prefix(&entry);
            inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}

/// The file's path in the checkout, as written and with symbolic links resolved; lower case.
fn aliases(checkout: &Path, file: &Path) -> Vec<String> {
    let resolved = file.canonicalize().ok();
    [Some(file), resolved.as_deref()]
        .into_iter()
        .flatten()
        .filter_map(|path| path.strip_prefix(checkout).ok()?.to_str())
        .map(str::to_lowercase)
        .collect()
}
