//! A tree of git, walked by hand: entry by entry, to a bounded depth.

use git2::{Oid, Repository};

use crate::limits::TREE_DEPTH_MAX;

/// The mode of a folder.
pub(crate) const MODE_FOLDER: i32 = 0o040_000;
/// The mode of a symbolic link.
pub(crate) const MODE_LINK: i32 = 0o120_000;
/// The mode of a submodule.
pub(crate) const MODE_SUBMODULE: i32 = 0o160_000;

/// Visits every file below a tree, in the order of the paths' bytes within each folder. `path` is
/// the folder's own path with a trailing `/`, or empty.
pub(crate) fn walk_tree_files(
    repository: &Repository,
    tree: Oid,
    path: &mut Vec<u8>,
    visit: &mut impl FnMut(&[u8], Oid, i32),
) {
    let depth = path.iter().filter(|&&byte| byte == b'/').count();
    let Ok(tree) = repository.find_tree(tree) else {
        return;
    };
    let length = path.len();
    for entry in &tree {
        path.extend_from_slice(entry.name_bytes());
        if entry.filemode() != MODE_FOLDER {
            visit(path, entry.id(), entry.filemode());
        } else if depth < TREE_DEPTH_MAX {
            path.push(b'/');
            walk_tree_files(repository, entry.id(), path, visit);
        }
        path.truncate(length);
    }
}
