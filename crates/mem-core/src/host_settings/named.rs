//! Which variables the settings of a repository name: a host gives them to all that it runs, whoever wrote them.
//!
//! Read strictly, for what is found here is not believed: a file that is no JSON names every variable whose name
//! stands in it, and one that cannot be looked into names them all. One that the system lets nobody read says
//! nothing, for hosts cannot read it either.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::is_tracked;
use crate::environment::Environment;
use crate::limits::SETTINGS_BYTES_MAX;
use crate::{project, regular_file};

const SHARED: &str = "settings.json";
const LOCAL: &str = "settings.local.json";
/// Where the person's own settings of the host are, by what says so.
const OWN: [(&str, &str); 2] = [("CLAUDE_CONFIG_DIR", ""), ("HOME", ".claude")];

/// Of these names, those that a repository's settings name, with the file; folders are looked at with all above
/// them and with the main checkout. The person's own settings are none of a repository's, unless what says where
/// they are is itself named by one of the files.
pub fn named_by_repositories<'n>(
    folders: &[PathBuf],
    names: &[&'n str],
    env: &Environment,
) -> BTreeMap<&'n str, PathBuf> {
    let wanted: Vec<&str> = names
        .iter()
        .copied()
        .chain(OWN.map(|(name, _)| name))
        .collect();
    let found: Vec<(PathBuf, Vec<&str>)> = files(folders)
        .into_iter()
        .map(|path| {
            let named = names_in(&path, &wanted);
            (path, named)
        })
        .collect();
    let is_moved = |name: &str| found.iter().any(|(_, named)| named.contains(&name));
    let own: Vec<PathBuf> = OWN
        .iter()
        .filter(|(name, _)| !is_moved(name))
        .filter_map(|(name, below)| Path::new(env.get(name)?).join(below).canonicalize().ok())
        .collect();
    let is_own = |path: &Path| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.is_some_and(|folder| own.contains(&folder))
    };
    let mut all = BTreeMap::new();
    for (path, named) in found.iter().filter(|(path, _)| !is_own(path)) {
        for name in names.iter().filter(|name| named.contains(*name)) {
            all.entry(*name).or_insert_with(|| path.clone());
        }
    }
    all
}

/// The settings files of repositories at and above some folders.
fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut places = BTreeSet::new();
    for folder in folders {
        places.extend(folder.ancestors().map(Path::to_owned));
        // Without the environment: it may be what a repository set.
        if let Ok(project) = project::find(folder, &Environment::default()) {
            places.extend(project.cwd.ancestors().map(Path::to_owned));
            places.extend([project.root, project.workdir]);
        }
    }
    let settings = places.iter().map(|place| place.join(".claude"));
    let both = settings.flat_map(|folder| [folder.join(SHARED), folder.join(LOCAL)]);
    both.filter(|path| path.symlink_metadata().is_ok() && is_shared(path))
        .collect()
}

/// Whether it came with the repository.
fn is_shared(path: &Path) -> bool {
    if !path.ends_with(LOCAL) {
        return true;
    }
    let checkout = path.parent().and_then(Path::parent).unwrap_or(path);
    // Only a clear no is a no.
    project::find(checkout, &Environment::default()).map_or(true, |project| {
        is_tracked(&project, &project.cwd.join(".claude").join(LOCAL))
    })
}

/// Which of the names a file gives values to.
fn names_in<'n>(path: &Path, names: &[&'n str]) -> Vec<&'n str> {
    let bytes = match regular_file::read(path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if is_out_of_reach(&error) => return Vec::new(),
        Err(_) => return names.to_vec(),
    };
    let text = String::from_utf8_lossy(&bytes);
    let parsed = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}'));
    let is_named = |name: &&str| match &parsed {
        Ok(settings) => settings["env"].get(*name).is_some(),
        // An escape may be any letter.
        Err(_) => text.contains(*name) || text.contains("\\u"),
    };
    names.iter().copied().filter(is_named).collect()
}

fn is_out_of_reach(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The names that settings in a folder name, with a home.
    fn named(settings: &str, home: &Path, folder: &Path) -> Vec<&'static str> {
        let file = folder.join(".claude").join(SHARED);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        crate::state_file::write(&file, settings.as_bytes()).unwrap();
        let env: Environment = [("HOME", home.to_str().unwrap())].into_iter().collect();
        let below = folder.join("below");
        fs::create_dir_all(&below).unwrap();
        let found = named_by_repositories(&[below], &["MEM_DIR", "HOME"], &env);
        found.into_keys().collect()
    }

    #[test]
    fn whatever_could_be_read_as_naming_one_names_it() {
        let root = tempfile::tempdir().unwrap();
        let (home, repo) = (root.path().join("home"), root.path().join("repo"));
        for (settings, wanted) in [
            ("", &[][..]),
            ("{}", &[]),
            ("{\"env\":{\"OTHER\":\"MEM_DIR\"}}", &[]),
            ("\u{feff}{\"env\":{\"MEM_DIR\":\"\"}}", &["MEM_DIR"]),
            (
                "{\"autoMemoryEnabled\":3,\"env\":{\"MEM_DIR\":1}}",
                &["MEM_DIR"],
            ),
            ("{\"env\":{\"MEM_D\\u0049R\":\"x\"}}", &["MEM_DIR"]),
            ("{\"env\":{\"MEM_DIR\":\"x\",}} // broken", &["MEM_DIR"]),
            ("{\"env\":{\"\\u0058\":\"x\",}}", &["HOME", "MEM_DIR"]),
            (&" ".repeat(2 << 20), &["HOME", "MEM_DIR"]),
        ] {
            assert_eq!(named(settings, &home, &repo), wanted, "{settings:.50}");
        }
    }

    #[test]
    fn a_persons_own_are_not_a_repositorys_unless_a_repository_says_where_they_are() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let own = "{\"env\":{\"MEM_DIR\":\"x\"}}";
        assert!(named(own, &home, &home).is_empty());
        let moved = "{\"env\":{\"MEM_DIR\":\"x\",\"HOME\":\"x\"}}";
        assert_eq!(named(moved, &home, &home), ["HOME", "MEM_DIR"]);
    }
}
