//! A repository's objects and its `HEAD`, read without opening the repository: no owner check and
//! no settings, since nothing of it is run.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::git_dir;
use crate::regular_file;

/// A symbolic reference may point to another one this often.
const REFERENCE_HOPS_MAX: usize = 5;
/// `info/alternates` of alternates: as deep as git goes.
const ALTERNATES_DEPTH_MAX: usize = 5;

/// The repository's object database, with its alternates.
pub(super) fn open(common: &Path) -> Option<git2::Repository> {
    if git_dir::special_object(common).is_some() {
        return None;
    }
    crate::libgit2::prepare();
    let odb = git2::Odb::new().ok()?;
    add(&odb, &common.join("objects"), ALTERNATES_DEPTH_MAX)?;
    git2::Repository::from_odb(odb).ok()
}

fn add(odb: &git2::Odb<'_>, objects: &Path, depth: usize) -> Option<()> {
    odb.add_disk_alternate(objects.to_str()?).ok()?;
    let alternates = text(&objects.join("info/alternates")).unwrap_or_default();
    if depth > 0 {
        for line in alternates
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            add(odb, &objects.join(line), depth - 1);
        }
    }
    Some(())
}

/// The commit that `HEAD` names; `None` on an unborn branch.
pub(super) fn head_commit(git_dir: &Path, common: &Path) -> Option<git2::Oid> {
    let mut value = git_dir::head(git_dir)?;
    for _ in 0..REFERENCE_HOPS_MAX {
        let Some(name) = value.strip_prefix("ref:") else {
            return git2::Oid::from_str(value.get(..40)?).ok();
        };
        let name = name.trim().to_owned();
        value = loose(git_dir, &name)
            .or_else(|| loose(common, &name))
            .or_else(|| packed(common, &name))?;
    }
    None
}

fn loose(dir: &Path, name: &str) -> Option<String> {
    let escapes = PathBuf::from(name)
        .components()
        .any(|part| part.as_os_str() == "..");
    if escapes || !name.starts_with("refs/") {
        return None;
    }
    git_dir::read_pointer(&dir.join(name)).filter(|text| !text.is_empty())
}

fn packed(common: &Path, name: &str) -> Option<String> {
    let text = text(&common.join("packed-refs"))?;
    text.lines().find_map(|line| {
        let (id, found) = line.split_once(' ')?;
        (found == name).then(|| id.to_owned())
    })
}

fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    let mut file = regular_file::open(path).ok()?;
    file.read_to_string(&mut text).ok()?;
    Some(text)
}
